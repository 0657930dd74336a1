import {
  createFault,
  type Explanation,
  type Faulty,
  type Generated,
  isMap,
  nearNames,
  type Placeholder,
  type Scope,
  type SourceText,
  type Span,
  type Template,
  UnresolvedPlaceholderError,
  type Value,
  type Variables,
} from "../../interpolation/mod.ts";
import type { AssignmentDraft, Entry, NamedRequest, RequestDraft } from "../draft/mod.ts";
import {
  explainUnsent,
  inFile,
  LineValues,
  mapTemplates,
  nameOf,
  neededLines,
  passesOf,
  passNames,
  placeholdersOf,
  promptsOf,
  referencesOf,
  resolveAssignment,
  toPrompt,
  withGiven,
} from "../draft/mod.ts";
import { type ExpandOptions, expandText, resolvePath } from "../imports/mod.ts";
import { readText, scriptVariables } from "../parse/mod.ts";
import { type CheckFault, toCheckFault } from "./check-fault.ts";
import { checkAssertions, checkRequest } from "./check-request.ts";

/** Options of {@link checkText}. */
export interface CheckOptions {
  /** Parses JSON in variable lines; `JSON.parse` by default. */
  readonly parseJson?: (text: string) => Value;
  /** Names that will have a value when the text is sent: responses of earlier cells, questions. */
  readonly deferred?: Iterable<string>;
  /** Names of requests in other texts, for `# @ref`. */
  readonly requests?: Iterable<string>;
  /** The names that a variable is made of that has no value yet. */
  readonly madeOf?: (name: string) => readonly string[];
  /** Whether the scripts of the text are run when it is sent, so that their variables have values. */
  readonly runsScripts?: boolean;
  /** The line of its file on which the text begins; 1 by default. */
  readonly firstLine?: number | undefined;
  /** Whether a file exists; without it, files are not checked. */
  readonly hasFile?: (path: string) => boolean;
}

/** Options of {@link checkTextOfSession}. */
interface SessionCheckOptions extends CheckOptions {
  /** The files that the text imports, and what it may run besides. */
  readonly imports: ExpandOptions;
}

/**
 * Finds all faults of a request text without sending it: syntax, unknown names, invalid URLs, malformed and
 * repeated headers, invalid JSON, missing files. Values from responses of the text's own
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
  return checkTextOfSession(text, variables, { ...options, imports: { find: () => undefined } });
}

/** Finds the faults of a text like {@link checkText}, with those of the files that it imports. */
export function checkTextOfSession(
  text: string,
  variables: Variables,
  options: SessionCheckOptions,
): readonly CheckFault[] {
  const { failure, ...parsed } = readText(text, options.firstLine);
  const expanded = expandText(parsed, options.imports);
  const { entries, imported } = expanded;
  const faults: CheckFault[] = [
    ...(failure?.faults ?? []).map((fault) => toCheckFault(fault, "syntax")),
    ...expanded.faults.map((fault) => toCheckFault(fault, fault.code, fault.severity)),
  ];
  const known = createKnown(parsed, variables, options, entries, imported);
  for (const entry of entries) {
    if (entry.kind === "assignment") known.assign(entry);
    else
      for (const fault of locateFaults(parsed, entry, checkDraft(entry, known, options)))
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
  /** The requests of the text itself, by their names. */
  readonly own: ReadonlyMap<string, RequestDraft>;
  /** The requests of imported files, until one is checked. */
  readonly imported: Map<string, NamedRequest>;
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
  text: SourceText,
  variables: Variables,
  { deferred: expected = [], requests = [], ...options }: CheckOptions,
  entries: readonly Entry[],
  importedRequests: readonly NamedRequest[],
): Known {
  const { parseJson, madeOf = () => [], runsScripts = false } = options;
  const scripts = scriptVariables(text, runsScripts);
  const lines = new LineValues();
  const given: Scope = isMap(variables) ? variables : new Map(Object.entries(variables));
  const fromElsewhere = new Set([...expected, ...scripts.set]);
  const deferred = new Set(fromElsewhere);
  /** Variables of lines that consist of such values. */
  const later = new Set<string>();
  // `host` is looked up without a placeholder, so its name is not replaced.
  const standIn = (name: string): Value | undefined =>
    name === DEFERRED || deferred.has(name) ? STAND_IN : undefined;
  const named = new Set(requests);
  const imported = new Map(importedRequests.map((one) => [nameOf(one.draft) ?? "", one]));
  for (const name of imported.keys()) named.add(name);
  const own = new Map<string, RequestDraft>();
  for (const entry of entries) {
    const name = entry.kind === "request" ? nameOf(entry) : undefined;
    if (entry.kind !== "request" || name === undefined) continue;
    own.set(name, entry);
    named.add(name);
    imported.delete(name);
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
    return isDeferred(part.name, new Set());
  }
  /** A variable of an earlier text may wait for a response, too. */
  function isDeferred(name: string, seen: Set<string>): boolean {
    if (scope.has(name) || seen.has(name)) return false;
    seen.add(name);
    if (runsScripts && scripts.file !== undefined && isFromScriptFile(name)) return true;
    return deferred.has(name) || madeOf(name).some((one) => isDeferred(one, seen));
  }
  /** A script in a file, which a check does not read, may set any name that is not a mistyped one. */
  function isFromScriptFile(name: string): boolean {
    return !named.has(name) && nearNames(name, scope.keys()).length === 0;
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
  return { defer, requests: named, own, imported, lines, scope, isUnknown, assign };
}

/** Lines that cannot be resolved, and that no request uses, whose own faults would name them. */
function unusedFaults(entries: readonly Entry[], { lines }: Known): readonly CheckFault[] {
  const imported = new Set(
    entries.flatMap((entry) =>
      entry.kind === "assignment" && entry.file !== undefined ? [entry.name] : [],
    ),
  );
  const late = [...lines.late.entries()].filter(
    ([name]) => !imported.has(name) && lines.explain(name) !== undefined,
  );
  if (late.length === 0) return [];
  const used = new Set(
    entries.flatMap((entry) =>
      (entry.kind === "request" ? placeholdersOf(entry) : []).map(({ name }) => name),
    ),
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

function checkDraft(
  draft: RequestDraft,
  known: Known,
  options: SessionCheckOptions,
): readonly CheckFault[] {
  const faults = (draft.faults ?? []).map((fault) => toCheckFault(fault, "syntax"));
  if (faults.length > 0) return faults;
  for (const { name, span } of referencesOf(draft)) {
    faults.push(...checkReference(name, draft, span, known, options));
  }
  const passes = readPasses(draft, known);
  if ("faults" in passes) faults.push(...passes.faults);
  else {
    // Further passes rarely have other faults.
    for (const pass of passes.slice(0, 100)) faults.push(...checkPass(pass, known, options));
  }
  for (const name of passNames(draft)) known.defer(name);
  // An expected value may be made of the response itself.
  const [first] = "faults" in passes ? [] : passes;
  if (first !== undefined) faults.push(...checkPass(first, known, options, checkAssertions));
  return faults;
}

/** Checks that a reference names a request, and the request if it is in another file. */
function checkReference(
  name: string,
  text: SourceText,
  span: Span,
  known: Known,
  options: SessionCheckOptions,
): readonly CheckFault[] {
  if (!known.requests.has(name)) return [unknownReference(text, span, name)];
  const imported = known.imported.get(name);
  known.imported.delete(name);
  if (imported === undefined) {
    const draft = known.own.get(name) ?? options.imports.named?.(name)?.draft ?? { title: name };
    for (const one of passNames(draft)) known.defer(one);
    return [];
  }
  for (const line of neededLines(imported)) {
    if (!known.scope.has(line.name)) known.assign(line);
  }
  const { file } = imported.draft;
  const faults = checkDraft(imported.draft, known, options);
  return locateFaults(text, { origin: span, ...(file === undefined ? {} : { file }) }, faults);
}

function readPasses(
  draft: RequestDraft,
  { scope, isUnknown }: Known,
): readonly RequestDraft[] | { readonly faults: readonly CheckFault[] } {
  try {
    return passesOf(draft, scope, isUnknown);
  } catch (error) {
    if (!(error instanceof Error && "faults" in error)) throw error;
    const { faults } = error as unknown as Faulty;
    return { faults: faults.map((fault) => toCheckFault(fault, "name")) };
  }
}

function checkPass(
  draft: RequestDraft,
  { scope, isUnknown }: Known,
  { hasFile }: CheckOptions,
  check: typeof checkRequest = checkRequest,
): readonly CheckFault[] {
  const { given = [] } = draft;
  const asked = new Set(promptsOf(draft).map(({ name }) => name));
  const own = new Map<string, boolean>();
  const waits = (part: string | Placeholder): boolean => {
    if (typeof part === "string") return false;
    return (
      own.get(part.name) ?? (isUnknown(part) || (asked.has(part.name) && !scope.has(part.name)))
    );
  };
  for (const { name, value } of given) own.set(name, value.parts.some(waits));
  const values = withGiven({ given: given.filter(({ name }) => own.get(name) === false) }, scope);
  // Most requests wait for no value, and stay as they are.
  const ready = placeholdersOf(draft).some(waits)
    ? mapTemplates(draft, (template) => deferValues(template, waits))
    : draft;
  const { file } = draft;
  const findFile = (path: string): boolean =>
    hasFile?.(file === undefined ? path : resolvePath(path, file)) === true;
  return check(ready, values, { isFixed, hasFile: hasFile && findFile });
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

function unknownReference(text: SourceText, span: Span, name: string): CheckFault {
  const message = `Cannot refer to "${name}": no request has this name`;
  const hint = `Write "# @name ${name}" before the request to send first, or import its file`;
  return toCheckFault(createFault(text, span, message, hint), "reference");
}

/**
 * The faults of a curl command or of a request of another file refer to the whole line, since its parts have no
 * positions in the text.
 */
function locateFaults(
  text: SourceText,
  { origin, file }: Pick<RequestDraft, "origin" | "file">,
  faults: readonly CheckFault[],
): readonly CheckFault[] {
  if (origin === undefined) return faults;
  return faults.map((fault) => {
    const message = file === undefined ? fault.message : inFile(fault, file);
    return { ...fault, ...createFault(text, origin, message, fault.hint) };
  });
}
