import { chmod, open, stat } from "node:fs/promises";
import process from "node:process";

/**
 * Reads the end of a file of lines, from the beginning of a line on. A file that others may read is
 * closed to them.
 *
 * @param path The file.
 * @param mostBytes How much is read of a file that somebody has made large.
 * @returns Whole lines; nothing where there is no file yet.
 * @throws {Error} Where it cannot be read or is something else, a pipe for example.
 */
export async function readTail(path: string, mostBytes: number): Promise<string> {
  try {
    // A pipe would be waited for.
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
  const file = await open(path, "r");
  try {
    const { size, mode } = await file.stat();
    // An old file may be open to others.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) await chmod(path, 0o600);
    const start = Math.max(0, size - mostBytes);
    const { bytesRead, buffer } = await file.read(
      new Uint8Array(size - start),
      0,
      size - start,
      start,
    );
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead));
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await file.close();
  }
}
