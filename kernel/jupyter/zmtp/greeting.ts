import { ProtocolError } from "./endpoint.ts";

/** Both sides start with a greeting of exactly this many bytes. */
export const GREETING_SIZE = 64;

/** The ZMTP version of a peer. */
interface PeerGreeting {
  readonly major: number;
  readonly minor: number;
}

const MECHANISM_START = 12;
const MECHANISM_END = 32;
const MECHANISM = "NULL";

/**
 * Our greeting: ZMTP 3.1 with the NULL mechanism, sent in one piece because older protocols are not
 * supported (RFC 37, "Version Negotiation").
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
 * Another protocol is refused at the first byte that differs, not after a timeout.
 *
 * @param bytes The connection's bytes so far, from the first; they may go beyond the greeting.
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
  // A ZMTP 1.0 peer starts with a long identity frame, whose flags byte is here.
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
