/** A peer broke the wire protocol; only its connection ends. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** Both sides start with a greeting of exactly this many bytes. */
export const GREETING_SIZE = 64;

const MECHANISM_START = 12;
const MECHANISM_END = 32;
const MECHANISM = "NULL";
const utf8 = new TextEncoder();

/**
 * Our greeting: ZMTP 3.0 with the NULL mechanism, sent in one piece because older protocols are not
 * supported (RFC 23, "Version Negotiation"). Peers of later versions speak 3.0 with it.
 */
export function encodeGreeting(): Uint8Array {
  const bytes = new Uint8Array(GREETING_SIZE);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.set(utf8.encode(MECHANISM), MECHANISM_START);
  return bytes;
}

/**
 * Checks what has arrived of a peer's greeting. Another protocol is refused at the first byte that differs,
 * not after a timeout.
 *
 * @param bytes The connection's bytes so far, from the first.
 * @returns Whether the greeting is complete.
 * @throws ProtocolError for other protocols, ZMTP 1.0 and 2.0, and mechanisms other than NULL.
 */
export function checkGreeting(bytes: Uint8Array): boolean {
  const [first] = bytes;
  const flags = bytes[9];
  const major = bytes[10];
  if (first !== undefined && first !== 0xff) {
    throw new ProtocolError(
      `Reading a greeting failed: it begins with 0x${first.toString(16).padStart(2, "0")}, not 0xff`,
    );
  }
  // A ZMTP 1.0 peer starts with a long identity frame, whose flags byte is here.
  if (flags !== undefined && (flags & 1) === 0) {
    throw new ProtocolError("Reading a greeting failed: the peer speaks ZMTP 1.0, not 3.x");
  }
  if (major !== undefined && major < 3) {
    throw new ProtocolError("Reading a greeting failed: the peer speaks ZMTP 2.0, not 3.x");
  }
  const field = bytes.subarray(MECHANISM_START, MECHANISM_END);
  if (field.some((byte, index) => byte !== (MECHANISM.charCodeAt(index) || 0))) {
    const name = String.fromCharCode(...field.filter((byte) => byte > 0x20 && byte < 0x7f));
    throw new ProtocolError(`Reading a greeting failed: the mechanism is "${name}", not "NULL"`);
  }
  return bytes.length >= GREETING_SIZE;
}

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

/** Turns the chunks of a byte stream into frames, wherever the chunks were cut. */
export class FrameDecoder {
  /** The largest body accepted from now on, in bytes. */
  maximumSize: number;
  /** Bytes of the frame that is not complete yet. */
  held = 0;
  readonly #onFrame: (frame: Frame) => void;
  #chunks: Uint8Array[] = [];
  /** How many bytes there must be to read on. */
  #needed = 1;

  /** @param onFrame Called once for every complete frame, in order. */
  constructor(maximumSize: number, onFrame: (frame: Frame) => void) {
    this.maximumSize = maximumSize;
    this.#onFrame = onFrame;
  }

  /**
   * Takes the next chunk and emits every frame that it completes. Bodies may be views of the chunk, so it
   * must not be written to afterwards.
   *
   * @throws ProtocolError for reserved flags, and for sizes beyond the maximum as soon as they are claimed.
   */
  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.held += chunk.length;
    if (this.held < this.#needed) return;
    const joined = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    // Bodies must be plain views: a Buffer's slice() would not copy.
    let rest = new Uint8Array(joined.buffer, joined.byteOffset, joined.length);
    this.#chunks = [];
    for (let size = this.#readFrame(rest); size > 0; size = this.#readFrame(rest)) {
      rest = rest.subarray(size);
    }
    this.#chunks = [rest];
    this.held = rest.length;
  }

  /** @returns The bytes of the frame that was read; 0 while it is not complete. */
  #readFrame(bytes: Uint8Array): number {
    const [flags] = bytes;
    this.#needed = 1;
    if (flags === undefined) return 0;
    checkFlags(flags);
    const headerSize = flags & LONG ? 9 : 2;
    this.#needed = headerSize;
    if (bytes.length < headerSize) return 0;
    const bodySize = readSize(bytes, this.maximumSize);
    this.#needed = headerSize + bodySize;
    if (bytes.length < this.#needed) return 0;
    const kind = flags & COMMAND ? "command" : "message";
    const body = bytes.subarray(headerSize, this.#needed);
    const size = this.#needed;
    this.#onFrame({ kind, more: (flags & MORE) !== 0, body });
    return size;
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

function readSize(bytes: Uint8Array, maximum: number): number {
  const [flags = 0, short = 0] = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = flags & LONG ? Number(view.getBigUint64(1)) : short;
  if (size <= maximum) return size;
  throw new ProtocolError(
    `Reading a frame failed: it claims ${size} bytes, more than the ${maximum} allowed`,
  );
}

/** A smaller message is written as one chunk, which is cheaper than many; a larger one is not copied. */
const COPY_LIMIT = 65_536;

/**
 * Encodes a message, which several connections may share. Its frames must not be written to before they are
 * sent.
 */
export function encodeMessage(frames: readonly Uint8Array[]): readonly Uint8Array[] {
  const pieces = frames.flatMap((body, index) => [
    encodeFrameHeader("message", index < frames.length - 1, body.length),
    body,
  ]);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return size < COPY_LIMIT ? [Buffer.concat(pieces)] : pieces;
}

/** The content of a command frame. */
interface Command {
  readonly name: string;
  readonly data: Uint8Array;
}

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
  return Buffer.concat([header, Uint8Array.of(name.length), utf8.encode(name), data]);
}

/** The READY command that ends a NULL handshake, with the type of our socket. */
export function encodeReady(socketType: string): Uint8Array {
  const name = "Socket-Type";
  const sizes = Uint8Array.of(0, 0, 0, socketType.length);
  const property = [Uint8Array.of(name.length), utf8.encode(name), sizes, utf8.encode(socketType)];
  return encodeCommand("READY", Buffer.concat(property));
}

/** The ERROR command that refuses a handshake for good: libzmq does not reconnect after it. */
export function encodeError(reason: string): Uint8Array {
  return encodeCommand("ERROR", Buffer.concat([Uint8Array.of(reason.length), utf8.encode(reason)]));
}

/**
 * Reads the properties of a READY command, by lower-case name: names are case-insensitive (RFC 23).
 *
 * @throws ProtocolError if a name or value is longer than the rest of the data.
 */
export function parseProperties(data: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const properties = new Map<string, Uint8Array>();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let position = 0;
  while (position < data.length) {
    const nameEnd = position + 1 + view.getUint8(position);
    const hasValue = nameEnd > position + 1 && nameEnd + 4 <= data.length;
    const valueEnd = hasValue ? nameEnd + 4 + view.getUint32(nameEnd) : Infinity;
    if (valueEnd > data.length) {
      throw new ProtocolError(
        "Reading a READY command failed: a property is cut off or has no name",
      );
    }
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
