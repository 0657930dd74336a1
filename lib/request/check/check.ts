import {
  createFault,
  type Explanation,
  type Generated,
  isMap,
  nearNames,
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
  explainUnsent,
  LineValues,
  mapTemplates,
  placeholdersOf,
  promptsOf,
  referencesOf,
  resolveAssignment,
  toPrompt,
} from "../draft/mod.ts";
import { readEntries, type ScriptVariables, scriptVariables } from "../parse/mod.ts";
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
  const known = createKnown(text, variables, options, entries);
  for (const entry of entries) {
    if (entry.kind === "assignment") known.assign(entry);
    else
      for (const fault of locateFaults(text, entry, checkDraft(entry, known, options)))
        faults.push(fault);
  }
  for (const fault of unusedFaults(entries, known)) faults.push(fault);
  if (faults.length === 0) return faults;
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
  /** Notes a name that has no value yet but will have one. */
  defer(name: string): void;
  readonly lines: LineValues;
  assign(entry: AssignmentDraft): void;
  /** Whether the value of a part is not known yet but will be. */
  isUnknown(part: string | Placeholder): boolean;
}

/** Stands for every value that is not known yet; no variable can have this name. */
const DEFERRED = "\0";
const STAND_IN = "0";

function createKnown(
  text: string,
  variables: Variables,
  { deferred: expected = [], requests = [], parseJson }: CheckOptions,
  entries: readonly Entry[],
): Known {
  const lines = new LineValues();
  const given: Scope = isMap(variables) ? variables : new Map(Object.entries(variables));
  const fromElsewhere = new Set(expected);
  const deferred = new Set(fromElsewhere);
  /** Variables of lines that consist of such values. */
  const later = new Set<string>();
  // `host` is looked up without a placeholder, so its name is not replaced.
  const standIn = (name: string): Value | undefined =>
    name === DEFERRED || deferred.has(name) ? STAND_IN : undefined;
  const named = new Set(requests);
  let scripts: ScriptVariables | undefined;
  for (const entry of entries) {
    if (entry.kind === "request" && entry.name !== undefined) named.add(entry.name);
  }
  const scope: Scope = {
    get: (name) => {
      const value = lines.has(name) ? lines.get(name) : given.get(name);
      return value === undefined ? standIn(name) : value;
    },
    has: (name) => lines.has(name) || given.has(name),
    keys: () => new Set([...lines.keys(), ...deferred, ...given.keys()]),
    explain: (name): Explanation | undefined => {
      const known = lines.explain(name) ?? (named.has(name) ? explainUnsent(name) : undefined);
      if (known !== undefined) return known;
      scripts ??= scriptVariables(text);
      const found = scripts.explanations.get(name) ?? given.explain?.(name);
      const isMistyped = nearNames(name, scope.keys()).length > 0;
      return found ?? (isMistyped ? undefined : scripts.file);
    },
    ...(given.generate === undefined
      ? {}
      : { generate: (placeholder): Generated => given.generate?.(placeholder) as Generated }),
  };
  function defer(name: string): void {
    deferred.add(name);
    lines.late.noteChange(name);
  }
  function isUnknown(part: string | Placeholder): boolean {
    if (typeof part === "string") return false;
    if (part.kind === "generated") return toPrompt(part) !== undefined;
    lines.get(part.name);
    if (later.delete(part.name)) {
      lines.delete(part.name);
      defer(part.name);
    }
    return deferred.has(part.name) && !scope.has(part.name);
  }
  function assign(entry: AssignmentDraft): void {
    later.delete(entry.name);
    if (!fromElsewhere.has(entry.name)) deferred.delete(entry.name);
    lines.set(entry, scope, (own) => {
      const isDeferred = entry.value.parts.some(isUnknown);
      const value = deferValues(entry.value, isUnknown);
      const found = resolveAssignment({ ...entry, value }, own, parseJson ? { parseJson } : {});
      if (isDeferred) later.add(entry.name);
      return found;
    });
  }
  return { defer, requests: named, lines, scope, isUnknown, assign };
}

/** Lines that cannot be resolved, and that no request uses, whose own faults would name them. */
function unusedFaults(entries: readonly Entry[], { lines }: Known): readonly CheckFault[] {
  const late = [...lines.late.entries()].filter(([name]) => lines.explain(name) !== undefined);
  if (late.length === 0) return [];
  const used = new Set(
    entries.flatMap((entry) => (entry.kind === "request" ? placeholdersOf(entry) : []).map(nameOf)),
  );
  // A line may use one above it.
  for (const [name, { names }] of late.toReversed()) {
    if (used.has(name)) for (const one of names) used.add(one);
  }
  return late.flatMap(([name, { resolve }]) => {
    if (used.has(name)) return [];
    try {
      resolve();
      return [];
    } catch (error) {
      // Others, of chains that are too long, are told where they are used.
      if (!(error instanceof UnresolvedPlaceholderError)) return [];
      return error.faults.map(
        (fault) => ({ ...fault, code: "name", severity: "warning" }) as const,
      );
    }
  });
}

function nameOf({ name }: Placeholder): string {
  return name;
}

function checkDraft(
  draft: RequestDraft,
  { scope, defer, requests, isUnknown }: Known,
  { hasFile }: CheckOptions,
): readonly CheckFault[] {
  const faults: CheckFault[] = [];
  for (const { name, span } of referencesOf(draft)) {
    if (requests.has(name)) defer(name);
    else faults.push(unknownReference(draft.source, span, name));
  }
  const asked = new Set(promptsOf(draft).map(({ name }) => name));
  const waits = (part: string | Placeholder): boolean =>
    isUnknown(part) || (typeof part !== "string" && asked.has(part.name) && !scope.has(part.name));
  // Most requests wait for no value, and stay as they are.
  const known = placeholdersOf(draft).some(waits)
    ? mapTemplates(draft, (template) => deferValues(template, waits))
    : draft;
  faults.push(...checkRequest(known, scope, { isFixed, hasFile }));
  if (draft.name !== undefined) defer(draft.name);
  return faults;
}

function isFixed({ parts }: Template): boolean {
  return !parts.some(
    (part) => typeof part !== "string" && part.kind === "path" && part.name === DEFERRED,
  );
}

/** Replaces the placeholders whose values are not known yet. */
function deferValues(template: Template, isUnknown: Known["isUnknown"]): Template {
  const parts = template.parts.map((part) =>
    typeof part === "string" || !isUnknown(part)
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
