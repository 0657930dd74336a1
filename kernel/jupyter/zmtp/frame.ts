import { ProtocolError } from "./endpoint.ts";

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

/** A message ready for the wire; several connections may share one. */
export interface EncodedMessage {
  readonly chunks: readonly Uint8Array[];
  /** Bytes on the wire. */
  readonly size: number;
}

/** A smaller message is written as one chunk, which is cheaper than many; a larger one is not copied. */
const COPY_LIMIT = 65_536;

/** Encodes a message. Its frames must not be written to before they are sent. */
export function encodeMessage(frames: readonly Uint8Array[]): EncodedMessage {
  const pieces = frames.flatMap((body, index) => [
    encodeFrameHeader("message", index < frames.length - 1, body.length),
    body,
  ]);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { chunks: size < COPY_LIMIT ? [Buffer.concat(pieces)] : pieces, size };
}

/** The content of a command frame. */
export interface Command {
  readonly name: string;
  readonly data: Uint8Array;
}

/** The properties of a READY command, by lower-case name: names are case-insensitive (RFC 37). */
type Properties = ReadonlyMap<string, Uint8Array>;

const utf8 = new TextEncoder();

/** @throws ProtocolError if the name is longer than the frame or not printable. */
export function parseCommand(body: Uint8Array): Command {
  const nameSize = body[0] ?? 0;
  const name = latin1(body.subarray(1, 1 + nameSize));
  if (nameSize === 0 || body.length < 1 + nameSize || !/^[!-~]+$/.test(name)) {
    throw new ProtocolError("Reading a command failed: its name is malformed");
  }
  return { name, data: body.subarray(1 + nameSize) };
}

/** A whole command frame: header, name and data. */
export function encodeCommand(name: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const size = 1 + name.length + data.length;
  const header = encodeFrameHeader("command", false, size);
  const bytes = new Uint8Array(header.length + size);
  bytes.set(header);
  bytes[header.length] = name.length;
  bytes.set(utf8.encode(name), header.length + 1);
  bytes.set(data, header.length + 1 + name.length);
  return bytes;
}

/** The READY command that ends a NULL handshake. */
export function encodeReady(properties: Readonly<Record<string, string>>): Uint8Array {
  const bytes: number[] = [];
  for (const [name, value] of Object.entries(properties)) {
    const octets = utf8.encode(value);
    const size = octets.length;
    bytes.push(name.length, ...utf8.encode(name));
    bytes.push(size >>> 24, (size >>> 16) & 255, (size >>> 8) & 255, size & 255, ...octets);
  }
  return encodeCommand("READY", Uint8Array.from(bytes));
}

/** The ERROR command that refuses a handshake for good: libzmq does not reconnect after it. */
export function encodeError(reason: string): Uint8Array {
  const text = utf8.encode(reason.slice(0, 255));
  return encodeCommand("ERROR", Uint8Array.from([text.length, ...text]));
}

/**
 * Reads the data of a READY command.
 *
 * @throws ProtocolError if a name or value is longer than the rest of the data.
 */
export function parseProperties(data: Uint8Array): Properties {
  const properties = new Map<string, Uint8Array>();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let position = 0;
  while (position < data.length) {
    const nameEnd = position + 1 + view.getUint8(position);
    if (nameEnd === position + 1 || nameEnd + 4 > data.length) throw malformedReady();
    const valueEnd = nameEnd + 4 + view.getUint32(nameEnd);
    if (valueEnd > data.length) throw malformedReady();
    const name = latin1(data.subarray(position + 1, nameEnd)).toLowerCase();
    properties.set(name, data.subarray(nameEnd + 4, valueEnd));
    position = valueEnd;
  }
  return properties;
}

/** One character per byte: a lossless map key. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function malformedReady(): ProtocolError {
  return new ProtocolError("Reading a READY command failed: a property is cut off or has no name");
}
