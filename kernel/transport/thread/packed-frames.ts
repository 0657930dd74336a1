import { totalLength } from "../zmtp/mod.ts";

/** Frames as they pass between threads: few buffers, transferred instead of cloned. */
export interface PackedFrames {
  readonly buffers: readonly ArrayBuffer[];
  /** The lengths of the frames in each buffer, in order. */
  readonly lengths: readonly (readonly number[])[];
}

/** A frame from this size on travels in its own buffer where it may. */
const LARGE = 65_536;

/**
 * Packs frames for another thread.
 *
 * @param give Whether large frames that fill their buffer are given away without a copy; they
 * cannot be read here any more after the buffers are transferred.
 */
export function packFrames(frames: readonly Uint8Array[], give: boolean): PackedFrames {
  const buffers: ArrayBuffer[] = [];
  const lengths: number[][] = [];
  let small: Uint8Array[] = [];
  const flush = (): void => {
    if (small.length > 0) add(concatenate(small), small);
    small = [];
  };
  const add = (buffer: ArrayBuffer, parts: readonly Uint8Array[]): void => {
    buffers.push(buffer);
    lengths.push(parts.map((part) => part.length));
  };
  for (const frame of frames) {
    const whole = give && frame.length >= LARGE ? wholeBuffer(frame) : undefined;
    if (whole === undefined) {
      small.push(frame);
      continue;
    }
    flush();
    add(whole, [frame]);
  }
  flush();
  return { buffers, lengths };
}

/** The frames in their order, as views of the buffers. */
export function unpackFrames({ buffers, lengths }: PackedFrames): Uint8Array[] {
  return buffers.flatMap((buffer, index) => {
    let position = 0;
    return (lengths[index] ?? []).map((length) => {
      position += length;
      return new Uint8Array(buffer, position - length, length);
    });
  });
}

function wholeBuffer({ buffer, length }: Uint8Array): ArrayBuffer | undefined {
  return buffer instanceof ArrayBuffer && buffer.byteLength === length ? buffer : undefined;
}

function concatenate(parts: readonly Uint8Array[]): ArrayBuffer {
  const joined = new Uint8Array(totalLength(parts));
  let position = 0;
  for (const part of parts) {
    joined.set(part, position);
    position += part.length;
  }
  return joined.buffer;
}
