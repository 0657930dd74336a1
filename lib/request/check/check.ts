import {
  createFault,
  type Explanation,
  type Fault,
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
import type { CheckCode, CheckFault } from "./check-fault.ts";
import { checkRequest } from "./check-request.ts";

/** What a check knows beside the text and the variables. */
export interface CheckOptions {
  /** Reads JSON in variable lines; one that keeps the text of numbers in structures may stand in. */
  readonly parseJson?: (text: string) => Value;
  /** Names whose values will be there when it is sent: answers of earlier cells, questions. */
  readonly deferred?: Iterable<string>;
  /** Names of requests that other texts hold, which `# @ref` may name. */
  readonly requests?: Iterable<string>;
  /** Whether there is a file; left out, files are not looked for. */
  readonly hasFile?: (path: string) => boolean;
}

/**
 * Looks for everything that is wrong with a request text, at once and without a network: syntax,
 * unknown names, targets that are no URL, headers that are broken or written twice, a body on a
 * GET, JSON that does not parse, files that are not there.
 *
 * Values that come with answers of the text's own requests are taken to be there.
 *
 * @param text Text as in `.http` files.
 * @param variables The values, by name.
 * @param options What is known beside them.
 * @returns The faults in the order of the text; none for a text that can be sent.
 */
export function checkText(
  text: string,
  variables: Variables,
  options: CheckOptions = {},
): readonly CheckFault[] {
  const { entries, failure } = readEntries(text);
  const faults: CheckFault[] = (failure?.faults ?? []).map((fault) => asError(fault, "syntax"));
  const known = createKnown(variables, options, entries);
  for (const entry of entries) {
    const found =
      entry.kind === "assignment"
        ? checkAssignment(entry, known, options)
        : placeIn(text, entry, checkDraft(entry, known, options));
    for (const fault of found) faults.push(fault);
  }
  if (faults.length === 0) return faults;
  const seen = new Set<string>();
  return faults
    .filter(({ message, span }) => {
      const key = `${span.start} ${message}`;
      return !seen.has(key) && seen.add(key);
    })
    .sort((one, other) => one.span.start - other.span.start);
}

/** What is known at a place of the text; it grows from entry to entry. */
interface Known {
  readonly scope: Scope;
  readonly requests: ReadonlySet<string>;
  /** Names whose values are not known yet, but will be. */
  readonly deferred: Set<string>;
  set(name: string, value: Value): void;
}

/** No variable can have this name, so that it can stand for every value that is not known yet. */
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
  // `host` is looked up without a placeholder that could have been put off.
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
      get: (name) => {
        const value = assigned.has(name) ? assigned.get(name) : given.get(name);
        return value === undefined ? standIn(name) : value;
      },
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
    // What it is made of is told; that it is missing afterwards would be a second fault for one.
    deferred.add(entry.name);
    if (error instanceof UnresolvedPlaceholderError) {
      return error.faults.map((fault) => asError(fault, "name"));
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
  // Most requests wait for no value, and stay as they are.
  const known =
    asked.size === 0
      ? draft
      : mapTemplates(draft, (template) => deferValues(template, asked, scope));
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

/** A template in which every value that is not known yet is the stand-in. */
function deferValues(template: Template, deferred: Set<string>, scope: Scope): Template {
  const parts = template.parts.map((part) =>
    typeof part === "string" || !isUnknown(part, deferred, scope)
      ? part
      : ({ kind: "path", name: DEFERRED, steps: [], text: part.text, span: part.span } as const),
  );
  return { ...template, parts };
}

function unknownReference(source: string, span: Span, name: string): CheckFault {
  const message = `Cannot refer to "${name}": no request has that name`;
  const hint = `Write "# @name ${name}" before the request that you mean`;
  return asError(createFault(source, span, message, hint), "reference");
}

function asError(fault: Fault, code: CheckCode): CheckFault {
  return { ...fault, code, severity: "error" };
}

/** A curl command is told as a whole: its parts have no places of their own in the text. */
function placeIn(
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
