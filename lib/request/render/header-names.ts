import { nearNames } from "../../interpolation/mod.ts";

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
export function nearHeader(name: string): string | undefined {
  if (name.length < MIN_LENGTH || KNOWN.has(name.toLowerCase())) return undefined;
  return nearNames(name, SUGGESTED, 1, name.length < 9 ? 1 : 2)[0];
}
