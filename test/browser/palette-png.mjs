// Makes a screenshot small: a PNG of few colours, which text on a plain page hardly needs more of.
import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Encodes a screenshot anew, with a palette (https://www.w3.org/TR/png-3/).
 *
 * @param {Buffer} png As Chromium writes it: 8 bits a channel, RGB or RGBA, not interlaced.
 * @returns {Buffer} With 16 colours, two pixels a byte.
 */
export function toPalettePng(png) {
  const { width, height, channels, pixels } = decode(png);
  const palette = commonest(pixels, channels, 16);
  const nearest = new Map();
  const stride = 1 + Math.ceil(width / 2);
  const lines = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      const key = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
      let index = nearest.get(key);
      if (index === undefined) {
        index = nearestOf(palette, key);
        nearest.set(key, index);
      }
      lines[y * stride + 1 + (x >> 1)] |= x % 2 === 0 ? index << 4 : index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((key) => [key >> 16, (key >> 8) & 255, key & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function decode(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || channels === undefined || png[28] !== 0) throw new Error("Another PNG");
  const data = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") {
      data.push(png.subarray(at + 8, at + 8 + length));
    }
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : pixels[y * stride + x - channels];
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x];
      const corner = x < channels || y === 0 ? 0 : pixels[(y - 1) * stride + x - channels];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return { width, height, channels, pixels };
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((it) => Math.abs(guess - it));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** How many of the colours may be greys: more would leave none for words that few pixels colour. */
const GREYS = 7;

/** The colours that most pixels have; of those that look alike only one. */
function commonest(pixels, channels, most) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const key = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const chosen = [];
  for (const [key] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (chosen.length === most) break;
    const apart = chosen.length < 2 ? 1 : isGrey(key) ? 30 : 44;
    if (isGrey(key) && chosen.filter(isGrey).length === GREYS) continue;
    if (chosen.every((other) => distance(other, key) >= apart * apart)) chosen.push(key);
  }
  return chosen;
}

function isGrey(key) {
  const parts = [key >> 16, (key >> 8) & 255, key & 255];
  return Math.max(...parts) - Math.min(...parts) < 24;
}

function nearestOf(palette, key) {
  let best = 0;
  for (let index = 1; index < palette.length; index++) {
    if (distance(palette[index], key) < distance(palette[best], key)) best = index;
  }
  return best;
}

function distance(a, b) {
  const parts = [16, 8, 0].map((shift) => ((a >> shift) & 255) - ((b >> shift) & 255));
  return parts.reduce((sum, part) => sum + part * part, 0);
}

/** The checksum of chunks; zlib has one of its own from Node 22 on. */
function crcOf(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crcOf(body));
  return Buffer.concat([length, body, check]);
}
