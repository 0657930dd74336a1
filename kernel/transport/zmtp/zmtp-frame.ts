import { ProtocolError } from "./errors.ts";

/** One frame of the traffic that follows the greeting. */
export interface Frame {
  readonly kind: "message" | "command";
  /** Whether the message goes on in the next frame. */
  readonly more: boolean;
  readonly body: Uint8Array;
}

/** Turns the chunks of a byte stream into frames, wherever the chunks were cut. */
export interface FrameDecoder {
  /** The largest body accepted from now on, in bytes. */
  maximumSize: number;
  /** Bytes of memory that an unfinished body takes. */
  readonly held: number;
  /**
   * Takes the next chunk and hands on every frame that it completes. Bodies may be views of the
   * chunk, so it must not be written to afterwards.
   *
   * @throws ProtocolError for reserved flags and for sizes beyond the maximum, before any memory
   * is taken for them.
   */
  push(chunk: Uint8Array): void;
}

const MORE = 1;
const LONG = 2;
const COMMAND = 4;
const RESERVED = 0xf8;

/** The claimed size is a claim only: memory grows with the bytes that really arrive, from here on. */
const FIRST_ALLOCATION = 1 << 14;

/**
 * Creates a decoder with nothing read yet.
 *
 * @param maximumSize The largest body to accept, in bytes.
 * @param onFrame Called once for every complete frame, in order.
 */
export function createFrameDecoder(
  maximumSize: number,
  onFrame: (frame: Frame) => void,
): FrameDecoder {
  const header = new Uint8Array(9);
  let headerLength = 0;
  let body: Uint8Array | undefined;
  let bodySize = 0;
  let bodyLength = 0;

  const decoder: FrameDecoder = {
    maximumSize,
    push,
    get held() {
      return body?.length ?? 0;
    },
  };
  return decoder;

  function push(bytes: Uint8Array): void {
    // Bodies are plain views whatever came: a Buffer's slice() would not copy as theirs does.
    const chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    let position = 0;
    while (position < chunk.length) {
      position = body === undefined ? readHeader(chunk, position) : readBody(chunk, position, body);
    }
  }

  function readHeader(chunk: Uint8Array, start: number): number {
    let position = start;
    while (position < chunk.length && headerLength < neededHeader()) {
      header[headerLength++] = chunk[position++] ?? 0;
      if (headerLength === 1) checkFlags(flags());
    }
    if (headerLength < neededHeader()) return position;
    bodySize = readSize(header, decoder.maximumSize);
    if (position + bodySize <= chunk.length) {
      finish(chunk.subarray(position, position + bodySize));
      return position + bodySize;
    }
    bodyLength = 0;
    body = new Uint8Array(Math.min(bodySize, FIRST_ALLOCATION));
    return position;
  }

  function readBody(chunk: Uint8Array, start: number, target: Uint8Array): number {
    const end = Math.min(chunk.length, start + bodySize - bodyLength);
    const part = chunk.subarray(start, end);
    const roomy = withRoom(target, bodyLength, bodyLength + part.length, bodySize);
    roomy.set(part, bodyLength);
    bodyLength += part.length;
    body = roomy;
    if (bodyLength === bodySize) finish(roomy);
    return end;
  }

  function finish(bytes: Uint8Array): void {
    const frame = flags();
    headerLength = 0;
    body = undefined;
    onFrame({
      kind: frame & COMMAND ? "command" : "message",
      more: (frame & MORE) !== 0,
      body: bytes,
    });
  }

  function flags(): number {
    return header[0] ?? 0;
  }

  function neededHeader(): number {
    return headerLength > 0 && flags() & LONG ? 9 : 2;
  }
}

/** The bytes that announce a body of `size` bytes. */
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

function withRoom(target: Uint8Array, used: number, needed: number, limit: number): Uint8Array {
  if (needed <= target.length) return target;
  const larger = new Uint8Array(Math.min(limit, Math.max(needed, target.length * 2)));
  larger.set(target.subarray(0, used));
  return larger;
}
