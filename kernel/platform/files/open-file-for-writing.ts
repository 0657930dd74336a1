import type { Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import type { FileWriter } from "../../../lib/mod.ts";
import { draftName } from "./draft-name.ts";
import { writingReason } from "./error-reason.ts";

/**
 * Opens a file for writing. Until it is complete, it is in the same folder as `name.….part`. A device, a
 * pipe or a link is written directly: renaming would replace `/dev/null` by a file. A new version of a
 * file has its mode, and its owner if possible, and is private to the user until then.
 *
 * @param options Whether an existing file is replaced; otherwise the new one is called `name-1`, as in
 * JetBrains' client.
 */
export async function openFileForWriting(
  path: string,
  options: { readonly replace: boolean },
): Promise<FileWriter> {
  const before = options.replace ? await statOf(path) : undefined;
  const isDirect = before !== undefined && !before.isFile();
  const draft = isDirect ? path : draftName(path);
  const mode = before === undefined ? 0o666 : 0o600;
  const file = await open(draft, isDirect ? "w" : "wx", mode).catch((error: unknown) => {
    // The message of the system names the draft.
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(writingReason(error)), { code });
  });
  let finalPath = options.replace ? path : await freeName(path);
  let isOpen = true;
  const close = async (handle: FileHandle): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
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

/** @returns Nothing where the path does not exist. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
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
