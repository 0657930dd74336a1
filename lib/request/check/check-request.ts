import {
  createFault,
  type Fault,
  type RenderedRange,
  type Span,
  type Template,
  type Variables,
} from "../../interpolation/mod.ts";
import type { RequestDraft } from "../draft/mod.ts";
import { bodyTemplates, shorten } from "../draft/mod.ts";
import {
  completeTarget,
  explainFinding,
  findInJson,
  headerFaults,
  ignoredLines,
  type RenderedParts,
  renderParts,
  schemeFault,
} from "../render/mod.ts";
import { type CheckFault, toCheckFault } from "./check-fault.ts";
import { toSourceOffset } from "./source-offset.ts";

interface CheckRequestOptions {
  /** Whether a template has no placeholder whose value is not known yet. */
  readonly isFixed: (template: Template) => boolean;
  readonly hasFile: ((path: string) => boolean) | undefined;
}

/** Finds all faults of a request. */
export function checkRequest(
  draft: RequestDraft,
  variables: Variables,
  options: CheckRequestOptions,
): readonly CheckFault[] {
  const unresolved: Fault[] = [];
  const parts = renderParts(draft, variables, { unresolved });
  const isKnown = (template: Template): boolean =>
    options.isFixed(template) && !hasFault(template, unresolved);
  return [
    ...unresolved.map((fault) => toCheckFault(fault, "name")),
    ...headerFaults(draft, parts.headers).map((fault) => toCheckFault(fault, "header")),
    ...repeatedHeaders(draft, parts),
    ...ignoredLines(draft).map(({ message, span }) =>
      toCheckFault(createFault(draft.source, span, message), "ignored", "warning"),
    ),
    ...(isKnown(draft.url)
      ? urlFaults(draft, parts, variables)
      : schemeFaults(draft, beginningOf(draft.url))),
    ...bodyFaults(draft, parts, options.hasFile, isKnown, unresolved),
  ];
}

function hasFault({ parts }: Template, faults: readonly Fault[]): boolean {
  const starts = new Set(faults.map(({ span }) => span.start));
  return parts.some((part) => typeof part !== "string" && starts.has(part.span.start));
}

/** Fields that may occur only once (RFC 9110, 5.3). */
const SINGLE: ReadonlySet<string> = new Set(
  "authorization content-encoding content-length content-location content-type date expect from host if-modified-since if-range if-unmodified-since max-forwards origin proxy-authorization range referer user-agent".split(
    " ",
  ),
);

function repeatedHeaders(draft: RequestDraft, { headers }: RenderedParts): readonly CheckFault[] {
  const seen = new Map<string, Set<string>>();
  return draft.headers.flatMap(({ name, span }, index) => {
    const lower = name.toLowerCase();
    const value = headers[index]?.[1] ?? "";
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
    return [toCheckFault(createFault(draft.source, span, message, hint), "header", "warning")];
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
  return !URL.canParse(completed)
    ? urlFault(draft, "The URL is not valid", target, "Check its host and port")
    : [];
}

/** The faults that the beginning of a target shows, even without its values. */
function schemeFaults(draft: RequestDraft, text: string, isWhole = false): readonly CheckFault[] {
  const fault = schemeFault(draft, text, isWhole);
  return fault === undefined ? [] : [toCheckFault(fault, "url")];
}

/** The text before the first placeholder. */
function beginningOf({ parts: [first] }: Template): string {
  return typeof first === "string" ? first : "";
}

function urlFault(
  { source, urlSpan }: RequestDraft,
  message: string,
  text: string,
  hint: string,
): readonly CheckFault[] {
  return [
    toCheckFault(createFault(source, urlSpan, `${message}: "${shorten(text)}"`, hint), "url"),
  ];
}

function bodyFaults(
  draft: RequestDraft,
  { rendered }: RenderedParts,
  hasFile: CheckRequestOptions["hasFile"],
  isKnown: (template: Template) => boolean,
  unresolved: readonly Fault[],
): readonly CheckFault[] {
  const { source, body, method } = draft;
  if (body === undefined) return [];
  const faults: CheckFault[] = [];
  if (method === "GET" || method === "HEAD") {
    const message = `The ${method} request has a body, which fetch rejects`;
    const hint = "Use POST or QUERY, or move the values to the query of the URL";
    faults.push(
      toCheckFault(createFault(source, firstLine(source, body.span), message, hint), "body"),
    );
  }
  const text = rendered.body;
  if (typeof text === "object" && hasFile !== undefined) {
    const files =
      "pieces" in text ? text.pieces.filter((piece) => typeof piece === "object") : [text];
    for (const { path } of bodyTemplates(body).every(isKnown) ? files : []) {
      if (hasFile(path)) continue;
      const message = `The body file "${path}" does not exist or cannot be read`;
      const fault = createFault(
        source,
        body.span,
        message,
        "Paths are relative to the folder of the file",
      );
      faults.push(toCheckFault(fault, "file"));
    }
  }
  if (typeof text === "string" && rendered.ranges !== undefined && body.kind === "text") {
    if (!hasFault(body.text, unresolved))
      faults.push(...jsonFaults(source, text, body, rendered.ranges));
  }
  return faults;
}

function jsonFaults(
  source: string,
  text: string,
  body: { readonly text: Template; readonly span: Span },
  ranges: readonly RenderedRange[],
): readonly CheckFault[] {
  const finding = findInJson(text, ranges);
  if (finding === undefined) return [];
  const start = toSourceOffset(finding.fault.offset, body, ranges);
  const here = { start, end: Math.min(start + 1, source.length) };
  const span = finding.range?.placeholder.span ?? here;
  const fault = createFault(source, span, explainFinding(text, finding));
  return [toCheckFault(fault, "json", "warning")];
}

function firstLine(source: string, { start, end }: Span): Span {
  const length = source.slice(start, end).search(/[\r\n]/);
  return { start, end: length === -1 ? end : start + length };
}
