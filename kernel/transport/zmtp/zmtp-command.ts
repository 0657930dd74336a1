import { ProtocolError } from "./errors.ts";
import { encodeFrameHeader } from "./zmtp-frame.ts";

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
