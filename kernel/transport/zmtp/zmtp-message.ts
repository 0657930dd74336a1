import { encodeFrameHeader } from "./zmtp-frame.ts";

/** A message ready for the wire; several connections may share one. */
export interface EncodedMessage {
  readonly chunks: readonly Uint8Array[];
  /** Bytes on the wire. */
  readonly size: number;
}

/** A smaller message is written as one chunk, which is cheaper than many; a larger one is not copied. */
const COPY_LIMIT = 65_536;

/** Encodes a message. Its frames must not be written to before they are sent. */
export function encodeMessage(frames: readonly Uint8Array[]): EncodedMessage {
  const pieces = frames.flatMap((body, index) => [
    encodeFrameHeader("message", index < frames.length - 1, body.length),
    body,
  ]);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { chunks: size < COPY_LIMIT ? [Buffer.concat(pieces)] : pieces, size };
}
