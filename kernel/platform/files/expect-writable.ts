import { access, constants, lstat, stat } from "node:fs/promises";
import { openFileForWriting } from "./open-file-for-writing.ts";

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
