import { ProtocolError } from "./errors.ts";

/** One frame of the traffic that follows the greeting. */
export interface Frame {
  readonly kind: "message" | "command";
  /** Whether the message continues in the next frame. */
  readonly more: boolean;
  readonly body: Uint8Array;
}

const MORE = 1;
const LONG = 2;
const COMMAND = 4;
const RESERVED = 0xf8;

/** A peer can claim any size: memory grows from here with the bytes that really arrive. */
const FIRST_ALLOCATION = 1 << 14;

/** Turns the chunks of a byte stream into frames, wherever the chunks were cut. */
export class FrameDecoder {
  /** The largest body accepted from now on, in bytes. */
  maximumSize: number;
  readonly #onFrame: (frame: Frame) => void;
  readonly #header = new Uint8Array(9);
  #headerLength = 0;
  #body: Uint8Array | undefined;
  #bodySize = 0;
  #bodyLength = 0;

  /** @param onFrame Called once for every complete frame, in order. */
  constructor(maximumSize: number, onFrame: (frame: Frame) => void) {
    this.maximumSize = maximumSize;
    this.#onFrame = onFrame;
  }

  /** Bytes of memory that an unfinished body takes. */
  get held(): number {
    return this.#body?.length ?? 0;
  }

  /**
   * Takes the next chunk and emits every frame that it completes. Bodies may be views of the
   * chunk, so it must not be written to afterwards.
   *
   * @throws ProtocolError for reserved flags and for sizes beyond the maximum, before any memory
   * is allocated for them.
   */
  push(bytes: Uint8Array): void {
    // Bodies must be plain views: a Buffer's slice() would not copy.
    const chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    let position = 0;
    while (position < chunk.length) {
      position = this.#body
        ? this.#readBody(chunk, position, this.#body)
        : this.#readHeader(chunk, position);
    }
  }

  #readHeader(chunk: Uint8Array, start: number): number {
    let position = start;
    while (position < chunk.length && this.#headerLength < this.#headerSize) {
      this.#header[this.#headerLength++] = chunk[position++] ?? 0;
      if (this.#headerLength === 1) checkFlags(this.#flags);
    }
    if (this.#headerLength < this.#headerSize) return position;
    this.#bodySize = readSize(this.#header, this.maximumSize);
    const end = position + this.#bodySize;
    if (end <= chunk.length) {
      this.#finish(chunk.subarray(position, end));
      return end;
    }
    this.#bodyLength = 0;
    this.#body = new Uint8Array(Math.min(this.#bodySize, FIRST_ALLOCATION));
    return position;
  }

  #readBody(chunk: Uint8Array, start: number, target: Uint8Array): number {
    const end = Math.min(chunk.length, start + this.#bodySize - this.#bodyLength);
    const part = chunk.subarray(start, end);
    const needed = this.#bodyLength + part.length;
    this.#body = grow(target, this.#bodyLength, needed, this.#bodySize);
    this.#body.set(part, this.#bodyLength);
    this.#bodyLength = needed;
    if (needed === this.#bodySize) this.#finish(this.#body);
    return end;
  }

  #finish(body: Uint8Array): void {
    const flags = this.#flags;
    this.#headerLength = 0;
    this.#body = undefined;
    const kind = flags & COMMAND ? "command" : "message";
    this.#onFrame({ kind, more: (flags & MORE) !== 0, body });
  }

  get #flags(): number {
    return this.#header[0] ?? 0;
  }

  get #headerSize(): number {
    return this.#headerLength > 0 && this.#flags & LONG ? 9 : 2;
  }
}

/** The flags and size that precede a body of `size` bytes. */
export function encodeFrameHeader(kind: Frame["kind"], more: boolean, size: number): Uint8Array {
  const long = size > 255;
  const bytes = new Uint8Array(long ? 9 : 2);
  bytes[0] = (kind === "command" ? COMMAND : 0) | (more ? MORE : 0) | (long ? LONG : 0);
  if (long) new DataView(bytes.buffer).setBigUint64(1, BigInt(size));
  else bytes[1] = size;
  return bytes;
}

function checkFlags(flags: number): void {
  const reserved = (flags & RESERVED) !== 0;
  const commandWithMore = (flags & COMMAND) !== 0 && (flags & MORE) !== 0;
  if (!reserved && !commandWithMore) return;
  throw new ProtocolError(`Reading a frame failed: flags 0x${flags.toString(16)} are not defined`);
}

function readSize(header: Uint8Array, maximum: number): number {
  const long = ((header[0] ?? 0) & LONG) !== 0;
  const size = long ? Number(new DataView(header.buffer).getBigUint64(1)) : (header[1] ?? 0);
  if (size <= maximum) return size;
  throw new ProtocolError(
    `Reading a frame failed: it claims ${size} bytes, more than the ${maximum} allowed`,
  );
}

function grow(target: Uint8Array, used: number, needed: number, limit: number): Uint8Array {
  if (needed <= target.length) return target;
  const larger = new Uint8Array(Math.min(limit, Math.max(needed, target.length * 2)));
  larger.set(target.subarray(0, used));
  return larger;
}
