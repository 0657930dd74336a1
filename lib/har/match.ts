import { fromBase64, toBinary, toStrictText } from "../exchange/mod.ts";
import { parseJson, toCanonicalJson } from "../json/mod.ts";
import { beginsAsJson } from "../request/mod.ts";
import { HIDDEN } from "../secrets/mod.ts";
import type { RecordedBody, RecordedEntry } from "./read-har.ts";

/** A request that is looked for in a recording. */
export interface WantedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  /** The value of `Content-Encoding`. */
  readonly contentEncoding: string;
}

/** How well a recorded request matches: except for masked parts, or except for what differs in each run. */
type Likeness = "same" | "similar";

/** Finds the entries of requests. */
interface Matcher {
  /** The entry of a request, in the order of recording; the last one again after all of them. */
  find(request: WantedRequest): RecordedEntry | undefined;
}

/**
 * The next one of those that answer the same request: each in its turn, and the last one again after all of them.
 *
 * @param used Those that have answered; the next one is added.
 */
export function takeTurn<T>(candidates: readonly T[], used: Set<T>): T | undefined {
  const next = candidates.find((one) => !used.has(one)) ?? candidates.at(-1);
  if (next !== undefined) used.add(next);
  return next;
}

/**
 * Creates a matcher.
 *
 * @param used The entries that were found before; what it finds is added.
 */
export function createMatcher(
  entries: readonly RecordedEntry[],
  used: Set<RecordedEntry> = new Set(),
): Matcher {
  const patterns = entries.map((entry) => [entry, toUrlPattern(entry.url)] as const);
  return {
    find(request) {
      const text = bodyText(request);
      const found = { same: [] as RecordedEntry[], similar: [] as RecordedEntry[] };
      const url = normalizeUrl(request.url);
      for (const [entry, pattern] of patterns) {
        if (entry.method !== request.method.toUpperCase()) continue;
        const urls = compareTexts(pattern, url);
        const likeness = urls && worse(urls, compareBodies(entry.body, text));
        if (likeness !== undefined) found[likeness].push(entry);
      }
      return takeTurn(found.same.length > 0 ? found.same : found.similar, used);
    },
  };
}

function worse(one: Likeness, other: Likeness | undefined): Likeness | undefined {
  return other === undefined || one === "same" ? other : one;
}

/** The body of a request as text that can be compared. */
export function bodyText({ body, contentType }: WantedRequest): string {
  return comparable(body, contentType);
}

/** Compares the body of a recorded request with the text of another body. */
export function compareBodies(recorded: RecordedBody, text: string): Likeness | undefined {
  if (recorded.kind === "none") return text === "" ? "same" : undefined;
  if (recorded.kind === "unknown") return "similar";
  const own = textOfRecorded(recorded);
  const written = compareTexts(toPattern(own), text);
  if (written !== undefined) return written;
  const [one, other] = [own, text].map(canonicalJson);
  return one === undefined || other === undefined ? undefined : compareTexts(toPattern(one), other);
}

/** The body of a recorded request as text that can be compared. */
export function textOfRecorded(recorded: RecordedBody): string {
  if (recorded.kind === "none" || recorded.kind === "unknown") return "";
  const { kind, text, contentType } = recorded;
  if (kind === "base64") return comparable(fromBase64(text), contentType);
  return withoutBoundary(text, contentType);
}

/** A body as text that can be compared. */
function comparable(body: Uint8Array, contentType: string): string {
  return withoutBoundary(toStrictText(body) ?? toBinary(body), contentType);
}

/** The boundary of a multipart body is a generated one. */
function withoutBoundary(text: string, contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? text : text.replaceAll(boundary, "boundary");
}

/** Compares a recorded text with another one. */
export function compareTexts(pattern: Pattern, text: string): Likeness | undefined {
  if (matches(pattern, text)) return "same";
  return matches(pattern.map(withoutVarying), withoutVarying(text)) ? "similar" : undefined;
}

/** JSON that can be compared as text; `undefined` for other texts. */
function canonicalJson(text: string): string | undefined {
  if (!beginsAsJson(text)) return undefined;
  try {
    return toCanonicalJson(parseJson(text));
  } catch {
    // Not JSON, or nested too deeply: the texts themselves were compared.
    return undefined;
  }
}

/**
 * The replacement of a secret in a recording: `•••`, or the placeholder that it came from. In quotes it may stand for a
 * number of JSON.
 */
const MASK = String.raw`(?:${HIDDEN}|\{\{[^{}\n]{1,200}\}\})`;
const MASKED = new RegExp(`"${MASK}"|${MASK}`);
/** A text that no URL and no body contains by chance, and that the URL parser does not change. */
const PART = "restlab-masked-part";

/** Texts that differ in each run: UUIDs, dates and times, UNIX timestamps. */
const VARYING = new RegExp(
  [
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    String.raw`\d{4}-\d\d-\d\d(?:(?:T|t|%20|\+| )\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(?:Z|(?:[+-]|%2B)\d\d(?::|%3A)?\d\d)?)?`,
    String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT`,
    // The digits after a point are those of a number.
    String.raw`(?<!\d|\d\.)[12]\d{9}(?:\d{3})?(?!\d)`,
  ].join("|"),
  "gi",
);

/** The port of a server on this machine may be a free one, which differs in each run. */
const LOCAL_PORT = /^((?:http|ws)s?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/i;

/** The texts between the masked parts of a recorded text. */
type Pattern = readonly string[];

/** The pattern of a recorded text. */
export function toPattern(text: string): Pattern {
  return text.split(MASKED);
}

/** The pattern of a recorded URL, normalized like that of a request. */
export function toUrlPattern(url: string): Pattern {
  const normalized = normalizeUrl(url.split(MASKED).join(PART));
  return normalized.split(PART);
}

/** A URL as requests have it, without its fragment; as it is if it is invalid. */
function normalizeUrl(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.hash = "";
    return parsed.href;
  } catch {
    return url;
  }
}

/** Whether a text is that of a pattern, with anything in place of its masked parts. */
export function matches(pattern: Pattern, text: string): boolean {
  const [first = "", ...others] = pattern;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= text.length;
}

/** Replaces what differs in each run by the same text. */
export function withoutVarying(text: string): string {
  return text.replace(LOCAL_PORT, "$1").replace(VARYING, "\0");
}

/** Whether secrets were replaced in a text, so that it differs from the real value. */
export function isMaskedText(text: string): boolean {
  return MASKED.test(text);
}

/** A recorded URL, normalized like that of a request, with its masked parts. */
export function maskedUrl(url: string): string {
  return toUrlPattern(url).join(HIDDEN);
}

/** A URL without what differs in each run. */
export function comparableUrl(url: string): string {
  return withoutVarying(normalizeUrl(url));
}

/** Returns whether a comparable URL is that of the same request, with anything in place of the masked parts. */
export function createUrlMatcher(url: string): (comparable: string) => boolean {
  const pattern = toUrlPattern(url).map(withoutVarying);
  return (comparable) => matches(pattern, comparable);
}
