const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Skips the rest of a JSON array or object. */
export interface JsonSkip {
  /** The number of commas between items so far; those inside of items do not count. */
  readonly commas: number;
  /**
   * Skips a chunk.
   *
   * @returns Where it stopped: after the bracket that closes the container, or at the end of the chunk.
   */
  walk(chunk: Uint8Array, from: number): { readonly next: number; readonly closed: boolean };
}

/** Begins to skip, inside of the container. */
export function createJsonSkip(): JsonSkip {
  let depth = 0;
  let commas = 0;
  let inString = false;
  // Whether a chunk ended with a backslash, which escapes the next byte.
  let escaped = false;

  // Local variables, bare loops, no read beyond the end: this runs for each of a hundred million bytes.
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
    // After an open string, the index is beyond the end; otherwise it is the end.
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

/** The index of the quote that closes a string; otherwise the end, or one more after a backslash. */
function endOfString(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at] as number;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return at;
}
