import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import process from "node:process";
import { isReplaceable } from "./is-replaceable.ts";

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
 * Opens a file for writing. Until it is whole it stands beside its place as `name.part`, but for a
 * device, a pipe or a link to be replaced, which is written through.
 *
 * @param options Whether a file of that name is replaced; else the new one is called `name-1`, as in
 * JetBrains' client.
 */
export async function openFileForWriting(
  path: string,
  options: { readonly replace: boolean },
): Promise<FileBeingWritten> {
  const isThrough = options.replace && !(await isReplaceable(path));
  const draft = isThrough ? path : `${path}.${process.pid}-${Date.now()}.part`;
  const file = await open(draft, isThrough ? "w" : "wx");
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

async function freeName(path: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = numbered(path, number);
    try {
      await lstat(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return name;
      throw error;
    }
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
