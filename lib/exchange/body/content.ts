/** The bytes of a body, in as few pieces as they could be kept in until somebody asks for one. */
export interface Content {
  /** How many bytes there are. */
  readonly length: number;
  /** The bytes in order. */
  readonly pieces: readonly Uint8Array[];
  /** The first bytes, so many or all that there are. */
  head(count: number): Uint8Array;
  /** All bytes in one array; it takes the place of the pieces, so that no body is kept twice. */
  whole(): Uint8Array;
}

/**
 * Makes a content of pieces. To join those of a large body takes as much memory again, so whoever
 * can work on pieces does.
 *
 * @param parts The pieces in order; they are kept, not copied.
 */
export function createContent(parts: readonly Uint8Array[]): Content {
  return new PiecedContent(parts);
}

/** A class, since every answer has one: closures and a getter would cost far more. */
class PiecedContent implements Content {
  pieces: readonly Uint8Array[];
  readonly length: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
    let length = 0;
    for (const piece of pieces) length += piece.byteLength;
    this.length = length;
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

/** The first bytes of pieces, in an array of their own. */
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
