const NOTHING = 0;
const QUOTE = 1;
const COMMA = 2;
const OPEN = 3;
const CLOSE = 4;

const BACKSLASH_BYTE = 0x5c;
const QUOTE_BYTE = 0x22;

const KINDS = new Uint8Array(256);
KINDS[QUOTE_BYTE] = QUOTE;
KINDS[0x2c] = COMMA;
for (const open of [0x5b, 0x7b]) KINDS[open] = OPEN;
for (const close of [0x5d, 0x7d]) KINDS[close] = CLOSE;

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

  // Local variables and bare loops: this runs over every byte of a hundred megabytes.
  const walk = (chunk: Uint8Array, from: number): { next: number; closed: boolean } => {
    const end = chunk.length;
    let at = escaped ? from + 1 : from;
    let level = depth;
    let passed = 0;
    let quoted = inString;
    while (at < end) {
      if (quoted) {
        let byte = chunk[at] as number;
        while (byte !== QUOTE_BYTE && at < end) {
          at += byte === BACKSLASH_BYTE ? 2 : 1;
          byte = chunk[at] as number;
        }
        if (at >= end) break;
        at++;
      }
      let kind = NOTHING;
      while (at < end) {
        kind = KINDS[chunk[at++] as number] as number;
        if (kind !== NOTHING) break;
      }
      quoted = kind === QUOTE;
      if (kind === COMMA) {
        if (level === 0) passed++;
      } else if (kind === OPEN) level++;
      else if (kind === CLOSE && --level < 0) break;
    }
    escaped = at > end;
    inString = quoted;
    depth = level;
    commas += passed;
    return { next: Math.min(at, end), closed: level < 0 };
  };
  return {
    get commas() {
      return commas;
    },
    walk,
  };
}
