import {
  createFault,
  type Placeholder,
  type SourceText,
  type Span,
} from "../../interpolation/mod.ts";
import {
  inFile,
  isFaulty,
  mapTemplates,
  neededLines,
  passesOf,
  passNames,
  promptsOf,
  type RequestDraft,
  referencesOf,
  withGiven,
} from "../draft/mod.ts";
import { resolvePath } from "../imports/mod.ts";
import { type CheckFault, toCheckFault } from "./check-fault.ts";
import type { CheckOptions, SessionCheckOptions } from "./check-options.ts";
import { checkAssertions, checkRequest } from "./check-request.ts";
import { deferValues, isFixed, type Known } from "./known.ts";

/** Finds the faults of a request, in each of its passes. */
export function checkDraft(
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
export function locateFaults(
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
