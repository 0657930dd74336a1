import { ProtocolError } from "./errors.ts";

/** Both sides begin with a greeting of exactly this many bytes. */
export const GREETING_SIZE = 64;

/** What a peer says of itself before any frame. */
export interface PeerGreeting {
  readonly major: number;
  readonly minor: number;
}

const MECHANISM_START = 12;
const MECHANISM_END = 32;
const MECHANISM = "NULL";

/**
 * Our greeting: ZMTP 3.1 with the NULL mechanism, sent whole at once because no older protocol is
 * spoken (RFC 37, "Version Negotiation").
 */
export function encodeGreeting(): Uint8Array {
  const bytes = new Uint8Array(GREETING_SIZE);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes[11] = 1;
  bytes.set(new TextEncoder().encode(MECHANISM), MECHANISM_START);
  return bytes;
}

/**
 * Reads a peer's greeting from the bytes that have arrived so far.
 *
 * A stranger is recognised at the first byte that tells, so that it is not kept until a time-out.
 *
 * @param bytes What has arrived, from the first byte of the connection on; more than a greeting is fine.
 * @returns The greeting, or undefined while more bytes are needed.
 * @throws ProtocolError for other protocols, ZMTP 1.0 and 2.0, and mechanisms other than NULL.
 */
export function parseGreeting(bytes: Uint8Array): PeerGreeting | undefined {
  const [first] = bytes;
  const flags = bytes[9];
  const major = bytes[10];
  if (first !== undefined && first !== 0xff) {
    throw new ProtocolError(`Reading a greeting failed: it begins with ${hex(first)}, not 0xff`);
  }
  // A ZMTP 1.0 peer begins with a long identity frame, whose flags byte stands here.
  if (flags !== undefined && (flags & 1) === 0) {
    throw new ProtocolError("Reading a greeting failed: the peer speaks ZMTP 1.0, not 3.x");
  }
  if (major !== undefined && major < 3) {
    throw new ProtocolError("Reading a greeting failed: the peer speaks ZMTP 2.0, not 3.x");
  }
  checkMechanism(bytes.subarray(MECHANISM_START, MECHANISM_END));
  if (bytes.length < GREETING_SIZE) return undefined;
  return { major: major ?? 0, minor: bytes[11] ?? 0 };
}

function checkMechanism(field: Uint8Array): void {
  const wrong = field.some((byte, index) => byte !== (MECHANISM.charCodeAt(index) || 0));
  if (!wrong) return;
  const name = String.fromCharCode(...field.filter((byte) => byte > 0x20 && byte < 0x7f));
  throw new ProtocolError(`Reading a greeting failed: the mechanism is "${name}", not "NULL"`);
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, "0")}`;
}
