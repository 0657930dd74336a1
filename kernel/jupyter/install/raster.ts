import { deflateSync } from "node:zlib";
import { LOGO, LOGO_SIZE, type Shape } from "./logo.ts";

/** Each pixel is looked at in so many places across and down. */
const SAMPLES = 4;

/**
 * Draws the logo as a PNG, so that no picture needs to be shipped with the package.
 *
 * @param size Width and height in pixels.
 */
export function renderLogoPng(size: number): Uint8Array {
  return renderPng(drawShapes(LOGO, size), size);
}

/** Draws shapes over each other, four bytes a pixel: red, green, blue and how opaque it is. */
function drawShapes(shapes: readonly Shape[], size: number): Uint8Array {
  const pixels = new Uint8Array(size * size * 4);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const at = (row * size + column) * 4;
      pixels.set(colorOf(shapes, column, row, LOGO_SIZE / size), at);
    }
  }
  return pixels;
}

function colorOf(shapes: readonly Shape[], column: number, row: number, scale: number): number[] {
  const sum = [0, 0, 0];
  let hits = 0;
  for (let sample = 0; sample < SAMPLES ** 2; sample++) {
    const x = (column + ((sample % SAMPLES) + 0.5) / SAMPLES) * scale;
    const y = (row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) * scale;
    const top = shapes.findLast(({ points }) => isInside(points, x, y));
    if (top === undefined) continue;
    hits += 1;
    for (const index of [0, 1, 2]) {
      sum[index] =
        (sum[index] ?? 0) + Number.parseInt(top.fill.slice(1 + index * 2, 3 + index * 2), 16);
    }
  }
  return [...sum.map((value) => (hits === 0 ? 0 : value / hits)), (255 * hits) / SAMPLES ** 2];
}

/** Counts the edges that a line to the right crosses. */
function isInside(points: Shape["points"], x: number, y: number): boolean {
  let inside = false;
  let [fromX, fromY] = points.at(-1) ?? [0, 0];
  for (const [toX, toY] of points) {
    const crosses = fromY > y !== toY > y;
    if (crosses && x < ((fromX - toX) * (y - toY)) / (fromY - toY) + toX) inside = !inside;
    [fromX, fromY] = [toX, toY];
  }
  return inside;
}

/** @see https://www.w3.org/TR/png-3/ */
function renderPng(pixels: Uint8Array, size: number): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, size);
  view.setUint32(4, size);
  // Eight bits for each of four channels.
  header.set([8, 6], 8);
  const line = size * 4 + 1;
  const lines = new Uint8Array(line * size);
  for (let row = 0; row < size; row++) {
    // The first byte of a line, 0, says that it is written as it is.
    lines.set(pixels.subarray(row * size * 4, (row + 1) * size * 4), row * line + 1);
  }
  return Buffer.concat([
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** Node has one of its own from version 22.2 on. */
function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
