import { chmod, open, stat } from "node:fs/promises";
import process from "node:process";

/**
 * Reads whole lines from the end of a file, and makes the file private to the user.
 *
 * @param maxBytes How much is read of a file that another program has filled.
 * @returns An empty text where the file does not exist.
 * @throws {Error} The file cannot be read, or it is a pipe, for example.
 */
export async function readTail(path: string, maxBytes: number): Promise<string> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
  const file = await open(path, "r");
  try {
    const { size, mode } = await file.stat();
    // Others may have access to an old file.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) await chmod(path, 0o600);
    const start = Math.max(0, size - maxBytes);
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
