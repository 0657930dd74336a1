import { constants, type FileHandle, open, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Conditions for reading a file. */
export interface ReadOptions {
  /** The folder that contains the file, directly or below; links that lead out of it are rejected. */
  readonly within?: string;
  /** The maximum size in bytes; 256 MiB by default. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 256 * 1024 * 1024;
const CHUNK = 65_536;

/**
 * Reads a regular file. Pipes and devices are rejected, since they may never end.
 *
 * @throws {Error} The file cannot be read, is too large, or is not a regular file.
 */
export async function readFile(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
  const { within, maxBytes = MAX_BYTES } = options;
  const realPath = within === undefined ? path : await realPathWithin(path, within);
  const { file, size } = await openRegularFile(realPath);
  try {
    if (size > maxBytes) throw tooLarge(maxBytes);
    const pieces: Uint8Array[] = [];
    // Files in `/proc` have no size, and others may grow while they are read.
    for (let length = 0; ; ) {
      const room = Math.max(CHUNK, Math.min(size - length + 1, maxBytes));
      const { bytesRead, buffer } = await file.read(new Uint8Array(room), 0, room, null);
      if (bytesRead === 0) return joined(pieces, length);
      length += bytesRead;
      if (length > maxBytes) throw tooLarge(maxBytes);
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/**
 * Opens a regular file for reading.
 *
 * @throws {Error} The file cannot be opened, or is a pipe, a device or a folder.
 */
export async function openRegularFile(
  path: string,
): Promise<{ readonly file: FileHandle; readonly size: number }> {
  // Opening a pipe without the flag waits for a writer; Windows does not have the flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (found.isDirectory()) {
      throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
    }
    if (!found.isFile()) throw new Error("it is a pipe or a device, not a file");
    return { file, size: found.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function realPathWithin(path: string, folder: string): Promise<string> {
  const target = await realpath(path);
  const route = relative(await realpath(folder), target);
  if (route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route)) return target;
  throw new Error(`it is outside the folder "${folder}"; put a copy there`);
}

function tooLarge(maxBytes: number): Error {
  return new Error(`it is larger than ${maxBytes} bytes`);
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
