import { type Content, createContent, join } from "../content.ts";

/** Puts the pieces of a body together. */
export interface Gathering {
  /** How many bytes there are. */
  readonly length: number;
  /** Takes the next piece. */
  push(piece: Uint8Array): void;
  /** All bytes, in buffers of their own; what was gathered is forgotten. */
  take(): Content;
}

/** Below this a second copy costs nothing that anybody would notice. */
const WORTH_IT = 1_000_000;
/** A large body whose length nobody said grows by so many bytes. */
const BLOCK = 4_194_304;

/**
 * Begins to put a body together. Each piece of a large one goes to its place at once, so that it is
 * never there twice: in a buffer of its length where that is known, else in block after block.
 *
 * @param expect Says how many bytes there will be, where the server has told; it may be wrong.
 * @param most How many bytes are kept at most.
 */
export function gather(expect: () => number | undefined, most: number): Gathering {
  let pieces: Uint8Array[] = [];
  let length = 0;
  // Where the next piece goes to, once it goes to a block.
  let block: Uint8Array | undefined;
  let used = 0;

  /** Only when a good part has come, in more than one piece: a server that only promises costs nothing. */
  const begin = (): void => {
    const expected = expect() ?? 0;
    const isLikely = expected >= length && expected <= most;
    block = (isLikely ? allocate(expected) : undefined) ?? new Uint8Array(BLOCK);
    const before = pieces;
    pieces = [];
    for (const piece of before) fill(block, piece);
  };
  const fill = (into: Uint8Array, piece: Uint8Array): void => {
    const room = into.byteLength - used;
    into.set(piece.subarray(0, room), used);
    used += Math.min(room, piece.byteLength);
    if (piece.byteLength <= room) return;
    pieces.push(into);
    block = new Uint8Array(BLOCK);
    used = 0;
    fill(block, piece.subarray(room));
  };
  return {
    get length() {
      return length;
    },
    push: (piece) => {
      if (block === undefined && pieces.length > 0 && length + piece.byteLength > WORTH_IT) begin();
      if (block === undefined) pieces.push(piece);
      else fill(block, piece);
      length += piece.byteLength;
    },
    take: () => {
      const all = block === undefined ? toOne(pieces, length) : [...pieces, exactly(block, used)];
      pieces = [];
      block = undefined;
      return createContent(all);
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

function toOne(pieces: readonly Uint8Array[], length: number): readonly Uint8Array[] {
  const [only] = pieces;
  // A view of a larger buffer would keep all of that buffer alive in the history.
  const isOwn = only !== undefined && only.byteLength === only.buffer.byteLength;
  return pieces.length === 0 || (pieces.length === 1 && isOwn) ? pieces : [join(pieces, length)];
}

function exactly(block: Uint8Array, used: number): Uint8Array {
  return used < block.byteLength ? block.slice(0, used) : block;
}
