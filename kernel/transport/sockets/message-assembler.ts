import { type Frame, ProtocolError } from "../zmtp/mod.ts";

/** What a frame costs beyond its bytes: many empty frames are a large message as well. */
const FRAME_COST = 64;

/** Assembles the frames of one peer into messages of limited size. */
export class MessageAssembler {
  /** Bytes of the largest message, all frames together. */
  maximumSize: number;
  #frames: Uint8Array[] = [];
  #cost = 0;

  constructor(maximumSize: number) {
    this.maximumSize = maximumSize;
  }

  /** What the frames of the unfinished message cost, in bytes. */
  get held(): number {
    return this.#cost;
  }

  /** The largest body that the next frame may have, in bytes. */
  get remaining(): number {
    return this.maximumSize - this.#cost;
  }

  /**
   * Adds a frame.
   *
   * @returns The message that the frame completes, if it does.
   * @throws ProtocolError if the message is too large.
   */
  add({ body, more }: Frame): Uint8Array[] | undefined {
    // The view would retain its whole chunk, which no limit counts, until the message is complete.
    this.#frames.push(more ? body.slice() : body);
    this.#cost += body.length + FRAME_COST;
    if (!more) return this.clear();
    if (this.remaining >= 0) return undefined;
    throw new ProtocolError(
      `Reading a message failed: it has more than the ${this.maximumSize} bytes allowed`,
    );
  }

  /** Removes and returns the frames so far. */
  clear(): Uint8Array[] {
    const frames = this.#frames;
    this.#frames = [];
    this.#cost = 0;
    return frames;
  }
}
