import { fromBase64, toBinary, toStrictText } from "../exchange/mod.ts";
import { beginsAsJson } from "../request/mod.ts";
import {
  matches,
  normalizeUrl,
  type Pattern,
  toPattern,
  toUrlPattern,
  withoutVarying,
} from "./patterns.ts";
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
export interface Matcher {
  /** The entry of a request, in the order of recording; the last one again after all of them. */
  find(request: WantedRequest): RecordedEntry | undefined;
}

/** Creates a matcher that has found nothing yet. */
export function createMatcher(entries: readonly RecordedEntry[]): Matcher {
  const used = new Set<RecordedEntry>();
  const patterns = entries.map((entry) => [entry, toUrlPattern(entry.url)] as const);
  return {
    find(request) {
      const text = comparable(request.body, request.contentType);
      const found = { same: [] as RecordedEntry[], similar: [] as RecordedEntry[] };
      const url = normalizeUrl(request.url);
      for (const [entry, pattern] of patterns) {
        if (entry.method !== request.method.toUpperCase()) continue;
        const urls = compareTexts(pattern, url);
        const likeness = urls && worse(urls, compareBodies(entry.body, text));
        if (likeness !== undefined) found[likeness].push(entry);
      }
      const candidates = found.same.length > 0 ? found.same : found.similar;
      const entry = candidates.find((one) => !used.has(one)) ?? candidates.at(-1);
      if (entry !== undefined) used.add(entry);
      return entry;
    },
  };
}

function worse(one: Likeness, other: Likeness | undefined): Likeness | undefined {
  return other === undefined || one === "same" ? other : one;
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
export function comparable(body: Uint8Array, contentType: string): string {
  return withoutBoundary(toStrictText(body) ?? toBinary(body), contentType);
}

/** The boundary of a multipart body is a generated one. */
function withoutBoundary(text: string, contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? text : text.replaceAll(boundary, "boundary");
}

function compareTexts(pattern: Pattern, text: string): Likeness | undefined {
  if (matches(pattern, text)) return "same";
  return matches(pattern.map(withoutVarying), withoutVarying(text)) ? "similar" : undefined;
}

/** JSON without its white space and with sorted names; `undefined` for other texts. */
function canonicalJson(text: string): string | undefined {
  if (!beginsAsJson(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  } catch {
    // Not JSON, or nested too deeply: the texts themselves were compared.
    return undefined;
  }
}
