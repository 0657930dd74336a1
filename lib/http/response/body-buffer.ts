import { type Content, createContent, join } from "../../exchange/mod.ts";

/** Bodies up to this size are copied once more at the end. */
const COPY_LIMIT = 1_000_000;
/** A large body of unknown length grows by this many bytes. */
const BLOCK = 4_194_304;

/**
 * Collects the chunks of a body. Those of a large body are copied to their final place at once, so that memory
 * never contains the body twice: to one buffer if its length is known, otherwise to blocks.
 */
export class BodyBuffer {
  /** Bytes so far. */
  length = 0;
  readonly #expect: () => number | undefined;
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  #used = 0;

  /**
   * @param expect Returns the length that the server announced, which may be wrong.
   * @param most The maximum number of bytes that will be pushed.
   */
  constructor(expect: () => number | undefined, most: number) {
    this.#expect = expect;
    this.#most = most;
  }

  push(chunk: Uint8Array): void {
    const isLarge = this.#chunks.length > 0 && this.length + chunk.byteLength > COPY_LIMIT;
    if (this.#block === undefined && isLarge) this.#block = this.#startBlock();
    if (this.#block === undefined) this.#chunks.push(chunk);
    else this.#block = this.#fill(this.#block, chunk);
    this.length += chunk.byteLength;
  }

  /** Returns all bytes and empties the buffer. */
  take(): Content {
    const block = this.#block;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#block = undefined;
    return createContent(
      block === undefined ? toOne(chunks, this.length) : [...chunks, exactly(block, this.#used)],
    );
  }

  /** Not before a large part has arrived: an announced length alone allocates nothing. */
  #startBlock(): Uint8Array {
    const expected = this.#expect() ?? 0;
    const isLikely = expected >= this.length && expected <= this.#most;
    const before = this.#chunks;
    this.#chunks = [];
    let block = (isLikely ? allocate(expected) : undefined) ?? new Uint8Array(BLOCK);
    for (const chunk of before) block = this.#fill(block, chunk);
    return block;
  }

  /** Returns the block for the next chunk. */
  #fill(block: Uint8Array, chunk: Uint8Array): Uint8Array {
    const room = block.byteLength - this.#used;
    block.set(chunk.subarray(0, room), this.#used);
    this.#used += Math.min(room, chunk.byteLength);
    if (chunk.byteLength <= room) return block;
    this.#chunks.push(block);
    this.#used = 0;
    return this.#fill(new Uint8Array(BLOCK), chunk.subarray(room));
  }
}

function allocate(length: number): Uint8Array | undefined {
  try {
    return new Uint8Array(length);
  } catch {
    // A RangeError for an announced length that is too large; the actual body may be smaller.
    return undefined;
  }
}

function toOne(chunks: readonly Uint8Array[], length: number): readonly Uint8Array[] {
  const [only] = chunks;
  // In the history, a view would keep its whole buffer alive.
  const isOwn = only !== undefined && only.byteLength === only.buffer.byteLength;
  return chunks.length === 0 || (chunks.length === 1 && isOwn) ? chunks : [join(chunks, length)];
}

function exactly(block: Uint8Array, used: number): Uint8Array {
  return used < block.byteLength ? block.slice(0, used) : block;
}
