import { UnsendableRequestError } from "../../exchange/mod.ts";
import type { BodySource } from "./bodies/mod.ts";

/** How a client gets at files; both are handed in. */
export interface FileAccess {
  /** Reads the file of a body such as `< users.json`; without it such bodies are refused. */
  readonly readFile?: (path: string) => Promise<Uint8Array>;
  /**
   * Opens the file of a body to be streamed, a `Blob` for example; files above 1 MiB are not held in
   * memory then.
   */
  readonly openFile?: (path: string) => Promise<BodySource>;
}

/**
 * Opens a file that is sent as it is: streamed where the client can open files, read where it can
 * only read them.
 *
 * @throws {UnsendableRequestError} It is not there, or the client has no access to files.
 */
export async function openSource(path: string, files: FileAccess): Promise<BodySource> {
  const { openFile } = files;
  if (openFile !== undefined) return await orExplain(path, "the body", () => openFile(path));
  return new Blob([new Uint8Array(await readSource(path, files))]);
}

/**
 * Reads a file whole.
 *
 * @param path The file.
 * @param files How the client gets at files.
 * @param what What the file is for, as the error says it.
 * @throws {UnsendableRequestError} It is not there, or the client has no access to files.
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
      "give createClient a readFile function",
  );
}

async function orExplain<T>(path: string, what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const state = cause instanceof Error ? cause.message : String(cause);
    throw new UnsendableRequestError(`Cannot read ${what} from "${path}": ${state}`, { cause });
  }
}
