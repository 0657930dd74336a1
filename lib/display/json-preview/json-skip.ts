const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Walks over the rest of a JSON array or object without reading what is in it. */
export interface JsonSkip {
  /** Commas that were passed between items; those inside of items are not among them. */
  readonly commas: number;
  /**
   * Walks on.
   *
   * @returns Where it stopped: behind the bracket that closes the container, or at the end of the
   *   chunk, where it goes on with the next one.
   */
  walk(chunk: Uint8Array, from: number): { readonly next: number; readonly closed: boolean };
}

/** Begins to walk, inside of the container that is to be left. */
export function createJsonSkip(): JsonSkip {
  let depth = 0;
  let commas = 0;
  let inString = false;
  // Whether a chunk ended behind a backslash, so that the next byte means nothing.
  let escaped = false;

  // Local variables, bare loops, no read beyond the end: this runs over each of a hundred million bytes.
  const walk = (chunk: Uint8Array, from: number): { next: number; closed: boolean } => {
    const end = chunk.length;
    let at = from;
    let level = depth;
    let passed = 0;
    if (inString) at = endOfString(chunk, escaped ? from + 1 : from) + 1;
    for (; at < end; at++) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) at = endOfString(chunk, at + 1);
      else if (byte === COMMA) passed += level === 0 ? 1 : 0;
      else {
        // Brackets and braces differ in one bit.
        const folded = byte & 0xdf;
        if (folded === OPEN) level++;
        else if (folded === CLOSE && --level < 0) break;
      }
    }
    depth = level;
    commas += passed;
    if (level < 0) return { next: at + 1, closed: true };
    // Behind a closed string, and behind all else, it stands at the end; behind an open one further on.
    inString = at > end;
    escaped = at > end + 1;
    return { next: end, closed: false };
  };
  return {
    get commas() {
      return commas;
    },
    walk,
  };
}

/** Where the quote stands that closes a string; the end, or one further behind a backslash, where none does. */
function endOfString(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at] as number;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return at;
}
