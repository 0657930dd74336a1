import { deflateSync } from "node:zlib";
import type { Bytes } from "./respond.ts";

/** A colour: red, green and blue from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Writes a picture as PNG, 8 bits a channel, asking for the colour of each point. */
export function encodePng(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Bytes {
  const stride = width * 3 + 1;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colourAt(x, y), y * stride + 1 + x * 3);
  }
  const header = new Uint8Array([...number32(width), ...number32(height), 8, 2, 0, 0, 0]);
  return concat([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Bytes {
  const named = concat([new TextEncoder().encode(type), data]);
  return concat([number32(data.length), named, number32(checksum(named))]);
}

/** The CRC-32 that PNG wants; `node:zlib` has one only from Node 22.2 on. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function number32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
