import { Buffer } from "node:buffer";
import process from "node:process";

/** How long to wait for the first byte, in milliseconds. */
const TIMEOUT = 5_000;

/** Standard input cannot be read; the message says why and what to do. */
export class StandardInputError extends Error {
  override readonly name = "StandardInputError";
}

/**
 * Reads all of standard input; if it is closed, the text is empty.
 *
 * @throws {StandardInputError} It is not UTF-8, cannot be read, or sends nothing for a while.
 */
export async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const { stdin } = process;
      const timer = setTimeout(() => {
        stdin.pause();
        reject(
          new StandardInputError(
            `Reading standard input failed: it is open, and nothing came within ${TIMEOUT / 1000} s; write -e TEXT, or < /dev/null`,
          ),
        );
      }, TIMEOUT);
      stdin.on("data", (chunk: Uint8Array) => {
        clearTimeout(timer);
        chunks.push(chunk);
      });
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      stdin.on("end", end);
      stdin.on("close", end);
      stdin.on("error", reject);
    });
  } catch (error) {
    if (error instanceof StandardInputError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EISDIR" ? "it is a folder" : message;
    throw new StandardInputError(`Reading standard input failed: ${reason}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new StandardInputError("Reading standard input failed: it is not UTF-8 text");
  }
}
