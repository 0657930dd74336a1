import { type Content, createContent, join } from "../../exchange/mod.ts";

/** Puts the pieces of a body together. */
export interface BodyBuffer {
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
export function createBodyBuffer(expect: () => number | undefined, most: number): BodyBuffer {
  return new GrowingBuffer(expect, most);
}

/** A class, as every answer is gathered. */
class GrowingBuffer implements BodyBuffer {
  length = 0;
  readonly #expect: () => number | undefined;
  readonly #most: number;
  #pieces: Uint8Array[] = [];
  /** Where the next piece goes to, once it goes to a block. */
  #block: Uint8Array | undefined;
  #used = 0;

  constructor(expect: () => number | undefined, most: number) {
    this.#expect = expect;
    this.#most = most;
  }

  push(piece: Uint8Array): void {
    const isLarge = this.#pieces.length > 0 && this.length + piece.byteLength > WORTH_IT;
    if (this.#block === undefined && isLarge) this.#block = this.#begin();
    if (this.#block === undefined) this.#pieces.push(piece);
    else this.#block = this.#fill(this.#block, piece);
    this.length += piece.byteLength;
  }

  take(): Content {
    const block = this.#block;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#block = undefined;
    return createContent(
      block === undefined ? toOne(pieces, this.length) : [...pieces, exactly(block, this.#used)],
    );
  }

  /** Only when a good part has come, in more than one piece: a server that only promises costs nothing. */
  #begin(): Uint8Array {
    const expected = this.#expect() ?? 0;
    const isLikely = expected >= this.length && expected <= this.#most;
    const before = this.#pieces;
    this.#pieces = [];
    let block = (isLikely ? allocate(expected) : undefined) ?? new Uint8Array(BLOCK);
    for (const piece of before) block = this.#fill(block, piece);
    return block;
  }

  /** Gives the block that the next piece goes to. */
  #fill(block: Uint8Array, piece: Uint8Array): Uint8Array {
    const room = block.byteLength - this.#used;
    block.set(piece.subarray(0, room), this.#used);
    this.#used += Math.min(room, piece.byteLength);
    if (piece.byteLength <= room) return block;
    this.#pieces.push(block);
    this.#used = 0;
    return this.#fill(new Uint8Array(BLOCK), piece.subarray(room));
  }
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
