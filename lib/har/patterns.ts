/**
 * The replacement of a secret in a recording: `•••`, or the placeholder that it came from. In quotes it may stand for a
 * number of JSON.
 */
const MASKED = /"(?:•••|\{\{[^{}\n]{1,200}\}\})"|•••|\{\{[^{}\n]{1,200}\}\}/;
/** A text that no URL and no body contains by chance, and that the URL parser does not change. */
const PART = "restlab-masked-part";

/** Texts that differ in each run: UUIDs, dates and times, UNIX timestamps. */
const VARYING = new RegExp(
  [
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    String.raw`\d{4}-\d\d-\d\d(?:(?:T|t|%20|\+| )\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(?:Z|(?:[+-]|%2B)\d\d(?::|%3A)?\d\d)?)?`,
    String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT`,
    String.raw`(?<!\d)[12]\d{9}(?:\d{3})?(?!\d)`,
  ].join("|"),
  "gi",
);

/** The port of a server on this machine may be a free one, which differs in each run. */
const LOCAL_PORT = /^((?:http|ws)s?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/i;

/** The texts between the masked parts of a recorded text. */
export type Pattern = readonly string[];

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
export function normalizeUrl(url: string): string {
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

/** A URL without what differs in each run. */
export function comparableUrl(url: string): string {
  return withoutVarying(normalizeUrl(url));
}

/** Returns whether a comparable URL is that of the same request, with anything in place of the masked parts. */
export function createUrlMatcher(url: string): (comparable: string) => boolean {
  const pattern = toUrlPattern(url).map(withoutVarying);
  return (comparable) => matches(pattern, comparable);
}
