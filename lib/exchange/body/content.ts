/** The bytes of a body, in chunks until they are needed in one array. */
export interface Content {
  /** The number of bytes. */
  readonly length: number;
  /** The bytes in order. */
  readonly pieces: readonly Uint8Array[];
  /** The first `count` bytes, or all of them. */
  head(count: number): Uint8Array;
  /** All bytes in one array; it replaces the chunks, so that no body is kept twice. */
  whole(): Uint8Array;
}

/**
 * Creates a content of chunks. Joining the chunks of a large body takes as much memory again, so work on
 * chunks where possible.
 *
 * @param parts The chunks in order; they are kept, not copied.
 */
export function createContent(parts: readonly Uint8Array[]): Content {
  return new PiecedContent(parts);
}

class PiecedContent implements Content {
  pieces: readonly Uint8Array[];
  readonly length: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  head(count: number): Uint8Array {
    const { pieces, length } = this;
    const [first] = pieces;
    return first !== undefined && (pieces.length === 1 || first.byteLength >= count)
      ? first.subarray(0, count)
      : join(pieces, Math.min(count, length));
  }

  whole(): Uint8Array {
    const { pieces, length } = this;
    const [only] = pieces;
    if (only !== undefined && pieces.length === 1) return only;
    const joined = join(pieces, length);
    this.pieces = [joined];
    return joined;
  }
}

/** Copies the first bytes of chunks into one array. */
export function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    if (at >= length) break;
    bytes.set(piece.subarray(0, length - at), at);
    at += piece.byteLength;
  }
  return bytes;
}
