import { constants, type FileHandle, open, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** What a file has to be, so that it is read. */
export interface ReadOptions {
  /** The folder that it lies in, or below; a link that leads out of it is refused. */
  readonly within?: string;
  /** How many bytes it may have; 256 MiB unless given. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 256 * 1024 * 1024;
const CHUNK = 65_536;

/**
 * Reads a regular file whole. A pipe or a device is refused and not waited for: it may never end.
 *
 * @throws {Error} With the system's code, or ours, which say what is wrong with the file.
 */
export async function readFile(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
  const { within, mostBytes = MOST_BYTES } = options;
  const place = within === undefined ? path : await realPathWithin(path, within);
  const { file, size } = await openRegularFile(place);
  try {
    if (size > mostBytes) throw tooLarge(mostBytes);
    const pieces: Uint8Array[] = [];
    // What grows meanwhile, or tells no size as in `/proc`, is read to its end.
    for (let length = 0; ; ) {
      const room = Math.max(CHUNK, Math.min(size - length + 1, mostBytes));
      const { bytesRead, buffer } = await file.read(new Uint8Array(room), 0, room, null);
      if (bytesRead === 0) return joined(pieces, length);
      length += bytesRead;
      if (length > mostBytes) throw tooLarge(mostBytes);
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/**
 * Opens a regular file for reading.
 *
 * @throws {Error} With the system's code, or because it is a pipe, a device or a folder.
 */
export async function openRegularFile(
  path: string,
): Promise<{ readonly file: FileHandle; readonly size: number }> {
  // A pipe that nobody writes to would be waited for; there is no such flag on Windows.
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
  const place = await realpath(path);
  const way = relative(await realpath(folder), place);
  if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return place;
  throw new Error(`it is outside the folder "${folder}"; put a copy there`);
}

function tooLarge(mostBytes: number): Error {
  return new Error(`it is larger than ${mostBytes} bytes`);
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
