import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import {
  access,
  constants,
  type FileHandle,
  link,
  lstat,
  open,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import type { DocumentFrame, FileWriter, GrowingFile } from "../../lib/mod.ts";
import { writingReason } from "./read-file.ts";

/**
 * Opens a file for writing. Until it is complete, it is in the same folder as `name.….part`. A device, a
 * pipe or a link is written directly: renaming would replace `/dev/null` by a file. A new version of a
 * file has its mode, and its owner if possible, and is private to the user until then.
 *
 * @param options Whether an existing file is replaced; otherwise the new one is called `name-1`, as in
 * JetBrains' client. Or whether a part of it, which an earlier download has left, is continued.
 */
export async function openFileForWriting(
  path: string,
  options: { readonly replace: boolean; readonly resume?: boolean | undefined },
): Promise<FileWriter> {
  if (options.resume) return await continueFile(path);
  const before = options.replace ? await statOf(path) : undefined;
  const isDirect = before !== undefined && !before.isFile();
  const draft = isDirect ? path : draftName(path);
  const mode = before === undefined ? 0o666 : 0o600;
  const file = await open(draft, isDirect ? "w" : "wx", mode).catch((error: unknown) => {
    // The message of the system names the draft.
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(writingReason(error)), { code });
  });
  if (!isDirect && drafts.add(draft).size === 1) process.on("exit", removeDrafts);
  let finalPath = options.replace ? path : await freeName(path);
  let isOpen = true;
  const close = async (handle: FileHandle): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    if (drafts.delete(draft) && drafts.size === 0) process.off("exit", removeDrafts);
    await handle.close();
  };
  return {
    get path() {
      return finalPath;
    },
    write: async (bytes) => {
      for (let at = 0; at < bytes.byteLength; ) {
        at += (await file.write(bytes, at, bytes.byteLength - at, null)).bytesWritten;
      }
    },
    commit: async () => {
      if (isOpen && before?.isFile()) await copyOwnership(file, before);
      await close(file);
      if (isDirect) return;
      if (options.replace) await rename(draft, path);
      else finalPath = await takeName(draft, path, finalPath);
    },
    discard: async () => {
      await close(file);
      if (!isDirect) await rm(draft, { force: true });
    },
  };
}

/** The drafts that are open, which go with a process that ends. */
const drafts = new Set<string>();

function removeDrafts(): void {
  for (const draft of drafts) rmSync(draft, { force: true });
}

/** Opens a file to write after its end. It is created with its first bytes, and is never removed. */
async function continueFile(path: string): Promise<FileWriter> {
  // The size of a link would be that of its path.
  const { size } = (await statOf(path)) === undefined ? { size: 0 } : await stat(path);
  let file: FileHandle | undefined;
  const close = async (): Promise<void> => await file?.close();
  return {
    path,
    size,
    write: async (bytes) => {
      file ??= await open(path, "a");
      await file.appendFile(bytes);
    },
    commit: close,
    discard: close,
  };
}

/** @returns Nothing where the path does not exist. */
async function statOf(path: string): Promise<Stats | undefined> {
  return await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}

async function copyOwnership(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) {
    // Only root may change the owner; members may set their group.
    await file
      .chown(uid, gid)
      .catch(() => file.chown(own.uid, gid))
      .catch(() => undefined);
  }
  // Another group gets the rights of everybody, not those of the old group.
  const isKept = (await file.stat()).gid === gid;
  await file.chmod(isKept ? mode & 0o777 : (mode & 0o707) | ((mode & 0o007) << 3));
}

async function freeName(path: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = numbered(path, number);
    if ((await statOf(name)) === undefined) return name;
  }
}

/** By a hard link, which fails where the name is taken by now; renaming would replace that file. */
async function takeName(draft: string, path: string, wanted: string): Promise<string> {
  for (let name = wanted; ; name = await freeName(path)) {
    try {
      await link(draft, name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") continue;
      // Some file systems have no hard links.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      await rename(draft, name);
      return name;
    }
    await rm(draft, { force: true });
    return name;
  }
}

function numbered(path: string, number: number): string {
  if (number === 0) return path;
  const [, stem = path, ending = ""] = /^(.*[^/\\])(\.[^./\\]+)$/s.exec(path) ?? [];
  return `${stem}-${number}${ending}`;
}

/** The exit status of a process that SIGTERM has ended. */
const TERMINATED = 143;

/**
 * Opens a document that is written part by part, as `name.….part` in the same folder, which only the user
 * may read. It is complete after each part, and gets its name when it is committed, or else when the process
 * ends. It writes synchronously: when a process exits, nothing else works.
 */
export function openGrowingFile(
  path: string,
  { head, separator, tail }: DocumentFrame,
): GrowingFile {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before !== undefined && !before.isFile()) throw new Error("it is not a regular file");
  const draft = draftName(path);
  const file = openDraft(draft, before === undefined ? 0o600 : before.mode & 0o777);
  let end = write(head + tail, 0) - Buffer.byteLength(tail);
  let isEmpty = true;
  let isOpen = true;

  function write(text: string, position: number): number {
    const bytes = Buffer.from(text);
    let at = 0;
    while (at < bytes.byteLength) {
      at += writeSync(file, bytes, at, bytes.byteLength - at, position + at);
    }
    return position + at;
  }

  function close(): boolean {
    if (!isOpen) return false;
    isOpen = false;
    process.off("exit", commit);
    process.off("SIGTERM", terminate);
    closeSync(file);
    return true;
  }

  function commit(): void {
    if (!close()) return;
    if (isEmpty) rmSync(draft, { force: true });
    else renameSync(draft, path);
  }

  function terminate(): void {
    commit();
    // The signal does not end a process that handles it.
    if (process.listenerCount("SIGTERM") === 0) process.exit(TERMINATED);
  }

  process.on("exit", commit);
  process.on("SIGTERM", terminate);
  return {
    path,
    append(part) {
      if (!isOpen) return;
      const from = end;
      end = write((isEmpty ? "" : separator) + part + tail, from) - Buffer.byteLength(tail);
      isEmpty = false;
    },
    commit,
    discard() {
      if (close()) rmSync(draft, { force: true });
    },
  };
}

/** The message of the operating system names the draft, which nobody knows. */
function openDraft(path: string, mode: number): number {
  try {
    return openSync(path, "wx", mode);
  } catch (cause) {
    throw new Error(writingReason(cause), { cause });
  }
}

/**
 * The path of a file while it is written: beside the final one, and random, since somebody who could
 * guess it could place a link there.
 */
export function draftName(path: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return `${path}.${Buffer.from(bytes).toString("base64url")}.part`;
}

/** Replaces a file in one step: after a crash the old file or the new one is there. */
export async function writeFile(path: string, text: string): Promise<void> {
  const file = await openFileForWriting(path, { replace: true });
  try {
    await file.write(new TextEncoder().encode(text));
    await file.commit();
  } finally {
    await file.discard();
  }
}

/**
 * Checks that a file can be written, and changes nothing: a device, a pipe or a link is not opened, which would
 * empty what it stands for.
 *
 * @throws {Error} It cannot, and the error is that of the operating system.
 */
export async function expectWritable(path: string): Promise<void> {
  const before = await lstat(path).catch(() => undefined);
  if (before !== undefined) await access(path, constants.W_OK);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  if (before !== undefined && !before.isFile()) return;
  const file = await openFileForWriting(path, { replace: true });
  await file.discard();
}

/**
 * Creates a folder and its parents. Node's option `recursive` never returns on file systems such as
 * `/proc`, which report an existing parent as missing.
 *
 * @param mode The mode of each folder that is created.
 * @throws {Error} With the code of the system.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
