import { Buffer } from "node:buffer";
import process from "node:process";

/** How long the first byte is waited for, in milliseconds: an input that nobody writes to has none. */
const PATIENCE = 5_000;

/** Standard input cannot be used; the message says why and what to do. */
export class StandardInputError extends Error {
  override readonly name = "StandardInputError";
}

/**
 * Reads all of standard input. One that is closed or empty is empty text; one that stays open and
 * silent is not waited for.
 *
 * @throws {StandardInputError} It is no text, cannot be read, or stays silent.
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
            `Reading standard input failed: it is open, and nothing came within ${PATIENCE / 1000} s; write -e TEXT, or < /dev/null`,
          ),
        );
      }, PATIENCE);
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
