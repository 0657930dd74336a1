import type { Bytes } from "./respond.ts";

const RATE = 8_000;
const SECONDS = 0.4;
const PITCH = 440;

/** A short tone that fades, as WAV: one channel, 8 bits a sample. */
export function drawTone(): Bytes {
  const count = RATE * SECONDS;
  const bytes = new Uint8Array(44 + count);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string): void => {
    for (let index = 0; index < 4; index++) view.setUint8(at + index, word.charCodeAt(index));
  };
  text(0, "RIFF");
  view.setUint32(4, 36 + count, true);
  text(8, "WAVE");
  text(12, "fmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, "data");
  view.setUint32(40, count, true);
  for (let index = 0; index < count; index++) {
    const wave = Math.sin((2 * Math.PI * PITCH * index) / RATE) * (1 - index / count);
    bytes[44 + index] = Math.round(128 + 100 * wave);
  }
  return bytes;
}
