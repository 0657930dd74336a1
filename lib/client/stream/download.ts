import type { Exchange } from "../../exchange/mod.ts";
import { UnsendableRequestError } from "../../exchange/mod.ts";
import type { SendOptions } from "../../http/mod.ts";
import {
  type BodyObserver,
  createBodyObserver,
  OWN_OBSERVER,
  type TransferProgress,
} from "../../http/mod.ts";

/** A file that is being written. Nothing stands under its name before it is whole. */
export interface FileWriter {
  /** Where it will stand: another name where the wanted one was taken. */
  readonly path: string;
  /** Writes the next piece. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the file well and gives it its name. */
  commit(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Opens a file for writing; `replace` says whether one of that name may be replaced. */
export type OpenFileForWriting = (
  path: string,
  options: { readonly replace: boolean },
) => Promise<FileWriter>;

/** Where a body is to be saved. */
export interface SaveTarget {
  /** The file, as the one who opens it understands it. */
  readonly path: string;
  /** Whether a file of that name is replaced; else the new one gets a name of its own. */
  readonly replace: boolean;
}

/** Options of `client.download`. */
export interface DownloadOptions extends SendOptions {
  /** Whether a file of that name is replaced; else the new one gets a name of its own. */
  readonly replace?: boolean;
}

/** So much of a body that is saved stays in its exchange, to be looked at. */
const PREVIEW = 64 * 1024;

/**
 * Sends a request and writes the body of its answer into a file, as it comes. Bodies of other
 * statuses than 200 to 299 are no downloads: they stay in the exchange.
 *
 * @throws {UnsendableRequestError} There is no way to write files.
 * @throws What opening, writing or sending throws; no partial file stays behind.
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
    const exchange = await send({ ...options, ...{ [OWN_OBSERVER]: arrive } });
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
    const state = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot save the body to "${path}": ${state}`, { cause });
  }

  function arrive(track: TransferProgress): BodyObserver {
    const watch = createBodyObserver(options, track);
    let isDownload = false;
    let status = "";
    return {
      isUntimed: true,
      get keepBytes() {
        return isDownload ? PREVIEW : options.keepBytes;
      },
      get warning() {
        if (writer) return `The body of ${written} bytes was saved to "${writer.path}"`;
        return `Nothing was saved to "${path}": the answer is ${status}`;
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
