import { existsSync } from "node:fs";
import { constants, type FileHandle, open, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";

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
async function openRegularFile(
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

/** A file that is read as a stream. */
export interface OpenedFile {
  /** The size in bytes. */
  readonly size: number;
  /** Creates a stream that begins at the beginning of the file. */
  stream(): ReadableStream<Uint8Array>;
}

/** Opens a file for streaming. */
export async function openFile(path: string): Promise<OpenedFile> {
  // Opened here for its error, which would otherwise come in the middle of a request.
  const { file, size } = await openRegularFile(path);
  await file.close();
  return {
    size,
    stream: () => streamFile(path),
  };
}

function streamFile(path: string): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  const close = async (): Promise<void> => {
    await file?.close();
    file = undefined;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          file ??= (await openRegularFile(path)).file;
          const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK), 0, CHUNK, null);
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        } catch (error) {
          await close();
          throw error;
        }
        await close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  );
}

const READING: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder",
  EACCES: "permission is denied",
};

const WRITING: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder; name a file",
  EACCES: "permission is denied",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
};

/** Why a file cannot be read, in words, from an error of the operating system. */
export function readingReason(error: unknown): string {
  return reasonIn(READING, error);
}

/** Why a file cannot be written. */
export function writingReason(error: unknown): string {
  return reasonIn(WRITING, error);
}

function reasonIn(reasons: Readonly<Record<string, string>>, error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/**
 * A folder and those above it up to the root of its repository, the one with `.git`; the folder alone where
 * it lies in no repository.
 *
 * @param folder An absolute path.
 * @returns Absolute paths, the folder itself first.
 */
export function foldersUpToRoot(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) folders.push(at);
    if (existsSync(join(at, ".git"))) return folders;
    if (dirname(at) === at) return [folder];
  }
}

/** The folders of a user, by the variable that sets them and their default. */
const KINDS = {
  state: { variable: "XDG_STATE_HOME", fallback: [".local", "state"] },
  config: { variable: "XDG_CONFIG_HOME", fallback: [".config"] },
  cache: { variable: "XDG_CACHE_HOME", fallback: [".cache"] },
} as const;

/**
 * The folder of restlab for one kind of data.
 *
 * @param home Returns the user's home, or throws.
 * @returns An absolute path; nothing for a user without a home, as in some containers.
 * @see https://specifications.freedesktop.org/basedir-spec
 */
export function userFolder(
  kind: keyof typeof KINDS,
  environment: Readonly<Record<string, string | undefined>>,
  home: () => string = homedir,
): string | undefined {
  const { variable, fallback } = KINDS[kind];
  const given = environment[variable] ?? environment["LOCALAPPDATA"];
  if (given?.startsWith("/") || /^[A-Z]:/i.test(given ?? "")) return join(given ?? "", "restlab");
  const place = findHome(home);
  return place && join(place, ...fallback, "restlab");
}

/** The home of the user; nothing for a user without one, as in containers with an arbitrary user id. */
export function findHome(home: () => string = homedir): string | undefined {
  try {
    return home();
  } catch {
    // Node throws for a user id that is not in the user database.
    return undefined;
  }
}
