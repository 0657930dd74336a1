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
  explainUnsent,
  LineValues,
  mapTemplates,
  placeholdersOf,
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
    if (entry.kind === "assignment") known.assign(entry);
    else faults.push(...placeIn(text, entry, checkDraft(entry, known, options)));
  }
  faults.push(...unusedFaults(entries, known));
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
  /** Takes note of a name whose value is not known yet, but will be. */
  defer(name: string): void;
  readonly lines: LineValues;
  assign(entry: AssignmentDraft): void;
  /** Whether the value of a part is not known yet, but will be. */
  isUnknown(part: string | Placeholder): boolean;
}

/** No variable can have this name, so that it can stand for every value that is not known yet. */
const DEFERRED = "\0";
const STAND_IN = "0";

function createKnown(
  variables: Variables,
  { deferred: expected = [], requests = [], parseJson }: CheckOptions,
  entries: readonly Entry[],
): Known {
  const lines = new LineValues();
  const given: Scope = isMap(variables) ? variables : new Map(Object.entries(variables));
  const fromElsewhere = new Set(expected);
  const deferred = new Set(fromElsewhere);
  /** Variables of lines that are made of such values. */
  const later = new Set<string>();
  // `host` is looked up without a placeholder that could have been put off.
  const standIn = (name: string): Value | undefined =>
    name === DEFERRED || deferred.has(name) ? STAND_IN : undefined;
  const named = new Set(requests);
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
    explain: (name): Explanation | undefined =>
      lines.explain(name) ?? (named.has(name) ? explainUnsent(name) : given.explain?.(name)),
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

/** A template in which every value that is not known yet is the stand-in. */
function deferValues(template: Template, isUnknown: Known["isUnknown"]): Template {
  const parts = template.parts.map((part) =>
    typeof part === "string" || !isUnknown(part)
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
