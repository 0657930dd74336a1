import {
  createFault,
  type Placeholder,
  type SourceText,
  type Span,
  UnresolvedPlaceholderError,
  type Value,
  type Variables,
} from "../interpolation/mod.ts";
import { withGiven } from "./assignments.ts";
import { type CheckFault, checkAssertions, checkRequest, toCheckFault } from "./check-request.ts";
import {
  type Entry,
  inFile,
  isFaulty,
  neededLines,
  type RequestDraft,
  referencesOf,
} from "./draft.ts";
import { type ExpandOptions, expandText, resolvePath } from "./expand.ts";
import { deferValues, isFixed, Known } from "./known.ts";
import { type ParsedText, readText } from "./parse.ts";
import { passesOf, passNames } from "./passes.ts";
import { promptsOf } from "./prompts.ts";
import { mapTemplates, placeholdersOf } from "./templates.ts";

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
  const { requests, firstLine, ...others } = options;
  const names = new Set(requests);
  return checkParsedText(readText(text, firstLine), variables, {
    ...others,
    hasRequest: (name) => names.has(name),
    imports: { find: () => undefined },
  });
}

/** Finds the faults of a parsed text like {@link checkText}, with those of the files that it imports. */
export function checkParsedText(
  { failure, ...parsed }: ParsedText,
  variables: Variables,
  options: SessionCheckOptions,
): readonly CheckFault[] {
  const expanded = expandText(parsed, options.imports);
  const { entries, imported } = expanded;
  const faults: CheckFault[] = [
    ...(failure?.faults ?? []).map((fault) => toCheckFault(fault, "syntax")),
    ...expanded.faults.map((fault) => toCheckFault(fault, fault.code, fault.severity)),
  ];
  const known = new Known(parsed, variables, options, entries, imported);
  for (const entry of entries) {
    if (entry.kind === "assignment") known.assign(entry);
    if (entry.kind !== "request") continue;
    for (const fault of locateFaults(parsed, entry, checkDraft(entry, known, options)))
      faults.push(fault);
  }
  for (const fault of unusedFaults(entries, known)) faults.push(fault);
  const seen = new Set<string>();
  return faults
    .filter(({ message, span }) => {
      const key = `${span.start} ${message}`;
      return !seen.has(key) && seen.add(key);
    })
    .sort((one, other) => one.span.start - other.span.start);
}

/** The faults of variable lines that no request uses; those that one uses are reported there. */
function unusedFaults(entries: readonly Entry[], { lines }: Known): readonly CheckFault[] {
  const imported = new Set(
    entries.flatMap((entry) =>
      entry.kind === "assignment" && entry.file !== undefined ? [entry.name] : [],
    ),
  );
  const late = [...lines.late.entries()].filter(
    ([name]) => !imported.has(name) && lines.explain(name) !== undefined,
  );
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
      // Others, of chains that are too long, are reported where they are used.
      if (!(error instanceof UnresolvedPlaceholderError)) return [];
      return error.faults.map(
        (fault) => ({ ...fault, code: "name", severity: "warning" }) as const,
      );
    }
  });
}

/** Finds the faults of a request, in each of its passes. */
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
  const read = readPasses(draft, known);
  faults.push(...read.faults);
  // Further passes rarely have other faults.
  for (const pass of read.passes.slice(0, 100)) faults.push(...checkPass(pass, known, options));
  for (const name of passNames(draft)) known.defer(name);
  // The expected values may refer to the response, which has a name only now.
  const [first] = read.passes;
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
  if (!known.isRequest(name)) return [unknownReference(text, span, name)];
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
): { readonly passes: readonly RequestDraft[]; readonly faults: readonly CheckFault[] } {
  try {
    return { passes: passesOf(draft, scope, isUnknown), faults: [] };
  } catch (error) {
    if (!isFaulty(error)) throw error;
    return { passes: [], faults: error.faults.map((fault) => toCheckFault(fault, "name")) };
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
  const ready = mapTemplates(draft, (template) => deferValues(template, waits));
  const { file } = draft;
  const findFile = (path: string): boolean =>
    hasFile?.(file === undefined ? path : resolvePath(path, file)) === true;
  return check(ready, values, { isFixed, hasFile: hasFile && findFile });
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

/** Options of `checkText`. */
export interface CheckOptions {
  /** Parses JSON in variable lines; `JSON.parse` by default. */
  readonly parseJson?: (text: string) => Value;
  /** Names that will have a value when the text is sent: responses of earlier cells, questions. */
  readonly deferred?: Iterable<string>;
  /** Names of requests in other texts, for `# @ref`. */
  readonly requests?: Iterable<string>;
  /** The names that the value of a variable refers to, if it has none yet. */
  readonly madeOf?: (name: string) => readonly string[];
  /** Whether the scripts of the text are run when it is sent, so that their variables have values. */
  readonly runsScripts?: boolean;
  /** The line of its file on which the text begins; 1 by default. */
  readonly firstLine?: number | undefined;
  /** Whether a file exists; without it, files are not checked. */
  readonly hasFile?: (path: string) => boolean;
}

/** Options of `checkParsedText`. */
export interface SessionCheckOptions extends Omit<CheckOptions, "requests"> {
  /** Whether there is a request of this name in another text. */
  readonly hasRequest: (name: string) => boolean;
  /** The files that the text imports, and the requests that it may run. */
  readonly imports: ExpandOptions;
}
