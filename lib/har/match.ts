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

/** An entry that has masked parts, or a body that is unknown. */
interface MaskedEntry {
  readonly entry: RecordedEntry;
  readonly url: RecordedText;
  readonly body: ComparableBody | undefined;
}

/**
 * Creates a matcher. What repeats is taken from a list of its own: entries without masked parts are found by their
 * method, URL and body, and of the others those are compared that have the path of the request.
 *
 * @param used The entries that were found before; what it finds is added.
 */
export function createMatcher(
  entries: readonly RecordedEntry[],
  used: Set<RecordedEntry> = new Set(),
): Matcher {
  const found = { same: new Lists<RecordedEntry>(), similar: new Lists<RecordedEntry>() };
  const masked = new Lists<MaskedEntry>();
  const places = new Map(entries.map((entry, at) => [entry, at]));
  for (const entry of entries) {
    const { method } = entry;
    const [url, body] = [recordedText(toUrlPattern(entry.url)), recordedBody(entry.body)];
    const [start = ""] = url.exact;
    if (url.exact.length === 1 && body?.text.exact.length === 1) {
      const { text, json = text } = body;
      found.same.add(`${method} ${start} ${json.exact[0]}`, entry);
      // The order of names that differ in each run, such as UUIDs, is that of the text alone.
      for (const loose of new Set([json.loose[0], text.loose[0]])) {
        found.similar.add(`${method} ${url.loose[0]} ${loose}`, entry);
      }
    } else {
      const hasPath = url.exact.length === 1 || start.includes("?");
      masked.add(hasPath ? pathKey(method, start) : method, { entry, url, body });
    }
  }
  return {
    find(request) {
      const method = request.method.toUpperCase();
      const url = wantedText(normalizeUrl(request.url));
      const body = wantedBody(bodyText(request));
      const { text, json = text } = body;
      const loose = [json, text].map((one) => `${method} ${url.loose} ${one.loose}`);
      const lists = {
        same: found.same.unused([`${method} ${url.exact} ${json.exact}`], used),
        similar: found.similar.unused(loose, used),
      };
      const others = { same: [] as RecordedEntry[], similar: [] as RecordedEntry[] };
      for (const key of [pathKey(method, url.exact), method]) {
        for (const one of masked.get(key)) {
          const urls = compare(one.url, url);
          const likeness = urls && worse(urls, compareBody(one.body, body));
          if (likeness !== undefined) others[likeness].push(one.entry);
        }
      }
      const kind = lists.same.length + others.same.length > 0 ? "same" : "similar";
      if (others[kind].length === 0) return takeTurn(lists[kind], used);
      const placeOf = (entry: RecordedEntry): number => places.get(entry) ?? 0;
      const all = [...lists[kind], ...others[kind]].sort((a, b) => placeOf(a) - placeOf(b));
      return takeTurn(all, used);
    },
  };
}

/** Values by a key, in their order. */
export class Lists<T> {
  readonly #lists = new Map<string, T[]>();

  add(key: string, value: T): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [value]);
    else list.push(value);
  }

  get(key: string): readonly T[] {
    return this.#lists.get(key) ?? [];
  }

  /** Those of the first key that has any, without the used ones at the beginning; at least the last one. */
  unused(keys: readonly string[], used: ReadonlySet<T>): readonly T[] {
    const list = keys.map((key) => this.#lists.get(key)).find((one) => one !== undefined) ?? [];
    while (list.length > 1 && used.has(list[0] as T)) list.shift();
    return list;
  }
}

/** The path of a request, to which entries with a masked query or body belong. */
function pathKey(method: string, url: string): string {
  return `${method} ${withoutVarying(url.replace(/\?.*/s, ""))}`;
}

function worse(one: Likeness, other: Likeness | undefined): Likeness | undefined {
  return other === undefined || one === "same" ? other : one;
}

/** A recorded text between its masked parts, and without what differs in each run. */
interface RecordedText {
  readonly exact: Pattern;
  readonly loose: Pattern;
}

/** A text that is looked for, and the same without what differs in each run. */
interface WantedText {
  readonly exact: string;
  readonly loose: string;
}

/** A body as it is written, and as JSON, of which blanks and the order of members do not count. */
interface ComparableBody<Text = RecordedText> {
  readonly text: Text;
  readonly json: Text | undefined;
}

function recordedText(exact: Pattern): RecordedText {
  return { exact, loose: exact.map(withoutVarying) };
}

function wantedText(exact: string): WantedText {
  return { exact, loose: withoutVarying(exact) };
}

function compare({ exact, loose }: RecordedText, text: WantedText): Likeness | undefined {
  if (matches(exact, text.exact)) return "same";
  return matches(loose, text.loose) ? "similar" : undefined;
}

/** `undefined` for a body that is unknown. */
function recordedBody(body: RecordedBody): ComparableBody | undefined {
  if (body.kind === "unknown") return undefined;
  return comparableBody(textOfRecorded(body), (text) => recordedText(toPattern(text)));
}

function wantedBody(text: string): ComparableBody<WantedText> {
  return comparableBody(text, wantedText);
}

function comparableBody<Text>(text: string, read: (text: string) => Text): ComparableBody<Text> {
  const json = canonicalJson(text);
  return { text: read(text), json: json === undefined ? undefined : read(json) };
}

function compareBody(
  recorded: ComparableBody | undefined,
  { text, json }: ComparableBody<WantedText>,
): Likeness | undefined {
  if (recorded === undefined) return "similar";
  const written = compare(recorded.text, text);
  if (written !== undefined || recorded.json === undefined || json === undefined) return written;
  return compare(recorded.json, json);
}

/** The body of a request as text that can be compared. */
export function bodyText({ body, contentType }: WantedRequest): string {
  return comparable(body, contentType);
}

/** Compares the body of a recorded request with the text of another body. */
export function compareBodies(recorded: RecordedBody, text: string): Likeness | undefined {
  return compareBody(recordedBody(recorded), wantedBody(text));
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
  return compare(recordedText(pattern), wantedText(text));
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
