import {
  createFault,
  type Fault,
  type RenderedRange,
  renderTemplate,
  type Span,
  shorten,
  type Template,
  type Variables,
} from "../interpolation/mod.ts";
import type { RequestDraft } from "./draft.ts";
import { draftWarnings } from "./draft-warnings.ts";
import { explainFinding, findInJson } from "./json-fault.ts";
import {
  completeTarget,
  headerFaults,
  type RenderedParts,
  renderParts,
  schemeFault,
} from "./render.ts";
import { encodingLabel } from "./render-body.ts";
import { bodyTemplates } from "./templates.ts";

const PATHS_HINT =
  "Paths are relative to the folder of the file, at the prompt to the working folder";

interface CheckRequestOptions {
  /** Whether a template has no placeholder whose value is not known yet. */
  readonly isFixed: (template: Template) => boolean;
  readonly hasFile: ((path: string) => boolean) | undefined;
}

/** Finds all faults of a request. */
export function checkRequest(
  given: RequestDraft,
  variables: Variables,
  options: CheckRequestOptions,
): readonly CheckFault[] {
  const draft = withoutComments(given, options);
  const unresolved: Fault[] = [];
  const parts = renderParts(draft, variables, { unresolved });
  const isKnown = (template: Template): boolean =>
    options.isFixed(template) && !hasFault(template, unresolved);
  return [
    ...unresolved.map((fault) => toCheckFault(fault, "name")),
    ...headerFaults(draft, parts.headers)
      .filter(({ span }) => draft.headers.some((one) => one.span === span && isKnown(one.value)))
      .map((fault) => toCheckFault(fault, "header")),
    ...repeatedHeaders(draft, parts),
    ...draftWarnings(draft).map(({ code, message, hint, span }) =>
      toCheckFault(createFault(draft, span, message, hint), code, "warning"),
    ),
    ...(isKnown(draft.url) &&
    draft.headers.every(({ name, value }) => !isHost(name) || isKnown(value))
      ? urlFaults(draft, parts, variables)
      : schemeFaults(draft, beginningOf(draft.url), false)),
    ...bodyFaults(draft, parts, options.hasFile, isKnown, unresolved),
  ];
}

/** While its type is not known, the comments of a body may contain anything. */
function withoutComments(
  draft: RequestDraft,
  { isFixed }: Pick<CheckRequestOptions, "isFixed">,
): RequestDraft {
  const { body, headers } = draft;
  if (body?.kind !== "text" || body.json === undefined) return draft;
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type");
  if (type === undefined || isFixed(type.value)) return draft;
  return { ...draft, body: { ...body, ...body.json } };
}

function hasFault({ parts }: Template, faults: readonly Fault[]): boolean {
  const starts = new Set(faults.map(({ span }) => span.start));
  return parts.some((part) => typeof part !== "string" && starts.has(part.span.start));
}

/** Whether a header completes a target without a host; a placeholder may be one. */
function isHost(name: string): boolean {
  return name === "" || name.toLowerCase() === "host";
}

/** Fields that may occur only once (RFC 9110, 5.3). */
const SINGLE: ReadonlySet<string> = new Set(
  "authorization content-encoding content-length content-location content-type date expect from host if-modified-since if-range if-unmodified-since max-forwards origin proxy-authorization range referer user-agent".split(
    " ",
  ),
);

function repeatedHeaders(draft: RequestDraft, { headers }: RenderedParts): readonly CheckFault[] {
  const seen = new Map<string, Set<string>>();
  return draft.headers.flatMap(({ span }, index) => {
    const [name, value] = headers[index] ?? ["", ""];
    const lower = name.toLowerCase();
    const before = seen.get(lower);
    if (before === undefined) {
      seen.set(lower, new Set([value]));
      return [];
    }
    const isEqual = before.has(value);
    before.add(value);
    if (!SINGLE.has(lower) && !isEqual) return [];
    const message = `The header "${name}" is written twice`;
    const hint = SINGLE.has(lower)
      ? "A request may have it only once"
      : "Remove one of the two equal lines";
    return [toCheckFault(createFault(draft, span, message, hint), "header", "warning")];
  });
}

function urlFaults(
  draft: RequestDraft,
  parts: RenderedParts,
  variables: Variables,
): readonly CheckFault[] {
  const { target } = parts;
  const broken = schemeFaults(draft, target, true);
  if (broken.length > 0) return broken;
  const completed = completeTarget(draft, target, parts.headers, variables);
  if (typeof completed !== "string") return [toCheckFault(completed, "url")];
  if (URL.canParse(completed)) return [];
  const message = `The URL is not valid: "${shorten(target)}"`;
  const fault = createFault(draft, draft.urlSpan, message, "Check its host and port");
  return [toCheckFault(fault, "url")];
}

/** The faults that the beginning of a target shows, even without its values. */
function schemeFaults(draft: RequestDraft, text: string, isWhole: boolean): readonly CheckFault[] {
  const fault = schemeFault(draft, text, isWhole);
  return fault === undefined ? [] : [toCheckFault(fault, "url")];
}

/** The text before the first placeholder. */
function beginningOf({ parts: [first] }: Template): string {
  return typeof first === "string" ? first : "";
}

function bodyFaults(
  draft: RequestDraft,
  { rendered }: RenderedParts,
  hasFile: CheckRequestOptions["hasFile"],
  isKnown: (template: Template) => boolean,
  unresolved: readonly Fault[],
): readonly CheckFault[] {
  const { body } = draft;
  if (body === undefined) return [];
  const faults: CheckFault[] = [];
  const text = rendered.body;
  if (typeof text === "object") {
    const files =
      "pieces" in text ? text.pieces.filter((piece) => typeof piece === "object") : [text];
    for (const { path, encoding } of files) {
      if (encoding === undefined || encodingLabel(encoding) !== undefined) continue;
      const message = `The encoding "${encoding}" of the file "${path}" is not supported`;
      faults.push(toCheckFault(createFault(draft, body.span, message), "file"));
    }
    for (const { path } of bodyTemplates(body).every(isKnown) ? files : []) {
      if (hasFile === undefined || hasFile(path)) continue;
      const message = `The body file "${path}" does not exist or cannot be read`;
      const fault = createFault(draft, body.span, message, PATHS_HINT);
      faults.push(toCheckFault(fault, "file"));
    }
  }
  if (typeof text === "string" && rendered.ranges !== undefined && body.kind === "text") {
    const json = { ...body, ...body.json };
    if (!hasFault(json.text, unresolved))
      faults.push(...jsonFaults(draft, text, json, rendered.ranges));
  }
  if (rendered.remark !== undefined && bodyTemplates(body).every(isKnown)) {
    const { message, span } = rendered.remark;
    faults.push(toCheckFault(createFault(draft, span, message), "body", "warning"));
  }
  return faults;
}

/** Finds the faults of the assertions and scripts of a request. */
export function checkAssertions(
  draft: RequestDraft,
  variables: Variables,
  { hasFile }: CheckRequestOptions,
): readonly CheckFault[] {
  const unresolved: Fault[] = [];
  for (const { expected } of draft.assertions ?? []) {
    if (expected !== undefined) renderTemplate(expected, variables, "text", { unresolved });
  }
  const names = unresolved.map((fault) => toCheckFault(fault, "name"));
  return [...names, ...scriptFaults(draft, hasFile)];
}

function scriptFaults(
  { scripts = [] }: RequestDraft,
  hasFile: CheckRequestOptions["hasFile"],
): readonly CheckFault[] {
  return scripts.flatMap((script) => {
    const { from, span } = script;
    if (from.kind === "code" || hasFile === undefined || hasFile(from.path)) return [];
    const message = `The script "${from.path}" does not exist or cannot be read`;
    return [toCheckFault(createFault(script, span, message, PATHS_HINT), "file")];
  });
}

function jsonFaults(
  draft: RequestDraft,
  text: string,
  body: RenderedSource,
  ranges: readonly RenderedRange[],
): readonly CheckFault[] {
  const finding = findInJson(text, ranges);
  if (finding === undefined) return [];
  const start = toSourceOffset(finding.fault.offset, body, ranges);
  const here = { start, end: Math.min(start + 1, draft.source.length) };
  const span = finding.range?.placeholder.span ?? here;
  const fault = createFault(draft, span, explainFinding(text, finding));
  return [toCheckFault(fault, "json", "warning")];
}

/** The template of a rendered text, and where it stands in the source. */
interface RenderedSource {
  readonly text: Template;
  readonly span: Span;
  /** Lines within the span that are not part of the template, in order. */
  readonly omitted?: readonly Span[];
}

/**
 * Converts an offset in a rendered text to one in its source.
 *
 * @param offset An offset outside of the ranges of placeholders.
 * @param rendered The template and its place in the source.
 * @param ranges The rendered range of each placeholder.
 */
function toSourceOffset(
  offset: number,
  { text: { source }, span, omitted = [] }: RenderedSource,
  ranges: readonly RenderedRange[],
): number {
  let from = span.start;
  let until = 0;
  for (const { placeholder, start, end } of ranges) {
    if (start >= offset) break;
    from = placeholder.span.end;
    until = end;
  }
  let rest = offset - until;
  let position = from;
  let next = omitted.findIndex(({ start }) => start >= from);
  for (;;) {
    const skipped = omitted[next];
    if (skipped !== undefined && position === skipped.start) {
      position = skipped.end;
      next++;
      continue;
    }
    if (rest <= 0 || position >= span.end) break;
    // An escape `\{{` is one character longer in the source.
    if (source.startsWith("\\{{", position)) position++;
    position++;
    rest--;
  }
  return Math.min(position, span.end);
}

/** A fault of a request text that was found without sending it. */
export interface CheckFault extends Fault {
  /** The kind of fault. */
  readonly code: CheckCode;
  /** `error` prevents sending; `warning` is a probable mistake. */
  readonly severity: "error" | "warning";
}

/** The kinds of faults. */
export type CheckCode =
  | "syntax"
  | "name"
  | "reference"
  | "url"
  | "header"
  | "header-name"
  | "body"
  | "json"
  | "file"
  | "ignored";

/** Adds a code and a severity to a fault. */
export function toCheckFault(
  fault: Fault,
  code: CheckCode,
  severity: CheckFault["severity"] = "error",
): CheckFault {
  return { ...fault, code, severity };
}
