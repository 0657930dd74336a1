import { type Exchange, messageOf, UnsendableRequestError } from "../exchange/mod.ts";
import {
  type BodyObserver,
  createBodyObserver,
  OWN_OBSERVER,
  type SendOptions,
  type TransferProgress,
} from "../http/mod.ts";

/** A file that is being written. It does not exist under its name before it is complete. */
export interface FileWriter {
  /** Its path, with another name if the requested one was taken. */
  readonly path: string;
  /** Writes the next chunk. */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the file and gives it its name. */
  commit(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Opens a file for writing; `replace` is whether an existing file may be replaced. */
export type OpenFileForWriting = (
  path: string,
  options: { readonly replace: boolean },
) => Promise<FileWriter>;

/** Where to save a body. */
interface SaveTarget {
  /** The path, as `openFileForWriting` understands it. */
  readonly path: string;
  /** Whether to replace an existing file; otherwise the new file gets another name. */
  readonly replace: boolean;
}

/** Options of `client.download`. */
export interface DownloadOptions extends SendOptions {
  /** Whether to replace an existing file; otherwise the new file gets another name. */
  readonly replace?: boolean;
}

/** How many bytes of a saved body the exchange keeps, for display. */
const PREVIEW = 64 * 1024;

/**
 * Sends a request and writes the body of its response to a file while it arrives. A body with a status
 * other than 200 to 299 is not written, but kept in the exchange.
 *
 * @throws {UnsendableRequestError} The client cannot write files.
 * @throws What opening, writing or sending throws; no partial file remains.
 */
export async function saveBody(
  open: OpenFileForWriting | undefined,
  target: SaveTarget,
  options: SendOptions,
  send: (options: SendOptions) => Promise<Exchange>,
): Promise<Exchange> {
  const { path, replace } = target;
  if (!open) {
    throw new UnsendableRequestError(
      `Cannot save the body to "${path}": this client cannot write files; ` +
        "give createClient an openFileForWriting function",
    );
  }
  const openFile = open;
  let writer: FileWriter | undefined;
  let written = 0;
  try {
    const exchange = await send({ ...options, ...{ [OWN_OBSERVER]: observe } });
    await writer?.commit();
    return exchange;
  } catch (error) {
    await writer?.discard();
    throw error;
  }

  async function write(bytes: Uint8Array): Promise<void> {
    writer ??= await openFile(path, { replace }).catch(refused);
    written += bytes.byteLength;
    await writer.write(bytes);
  }

  function refused(cause: unknown): never {
    throw new Error(`Cannot save the body to "${path}": ${messageOf(cause)}`, { cause });
  }

  function observe(track: TransferProgress): BodyObserver {
    if (writer !== undefined) {
      throw new UnsendableRequestError(
        `Cannot save another body to "${path}": the text has several requests; download each on its own`,
      );
    }
    const watch = createBodyObserver(options, track);
    let isDownload = false;
    let status = "";
    return {
      isUntimed: true,
      get keepBytes() {
        return isDownload ? PREVIEW : options.keepBytes;
      },
      get note() {
        return writer && `The body of ${written} bytes was saved to "${writer.path}"`;
      },
      get warning() {
        return writer ? undefined : `Nothing was saved to "${path}": the status is ${status}`;
      },
      begin(response, url, start) {
        isDownload = response.status >= 200 && response.status <= 299;
        status = `${response.status} ${response.statusText}`.trim();
        watch.begin(response, url, start);
      },
      async chunk(bytes) {
        await watch.chunk(bytes);
        if (isDownload) await write(bytes);
      },
      async end(isWhole) {
        await watch.end(isWhole);
        if (isDownload && isWhole) await write(new Uint8Array(0));
      },
    };
  }
}
