import { lstat } from "node:fs/promises";

/**
 * Whether a file may be written beside its place and then renamed onto it. A device, a pipe or a link
 * is written through: a rename would put a file where `/dev/null` was.
 *
 * @throws What looking at it throws, for example that one of its folders may not be entered.
 */
export async function isReplaceable(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}
