import { messageOf, UnsendableRequestError } from "../../exchange/mod.ts";
import type { BodySource } from "./bodies/mod.ts";

/** How a client accesses files. Without either function, bodies from files are refused. */
export interface FileAccess {
  /** Reads the file of a body such as `< users.json`. */
  readonly readFile?: (path: string) => Promise<Uint8Array>;
  /**
   * Opens the file of a body, as a `Blob` for example. Files above 1 MiB are then streamed and not kept
   * in memory.
   */
  readonly openFile?: (path: string) => Promise<BodySource>;
}

/**
 * Opens a file to send it unchanged, or reads it if the client cannot open files.
 *
 * @throws {UnsendableRequestError} It cannot be read, or the client has no access to files.
 */
export async function openSource(path: string, files: FileAccess): Promise<BodySource> {
  const { openFile } = files;
  if (openFile !== undefined) return await orExplain(path, "the body", () => openFile(path));
  return new Blob([new Uint8Array(await readSource(path, files))]);
}

/**
 * Reads a whole file.
 *
 * @param what What the file is for, for the error message.
 * @throws {UnsendableRequestError} It cannot be read, or the client has no access to files.
 */
export async function readSource(
  path: string,
  files: FileAccess,
  what = "the body",
): Promise<Uint8Array> {
  const { openFile, readFile } = files;
  if (readFile !== undefined) return await orExplain(path, what, () => readFile(path));
  if (openFile !== undefined) {
    return await orExplain(path, what, async () => {
      const stream = (await openFile(path)).stream() as ReadableStream<BufferSource>;
      return new Uint8Array(await new Response(stream).arrayBuffer());
    });
  }
  throw new UnsendableRequestError(
    `Cannot read ${what} from "${path}": this client has no access to files; ` +
      "pass readFile to createClient",
  );
}

async function orExplain<T>(path: string, what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const message = `Cannot read ${what} from "${path}": ${messageOf(cause)}`;
    throw new UnsendableRequestError(message, { cause });
  }
}
