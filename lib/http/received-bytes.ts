import { fromByteString } from "../exchange/mod.ts";
import { toByteString } from "./outgoing.ts";

/** What a value is divided into: values of cookies and parameters, entity tags. */
const PART = /[^ \t;,="]+/g;
const MAX_HOSTS = 100;
const MAX_PARTS = 1000;
const MAX_LENGTH = 4096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Sends the parts of header values that are not UTF-8 as they came, for example a cookie or an `ETag` in Latin-1: they
 * are read as Latin-1, and a program has only their text. What one host has sent is sent so to that host alone.
 */
export class ReceivedBytes {
  readonly #parts = new Map<string, Set<string>>();

  /** Notes the parts of a response that are not UTF-8. Its values are byte strings. */
  note(host: string, headers: Iterable<readonly [name: string, value: string]>): void {
    for (const [, value] of headers) {
      if (ASCII.test(value) || fromByteString(value) !== value) continue;
      for (const [part] of value.matchAll(PART)) if (!ASCII.test(part)) this.#add(host, part);
    }
  }

  #add(host: string, part: string): void {
    const known = this.#parts.get(host) ?? new Set();
    if (known.size >= MAX_PARTS || part.length > MAX_LENGTH) return;
    known.add(part);
    if (this.#parts.size < MAX_HOSTS) this.#parts.set(host, known);
  }

  /** Encodes the value of a header in a byte string: parts that came as they are, all else as UTF-8. */
  encode(host: string, value: string): string {
    const parts = this.#parts.get(host);
    if (parts === undefined) return toByteString(value);
    return value.replace(PART, (part) => (parts.has(part) ? part : toByteString(part)));
  }
}
