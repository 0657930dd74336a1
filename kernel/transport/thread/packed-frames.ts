/**
 * Prepares frames for a transfer to another thread.
 *
 * @param give Whether a frame that fills its buffer is not copied; it cannot be read here after the
 * transfer.
 */
export function packFrames(frames: readonly Uint8Array[], give: boolean): ArrayBuffer[] {
  return frames.map((frame) => {
    const { buffer, length } = frame;
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === length;
    return give && isWhole ? buffer : new Uint8Array(frame).buffer;
  });
}

/** Restores the frames. */
export function unpackFrames(packed: readonly ArrayBuffer[]): Uint8Array[] {
  return packed.map((buffer) => new Uint8Array(buffer));
}
