/** Puts the pieces of a body together. */
export interface Gathering {
  /** How many bytes there are. */
  readonly length: number;
  /** Takes the next piece; all of it is kept. */
  push(piece: Uint8Array): void;
  /** All bytes in a buffer of their own; what was gathered is forgotten. */
  take(): Uint8Array;
}

/** Below this a second copy costs nothing that anybody would notice. */
const WORTH_IT = 1_000_000;

/**
 * Begins to put a body together. Where its length is known, each piece goes to its place at once, so
 * that a large body is never there twice; else pieces are kept and joined in the end.
 *
 * @param expect Says how many bytes there will be, where the server has told; it may be wrong.
 * @param most How many bytes are kept at most.
 */
export function gather(expect: () => number | undefined, most: number): Gathering {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let whole: Uint8Array | undefined;

  /** With the second piece: most answers come in one, and a server that only promises costs nothing. */
  const begin = (): void => {
    const expected = expect();
    if (expected === undefined || expected < WORTH_IT || expected > most) return;
    const [first] = pieces;
    if (first === undefined || first.byteLength > expected) return;
    whole = allocate(expected);
    if (whole === undefined) return;
    whole.set(first);
    pieces = [];
  };
  return {
    get length() {
      return length;
    },
    push: (piece) => {
      if (pieces.length === 1 && whole === undefined) begin();
      if (whole !== undefined && length + piece.byteLength > whole.byteLength) {
        pieces = [whole.subarray(0, length)];
        whole = undefined;
      }
      if (whole === undefined) pieces.push(piece);
      else whole.set(piece, length);
      length += piece.byteLength;
    },
    take: () => {
      const bytes = whole?.byteLength === length ? whole : join(whole ? [whole] : pieces, length);
      whole = undefined;
      pieces = [];
      return bytes;
    },
  };
}

function allocate(length: number): Uint8Array | undefined {
  try {
    return new Uint8Array(length);
  } catch {
    // A RangeError: no buffer can be so large, and whether the body is will be seen.
    return undefined;
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1 && only.byteLength === length && ownsItsBuffer(only)) return only;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, length - offset), offset);
    offset += piece.byteLength;
    if (offset >= length) break;
  }
  return bytes;
}

/** A view of a larger buffer would keep all of that buffer alive in the history. */
function ownsItsBuffer(piece: Uint8Array): boolean {
  return piece.byteLength === piece.buffer.byteLength;
}
