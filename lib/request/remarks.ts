import { firstLineSpan, nearNames, type RenderedRange, shorten } from "../interpolation/mod.ts";
import { annotationWarning } from "./annotations.ts";
import { charsetOf, encodeText } from "./charset.ts";
import type { HeaderDraft, Remark, RequestDraft } from "./draft.ts";
import type { RenderedRequest } from "./render.ts";
import { bodyTemplates } from "./templates.ts";

/** What the target, the headers and the body of a request have become. */
interface Rendered {
  readonly target: string;
  /** The range of each value in the target. */
  readonly inUrl: readonly RenderedRange[];
  readonly headers: RenderedRequest["headers"];
  readonly body: RenderedRequest["body"];
  readonly contentType: string | undefined;
}

/**
 * The remarks on annotations and scripts without an effect, on header names that are probably misspelt, on lines that are
 * doubtful, and on what is not sent as it is written. Those on the body come from what renders it.
 */
export function remarksOn(draft: RequestDraft, rendered: Rendered): readonly Remark[] {
  const { annotations, headers, skipped = [], remarks = [] } = draft;
  const scripts = skipped.map(({ span, source, reason }): Remark => {
    if (reason !== undefined) return { code: "ignored", ...reason, span };
    const { start, end } = firstLineSpan(source, span);
    const first = shorten(source.slice(start, end));
    const hint = "Scripts are run only in a cell, a file or a prompt entry";
    return { code: "ignored", level: "info", message: `Not run: "${first}"`, hint, span };
  });
  const others = annotations.flatMap((annotation): readonly Remark[] => {
    const message = annotationWarning(annotation, draft);
    const { span } = annotation;
    return message === undefined ? [] : [{ code: "ignored", message, span }];
  });
  return [
    ...others,
    ...headers.flatMap(remarkOnName),
    ...remarks,
    ...scripts,
    ...(rendered.target.includes("#") ? remarksOnUrl(draft, rendered) : []),
    ...(headers.length === 0 ? [] : remarksOnHeaders(draft, rendered)),
  ];
}

function remarkOnName({ name, span }: HeaderDraft): readonly Remark[] {
  const near = nearHeader(name);
  if (near === undefined) return [];
  const message = `The header name "${name}" is probably misspelt`;
  const place = { start: span.start, end: span.start + name.length };
  return [{ code: "header-name", message, hint: `Did you mean "${near}"?`, span: place }];
}

/** Fields that may occur only once (RFC 9110, 5.3). */
const SINGLE: ReadonlySet<string> = new Set(
  "authorization content-encoding content-length content-location content-type date expect from host if-modified-since if-range if-unmodified-since max-forwards origin proxy-authorization range referer user-agent".split(
    " ",
  ),
);

/** The remarks on headers that are written twice, and on those that are not sent as they are written. */
function remarksOnHeaders(
  draft: RequestDraft,
  { headers, body, contentType }: Rendered,
): readonly Remark[] {
  const remarks: Remark[] = [];
  const seen = new Map<string, Set<string>>();
  for (const [index, { span, value: template }] of draft.headers.entries()) {
    const [name, value] = headers[index] ?? ["", ""];
    const lower = name.toLowerCase();
    const reason = unsentReason(name, value, () => lengthOf(body, contentType));
    if (reason !== "" && reason !== undefined) {
      const below = lower === "content-length" ? draft.body : undefined;
      const of = [template, ...(below === undefined ? [] : bodyTemplates(below))];
      remarks.push({ code: "header", message: unsentMessage(name, value, reason), span, of });
    }
    const user =
      lower === "authorization" ? DIVIDED.exec(String(template.parts[0]))?.[1] : undefined;
    if (user !== undefined) {
      const message = `The user name is "${user}", up to the first blank`;
      const hint = "Write a name with a blank as a variable, as in Basic {{name}}:password";
      remarks.push({ code: "header", message, hint, span });
    }
    const before = seen.get(lower);
    if (before === undefined) {
      seen.set(lower, new Set([value]));
      continue;
    }
    const isSingle = SINGLE.has(lower);
    const hint = isSingle ? "A request may have it only once" : "Remove one of the two equal lines";
    const message = `The header "${name}" is written twice`;
    if (isSingle || before.has(value)) remarks.push({ code: "header", message, hint, span });
    before.add(value);
  }
  return remarks;
}

/** Credentials whose name may have been meant to go on up to the colon. */
const DIVIDED = /^basic[ \t]+([^\s:]+)[ \t]+[^\s:]+:/i;

/** The length of a body in bytes; `undefined` for one with files, which are not read yet. */
function lengthOf(
  body: RenderedRequest["body"],
  contentType: string | undefined,
): number | undefined {
  if (body === undefined) return 0;
  if (typeof body !== "string") return undefined;
  const encoded = encodeText(body, charsetOf(contentType));
  return "bytes" in encoded ? encoded.bytes.byteLength : undefined;
}

const MANAGED = "the connection is managed by the runtime";

/** Headers of the connection (RFC 9110, 7.6.1), which fetch controls, and what they may say all the same. */
const OF_CONNECTION: ReadonlyMap<string, string> = new Map([
  ["connection", "keep-alive"],
  ["keep-alive", ""],
  ["transfer-encoding", ""],
  ["upgrade", ""],
  ["expect", ""],
]);

/**
 * Why a header is not sent as it is written.
 *
 * @param lengthOfBody Returns the length of the body in bytes, if it is known.
 * @param host That of the URL, if the fetch sends no other one.
 * @returns An empty text if nothing is lost without it; `undefined` if it is sent.
 */
export function unsentReason(
  name: string,
  value: string,
  lengthOfBody: () => number | undefined,
  host?: string,
): string | undefined {
  const lower = name.toLowerCase();
  if (lower === "host" && host !== undefined) {
    return value.toLowerCase() === host ? "" : `this fetch sends the host of the URL, "${host}"`;
  }
  if (lower === "content-length") {
    const length = lengthOfBody();
    return length === undefined || value === String(length) ? "" : `the body has ${length} bytes`;
  }
  if (lower === "trailer") return "requests are sent without trailers";
  const allowed = OF_CONNECTION.get(lower);
  if (allowed === undefined) return undefined;
  return value.toLowerCase() === allowed ? "" : MANAGED;
}

/** The warning about a header that is not sent. */
export function unsentMessage(name: string, value: string, reason: string): string {
  return `The header "${name}: ${value}" is not sent: ${reason}`;
}

/**
 * The remarks on a URL that is not sent as it is written: from `#` on it is a fragment (RFC 3986, 3.5), which stays with
 * the client.
 */
function remarksOnUrl(
  { url, urlSpan, source }: RequestDraft,
  { target, inUrl }: Rendered,
): readonly Remark[] {
  const remark = { code: "url", span: urlSpan, of: [url] } as const;
  const at = target.indexOf("#");
  const unsent = `"${shorten(target.slice(at), 40)}" is a fragment of the URL, which is not sent`;
  const value = inUrl.find(({ start, end }) => start <= at && at < end)?.placeholder;
  if (value !== undefined) {
    const written = source.slice(value.span.start, value.span.end);
    const message = `The value of ${written} contains "#": ${unsent}`;
    const hint = `Write {{%${value.text}}} to percent-encode the value`;
    return [{ ...remark, span: value.span, message, hint }];
  }
  if (!/[?&=]/.test(target.slice(at))) return [];
  return [{ ...remark, message: unsent, hint: "Write %23 to send a #" }];
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

/**
 * The header that a name is probably a misspelling of.
 *
 * @returns Nothing for a known name, and for one that is not similar to any.
 * @example `Authorizaton` and `Content_Type` are similar to a known name; `X-Content-Type` is not
 */
function nearHeader(name: string): string | undefined {
  // Short names are similar to one by chance, and those with X- are of an application.
  if (name.length < 5 || /^x-/i.test(name) || KNOWN.has(name.toLowerCase())) return undefined;
  return nearNames(name, SUGGESTED, 1, name.length < 9 ? 1 : 2)[0];
}
