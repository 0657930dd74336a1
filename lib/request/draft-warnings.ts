import { firstLineSpan, nearNames, type Span, shorten } from "../interpolation/mod.ts";
import { annotationWarning } from "./annotations.ts";
import type { HeaderDraft, Remark, RequestDraft } from "./draft.ts";

/** A remark on a line of a request; a warning if it is probably a mistake. */
export interface DraftWarning {
  readonly code: "ignored" | "header-name" | Remark["code"];
  readonly level: "warning" | "info";
  readonly message: string;
  readonly hint?: string;
  readonly span: Span;
}

/**
 * The remarks on annotations and scripts without an effect, on header names that are probably misspelt, and on
 * lines that are doubtful.
 */
export function draftWarnings(draft: RequestDraft): readonly DraftWarning[] {
  const { annotations, headers, skipped = [], remarks = [] } = draft;
  const scripts = skipped.map(({ span, source, reason }): DraftWarning => {
    if (reason !== undefined) return { code: "ignored", level: "warning", ...reason, span };
    const { start, end } = firstLineSpan(source, span);
    const first = shorten(source.slice(start, end));
    const hint = "Scripts are run only in a cell, a file or a prompt entry";
    return { code: "ignored", level: "info", message: `Not run: "${first}"`, hint, span };
  });
  const others = annotations.flatMap((annotation): readonly DraftWarning[] => {
    const message = annotationWarning(annotation, draft);
    const { span } = annotation;
    return message === undefined ? [] : [{ code: "ignored", level: "warning", message, span }];
  });
  const doubtful = remarks.map((one): DraftWarning => ({ ...one, level: "warning" }));
  return [...others, ...headers.flatMap(headerNameWarning), ...doubtful, ...scripts];
}

function headerNameWarning({ name, span }: HeaderDraft): readonly DraftWarning[] {
  const near = nearHeader(name);
  if (near === undefined) return [];
  const message = `The header name "${name}" is probably misspelt`;
  const place = { start: span.start, end: span.start + name.length };
  return [
    {
      code: "header-name",
      level: "warning",
      message,
      hint: `Did you mean "${near}"?`,
      span: place,
    },
  ];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Headers of requests that are suggested for a similar name. */
const SUGGESTED = words(`
  Accept Accept-Charset Accept-Encoding Accept-Language Authorization Cache-Control Connection
  Content-Disposition Content-Encoding Content-Language Content-Length Content-Type Cookie Forwarded
  Idempotency-Key If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Last-Event-ID Origin
  Prefer Proxy-Authorization Range Referer Transfer-Encoding User-Agent`);

/** Names that are similar to those and mean something else. */
const OTHERS = words(`
  Accept-CH Accept-Patch Accept-Post Accept-Ranges Accepted Authentication Client-ID Content-Base Content-DPR
  Content-Digest Content-ID Content-Location Content-MD5 Content-Range Content-Version Cookie2 Origins Preferred
  Ranger Referrer-Policy Ranges`);

const KNOWN: ReadonlySet<string> = new Set(
  [...SUGGESTED, ...OTHERS].map((name) => name.toLowerCase()),
);

/** Shorter names are similar to one by chance. */
const MIN_LENGTH = 5;

/**
 * The header that a name is probably a misspelling of.
 *
 * @returns Nothing for a known name, and for one that is not similar to any.
 * @example `Authorizaton` and `Content_Type` are similar to a known name; `X-Content-Type` is not
 */
function nearHeader(name: string): string | undefined {
  if (name.length < MIN_LENGTH || KNOWN.has(name.toLowerCase())) return undefined;
  return nearNames(name, SUGGESTED, 1, name.length < 9 ? 1 : 2)[0];
}
