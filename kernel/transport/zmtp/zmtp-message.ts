import { encodeFrameHeader } from "./zmtp-frame.ts";

/** A message ready for the wire; several connections may share one. */
export interface EncodedMessage {
  readonly chunks: readonly Uint8Array[];
  /** Bytes on the wire. */
  readonly size: number;
}

/** Bodies from this size on travel as they are; smaller ones are cheaper to copy than to write alone. */
const COPY_LIMIT = 16_384;

/** Frames → bytes. Large bodies are not copied, so they must not be written to before they are sent. */
export function encodeMessage(frames: readonly Uint8Array[]): EncodedMessage {
  const pieces: Uint8Array[] = [];
  for (const [index, body] of frames.entries()) {
    pieces.push(encodeFrameHeader("message", index < frames.length - 1, body.length), body);
  }
  return { chunks: joinSmall(pieces), size: totalLength(pieces) };
}

/** The sum of the lengths of all parts, in bytes. */
export function totalLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function joinSmall(pieces: readonly Uint8Array[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const flush = (): void => {
    if (small.length > 0) chunks.push(concatenate(small));
    small = [];
  };
  for (const piece of pieces) {
    if (piece.length < COPY_LIMIT) {
      small.push(piece);
      continue;
    }
    flush();
    chunks.push(piece);
  }
  flush();
  return chunks;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(totalLength(parts));
  let position = 0;
  for (const part of parts) {
    joined.set(part, position);
    position += part.length;
  }
  return joined;
}
