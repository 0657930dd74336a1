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
import type { BodyDraft, HeaderDraft, RequestDraft } from "./draft.ts";
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

/** What a request is rendered and checked with. */
export interface Rendering {
  readonly variables: Variables;
  /** Whether a template has no placeholder whose value is not known yet. */
  readonly isFixed: (template: Template) => boolean;
  readonly hasFile: ((path: string) => boolean) | undefined;
}

/** Renders a request, and finds all its faults. */
export function checkRequest(
  given: RequestDraft,
  { variables, isFixed, hasFile }: Rendering,
): { readonly faults: readonly CheckFault[]; readonly parts: RenderedParts } {
  const draft = withoutComments(given, isFixed);
  const unresolved: Fault[] = [];
  const parts = renderParts(draft, variables, { unresolved });
  const starts = new Set(unresolved.map(({ span }) => span.start));
  const isResolved = ({ parts: all }: Template): boolean =>
    !all.some((part) => typeof part !== "string" && starts.has(part.span.start));
  const isKnown = (template: Template): boolean => isFixed(template) && isResolved(template);
  const faults = unresolved.map((fault) => toCheckFault(fault, "name"));
  const add: AddFault = (code, span, message, hint, severity) =>
    void faults.push(toCheckFault(createFault(draft, span, message, hint), code, severity));
  for (const fault of headerFaults(draft, parts.headers)) {
    const isOfKnown = ({ span, value }: HeaderDraft): boolean =>
      span === fault.span && isKnown(value);
    if (draft.headers.some(isOfKnown)) faults.push(toCheckFault(fault, "header"));
  }
  addRepeatedHeaders(draft, parts, add);
  for (const { code, message, hint, span } of parts.remarks)
    add(code, span, message, hint, "warning");
  const isUrlKnown =
    isKnown(draft.url) && draft.headers.every(({ name, value }) => !isHost(name) || isKnown(value));
  const fault = isUrlKnown
    ? urlFault(draft, parts, variables)
    : schemeFault(draft, beginningOf(draft.url), false);
  if (fault !== undefined) faults.push(toCheckFault(fault, "url"));
  const { body, headers, saveTo } = draft;
  if (parts.saveFault !== undefined && saveTo !== undefined && isKnown(saveTo.path)) {
    faults.push(toCheckFault(parts.saveFault, "file"));
  }
  if (body !== undefined) {
    addBodyFaults(draft, body, parts, { hasFile, isKnown, isResolved }, add);
  } else if (headers.every(({ value }) => isKnown(value))) addBodyRemark(parts, add);
  return { faults, parts };
}

type AddFault = (
  code: CheckCode,
  span: Span,
  message: string,
  hint?: string,
  severity?: CheckFault["severity"],
) => void;

/** While its type is not known, the comments of a body may contain anything. */
function withoutComments(draft: RequestDraft, isFixed: Rendering["isFixed"]): RequestDraft {
  const { body, headers } = draft;
  if (body?.kind !== "text" || body.json === undefined) return draft;
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type");
  if (type === undefined || isFixed(type.value)) return draft;
  return { ...draft, body: { ...body, ...body.json } };
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

function addRepeatedHeaders(draft: RequestDraft, { headers }: RenderedParts, add: AddFault): void {
  const seen = new Map<string, Set<string>>();
  for (const [index, { span }] of draft.headers.entries()) {
    const [name, value] = headers[index] ?? ["", ""];
    const lower = name.toLowerCase();
    const before = seen.get(lower);
    if (before === undefined) {
      seen.set(lower, new Set([value]));
      continue;
    }
    const isSingle = SINGLE.has(lower);
    const hint = isSingle ? "A request may have it only once" : "Remove one of the two equal lines";
    if (isSingle || before.has(value))
      add("header", span, `The header "${name}" is written twice`, hint, "warning");
    before.add(value);
  }
}

function urlFault(
  draft: RequestDraft,
  { target, headers }: RenderedParts,
  variables: Variables,
): Fault | undefined {
  const broken = schemeFault(draft, target, true);
  if (broken !== undefined) return broken;
  const completed = completeTarget(draft, target, headers, variables);
  if (typeof completed !== "string") return completed;
  if (URL.canParse(completed)) return undefined;
  const message = `The URL is not valid: "${shorten(target)}"`;
  return createFault(draft, draft.urlSpan, message, "Check its host and port");
}

/** The text before the first placeholder. */
function beginningOf({ parts: [first] }: Template): string {
  return typeof first === "string" ? first : "";
}

/** What is known about the values of templates. */
interface Knowledge extends Pick<Rendering, "hasFile"> {
  readonly isKnown: (template: Template) => boolean;
  readonly isResolved: (template: Template) => boolean;
}

function addBodyFaults(
  draft: RequestDraft,
  body: BodyDraft,
  { rendered }: RenderedParts,
  { hasFile, isKnown, isResolved }: Knowledge,
  add: AddFault,
): void {
  const isAllKnown = bodyTemplates(body).every(isKnown);
  const { body: text, ranges } = rendered;
  if (typeof text === "object") {
    const files =
      "pieces" in text ? text.pieces.filter((piece) => typeof piece === "object") : [text];
    for (const { path, encoding } of files) {
      if (encoding !== undefined && encodingLabel(encoding) === undefined) {
        const message = `The encoding "${encoding}" of the file "${path}" is not supported`;
        add("file", body.span, message);
      }
      if (!isAllKnown || hasFile === undefined || hasFile(path)) continue;
      const message = `The body file "${path}" does not exist or cannot be read`;
      add("file", body.span, message, PATHS_HINT);
    }
  }
  if (typeof text === "string" && ranges !== undefined && body.kind === "text") {
    const json = { ...body, ...body.json };
    const finding = isResolved(json.text) ? findInJson(text, ranges) : undefined;
    if (finding !== undefined) {
      const start = toSourceOffset(finding.fault.offset, json, ranges);
      const here = { start, end: Math.min(start + 1, draft.source.length) };
      const span = finding.range?.placeholder.span ?? here;
      add("json", span, explainFinding(text, finding), undefined, "warning");
    }
  }
  if (isAllKnown) addBodyRemark({ rendered }, add);
}

function addBodyRemark(
  { rendered: { remark } }: Pick<RenderedParts, "rendered">,
  add: AddFault,
): void {
  if (remark !== undefined) add("body", remark.span, remark.message, undefined, "warning");
}

/** Finds the faults of the assertions and scripts of a request. */
export function checkAssertions(
  { assertions = [], scripts = [] }: RequestDraft,
  variables: Variables,
  hasFile: Rendering["hasFile"],
): readonly CheckFault[] {
  const unresolved: Fault[] = [];
  for (const { expected } of assertions) {
    if (expected !== undefined) renderTemplate(expected, variables, "text", { unresolved });
  }
  const missing = scripts.flatMap((script) => {
    const { from, span } = script;
    if (from.kind === "code" || hasFile === undefined || hasFile(from.path)) return [];
    const message = `The script "${from.path}" does not exist or cannot be read`;
    return [toCheckFault(createFault(script, span, message, PATHS_HINT), "file")];
  });
  return [...unresolved.map((fault) => toCheckFault(fault, "name")), ...missing];
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
