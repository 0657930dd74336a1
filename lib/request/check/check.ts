import {
  createFault,
  type Explanation,
  type Generated,
  isMap,
  type Placeholder,
  type Scope,
  type Span,
  type Template,
  UnresolvedPlaceholderError,
  type Value,
  type Variables,
} from "../../interpolation/mod.ts";
import type { AssignmentDraft, Entry, RequestDraft } from "../draft/mod.ts";
import {
  mapTemplates,
  promptsOf,
  referencesOf,
  resolveAssignment,
  toPrompt,
} from "../draft/mod.ts";
import { readEntries } from "../parse/mod.ts";
import { type CheckFault, toCheckFault } from "./check-fault.ts";
import { checkRequest } from "./check-request.ts";

/** Options of {@link checkText}. */
export interface CheckOptions {
  /** Parses JSON in variable lines; `JSON.parse` by default. */
  readonly parseJson?: (text: string) => Value;
  /** Names that will have a value when the text is sent: responses of earlier cells, questions. */
  readonly deferred?: Iterable<string>;
  /** Names of requests in other texts, for `# @ref`. */
  readonly requests?: Iterable<string>;
  /** Whether a file exists; without it, files are not checked. */
  readonly hasFile?: (path: string) => boolean;
}

/**
 * Finds all faults of a request text without sending it: syntax, unknown names, invalid URLs, malformed and
 * repeated headers, a body of a GET, invalid JSON, missing files. Values from responses of the text's own
 * requests are assumed to exist.
 *
 * @param text Text as in `.http` files.
 * @param variables The values by name.
 * @param options Names and files that are known in addition.
 * @returns The faults in the order of the text; empty for a text that can be sent.
 *
 * @example
 * ```ts
 * const [fault] = checkText("GET {{base}}/users", {});
 * fault?.code; // "name"
 * fault?.column; // 5
 * ```
 */
export function checkText(
  text: string,
  variables: Variables,
  options: CheckOptions = {},
): readonly CheckFault[] {
  const { entries, failure } = readEntries(text);
  const faults: CheckFault[] = (failure?.faults ?? []).map((fault) =>
    toCheckFault(fault, "syntax"),
  );
  const known = createKnown(variables, options, entries);
  for (const entry of entries) {
    const found =
      entry.kind === "assignment"
        ? checkAssignment(entry, known, options)
        : locateFaults(text, entry, checkDraft(entry, known, options));
    for (const fault of found) faults.push(fault);
  }
  const seen = new Set<string>();
  return faults
    .filter(({ message, span }) => {
      const key = `${span.start} ${message}`;
      return !seen.has(key) && seen.add(key);
    })
    .sort((one, other) => one.span.start - other.span.start);
}

/** What is known at an entry; it grows from entry to entry. */
interface Known {
  readonly scope: Scope;
  readonly requests: ReadonlySet<string>;
  /** Names that will have a value when the text is sent. */
  readonly deferred: Set<string>;
  set(name: string, value: Value): void;
}

/** Stands for every value that is not known yet; no variable can have this name. */
const DEFERRED = "\0";
const STAND_IN = "0";

function createKnown(
  variables: Variables,
  { deferred = [], requests = [] }: CheckOptions,
  entries: readonly Entry[],
): Known {
  const assigned = new Map<string, Value>();
  const given: Scope = isMap(variables) ? variables : new Map(Object.entries(variables));
  const expected = new Set(deferred);
  // `host` is looked up without a placeholder, so its name is not replaced.
  const standIn = (name: string): Value | undefined =>
    name === DEFERRED || expected.has(name) ? STAND_IN : undefined;
  const named = new Set(requests);
  for (const entry of entries) {
    if (entry.kind === "request" && entry.name !== undefined) named.add(entry.name);
  }
  return {
    deferred: expected,
    requests: named,
    set: (name, value) => assigned.set(name, value),
    scope: {
      get: (name) => assigned.get(name) ?? given.get(name) ?? standIn(name),
      has: (name) => assigned.has(name) || given.has(name),
      keys: () => new Set([...assigned.keys(), ...expected, ...given.keys()]),
      explain: (name): Explanation | undefined => given.explain?.(name),
      ...(given.generate === undefined
        ? {}
        : { generate: (placeholder): Generated => given.generate?.(placeholder) as Generated }),
    },
  };
}

function checkAssignment(
  entry: AssignmentDraft,
  { scope, deferred, set }: Known,
  { parseJson }: CheckOptions,
): readonly CheckFault[] {
  const isDeferred = entry.value.parts.some((part) => isUnknown(part, deferred, scope));
  const value = deferValues(entry.value, deferred, scope);
  try {
    const found = resolveAssignment({ ...entry, value }, scope, parseJson ? { parseJson } : {});
    if (isDeferred) deferred.add(entry.name);
    else set(entry.name, found);
    return [];
  } catch (error) {
    // Its later uses would be faults with the same cause.
    deferred.add(entry.name);
    if (error instanceof UnresolvedPlaceholderError) {
      return error.faults.map((fault) => toCheckFault(fault, "name"));
    }
    throw error;
  }
}

function checkDraft(
  draft: RequestDraft,
  { scope, deferred, requests }: Known,
  { hasFile }: CheckOptions,
): readonly CheckFault[] {
  const faults: CheckFault[] = [];
  for (const { name, span } of referencesOf(draft)) {
    if (requests.has(name)) deferred.add(name);
    else faults.push(unknownReference(draft.source, span, name));
  }
  const prompts = promptsOf(draft);
  const asked = new Set(deferred);
  for (const { name } of prompts) asked.add(name);
  const known = mapTemplates(draft, (template) => deferValues(template, asked, scope));
  faults.push(...checkRequest(known, scope, { isFixed, hasFile }));
  if (draft.name !== undefined) deferred.add(draft.name);
  return faults;
}

function isFixed({ parts }: Template): boolean {
  return !parts.some(
    (part) => typeof part !== "string" && part.kind === "path" && part.name === DEFERRED,
  );
}

function isUnknown(part: string | Placeholder, deferred: Set<string>, scope: Scope): boolean {
  if (typeof part === "string") return false;
  if (part.kind === "generated") return toPrompt(part) !== undefined;
  return deferred.has(part.name) && !scope.has(part.name);
}

/** Replaces the placeholders whose values are not known yet. */
function deferValues(template: Template, deferred: Set<string>, scope: Scope): Template {
  const parts = template.parts.map((part) =>
    typeof part === "string" || !isUnknown(part, deferred, scope)
      ? part
      : ({ kind: "path", name: DEFERRED, steps: [], text: part.text, span: part.span } as const),
  );
  return { ...template, parts };
}

function unknownReference(source: string, span: Span, name: string): CheckFault {
  const message = `Cannot refer to "${name}": no request has this name`;
  const hint = `Write "# @name ${name}" before the request to send first`;
  return toCheckFault(createFault(source, span, message, hint), "reference");
}

/** The faults of a curl command refer to the whole command, since its parts have no positions in the text. */
function locateFaults(
  text: string,
  { origin }: RequestDraft,
  faults: readonly CheckFault[],
): readonly CheckFault[] {
  if (origin === undefined) return faults;
  return faults.map((fault) => ({
    ...fault,
    ...createFault(text, origin, fault.message, fault.hint),
  }));
}
