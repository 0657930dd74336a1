import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";

/** A file that is being written under another name. */
export interface FileBeingWritten {
  /** Where it will stand. */
  readonly path: string;
  /** Adds bytes at its end. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives it its name: it is whole. */
  commit(): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
}

/**
 * Opens a file for writing. Until it is whole it stands beside its place as `name.….part`, but for a
 * device, a pipe or a link to be replaced, which is written through: a rename would put a file where
 * `/dev/null` was. What takes the place of a file has its mode, and its owner where that can be, and is nobody
 * else's before.
 *
 * @param options Whether a file of that name is replaced; else the new one is called `name-1`, as in
 * JetBrains' client.
 */
export async function openFileForWriting(
  path: string,
  options: { readonly replace: boolean },
): Promise<FileBeingWritten> {
  const before = options.replace ? await lookAt(path) : undefined;
  const isThrough = before !== undefined && !before.isFile();
  // A name that nobody guesses: who could, would lay a link there.
  const draft = isThrough ? path : `${path}.${randomBytes(9).toString("base64url")}.part`;
  const file = await open(draft, isThrough ? "w" : "wx", before === undefined ? 0o666 : 0o600);
  let place = options.replace ? path : await freeName(path);
  let isOpen = true;
  const close = async (handle: FileHandle): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
  };
  return {
    get path() {
      return place;
    },
    write: async (bytes) => {
      for (let at = 0; at < bytes.byteLength; ) {
        at += (await file.write(bytes, at, bytes.byteLength - at, null)).bytesWritten;
      }
    },
    commit: async () => {
      if (isOpen && before?.isFile()) await makeAlike(file, before);
      await close(file);
      if (isThrough) return;
      if (options.replace) await rename(draft, path);
      else place = await takeName(draft, path, place);
    },
    discard: async () => {
      await close(file);
      if (!isThrough) await rm(draft, { force: true });
    },
  };
}

/** Nothing where nothing is; what cannot be looked at is an error. */
async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function makeAlike(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) {
    // Only root gives files away; a group takes those of its members.
    await file
      .chown(uid, gid)
      .catch(() => file.chown(own.uid, gid))
      .catch(() => undefined);
  }
  // A group that could not be kept had rights that another one is not to have.
  const isKept = (await file.stat()).gid === gid;
  await file.chmod(isKept ? mode & 0o777 : (mode & 0o707) | ((mode & 0o007) << 3));
}

async function freeName(path: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = numbered(path, number);
    if ((await lookAt(name)) === undefined) return name;
  }
}

/** A link fails where the name has been taken in the meantime; renaming would replace that file. */
async function takeName(draft: string, path: string, wanted: string): Promise<string> {
  for (let name = wanted; ; name = await freeName(path)) {
    try {
      await link(draft, name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") continue;
      // Some file systems have no links.
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
