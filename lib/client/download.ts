import {
  type Exchange,
  type HeaderList,
  type SavedBody,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import {
  type BodyObserver,
  createBodyObserver,
  OWN_OBSERVER,
  type SendOptions,
  type TransferProgress,
} from "../http/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import type { ClientContext } from "./client-session.ts";

/** A file that is being written. It does not exist under its name before it is complete, unless it is resumed. */
export interface FileWriter {
  /** Its path, with another name if the requested one was taken. */
  readonly path: string;
  /** How many bytes it has already, if it is resumed. */
  readonly size?: number | undefined;
  /** Writes the next chunk; of a file that is resumed, after its end. */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the file and gives it its name. */
  commit(): Promise<void>;
  /** Removes what was written; what was written to a file that is resumed stays. */
  discard(): Promise<void>;
}

/** Opens a file for writing. */
export type OpenFileForWriting = (
  path: string,
  options: Pick<DownloadOptions, "resume"> & { readonly replace: boolean },
) => Promise<FileWriter>;

/** Where to save a body. */
interface SaveTarget extends Pick<DownloadOptions, "resume"> {
  /** The path, as `openFileForWriting` understands it. */
  readonly path: string;
  /** Whether to replace an existing file; otherwise the new file gets another name. */
  readonly replace: boolean;
}

/** Options of `client.download`. */
export interface DownloadOptions extends SendOptions {
  /** Whether to replace an existing file; otherwise the new file gets another name. */
  readonly replace?: boolean | undefined;
  /**
   * Continues a file of which an earlier download has saved a part, as `curl -C -` does; a part that is saved now stays
   * as well. If the server has no ranges, or another version of the file, all of it is saved again.
   */
  readonly resume?: boolean | undefined;
}

/** How many bytes of a saved body the exchange keeps, for display. */
const PREVIEW = 64 * 1024;

/**
 * Sends a request and writes the body of its response to a file while it arrives. A body with a status
 * other than 200 to 299 is not written, but kept in the exchange.
 *
 * @throws {UnsendableRequestError} The client cannot write files.
 * @throws What opening, writing or sending throws; no partial file remains, unless it is one to resume.
 */
export async function saveBody(
  { options: { openFileForWriting: open }, session: { partFiles } }: ClientContext,
  target: SaveTarget,
  options: SendOptions,
  send: (options: SendOptions) => Promise<Exchange>,
): Promise<Exchange> {
  if (!open) {
    throw new UnsendableRequestError(
      `Cannot save the body to "${target.path}": this client cannot write files; ` +
        "give createClient an openFileForWriting function",
    );
  }
  const file = new TargetFile(open, target);
  if (target.resume) await file.resume();
  const begun = file.path;
  const validator = begun === undefined ? undefined : partFiles.get(begun);
  const observe = (track: TransferProgress): BodyObserver => {
    if (file.isWritten) {
      throw new UnsendableRequestError(
        `Cannot save another body to "${target.path}": the text has several requests; download each on its own`,
      );
    }
    return new SavingObserver(file, target, options, track, validator);
  };
  try {
    const exchange = await send({ ...options, ...{ [OWN_OBSERVER]: observe } });
    await file.commit();
    if (begun !== undefined) partFiles.delete(begun);
    return exchange;
  } catch (error) {
    await file.discard();
    if (begun !== undefined && file.validator !== undefined) partFiles.set(begun, file.validator);
    throw error;
  }
}

/** The file of a download, which is opened when its first bytes have arrived. */
class TargetFile {
  /** The bytes that it had before. */
  offset = 0;
  /** The bytes that were written to it. */
  written = 0;
  isWritten = false;
  /** Identifies the version of what is written, for `If-Range`. */
  validator: string | undefined;
  readonly #open: OpenFileForWriting;
  readonly #target: SaveTarget;
  #writer: FileWriter | undefined;

  constructor(open: OpenFileForWriting, target: SaveTarget) {
    this.#open = open;
    this.#target = target;
  }

  get path(): string | undefined {
    return this.#writer?.path;
  }

  /** The folder as it was written, with the name that the file got. */
  get shownPath(): string {
    const { path } = this.#target;
    const name = /[^/\\]*$/.exec(this.path ?? path)?.[0] ?? "";
    return path.replace(/[^/\\]*$/, () => name);
  }

  async resume(): Promise<void> {
    const { path } = this.#target;
    this.#writer = await this.#open(path, { replace: true, resume: true }).catch(this.#refuse);
    this.offset = this.#writer.size ?? 0;
  }

  /** Leaves what was there before until all of another version has arrived. */
  async restart(): Promise<void> {
    await this.#writer?.discard();
    this.#writer = undefined;
    this.offset = 0;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { path, replace } = this.#target;
    const isReplaced = replace || this.#target.resume === true;
    this.#writer ??= await this.#open(path, { replace: isReplaced }).catch(this.#refuse);
    this.isWritten = true;
    this.written += bytes.byteLength;
    await this.#writer.write(bytes);
  }

  async commit(): Promise<void> {
    await this.#writer?.commit();
  }

  async discard(): Promise<void> {
    await this.#writer?.discard();
  }

  readonly #refuse = (cause: unknown): never => {
    throw new Error(`Cannot save the body to "${this.#target.path}": ${messageOf(cause)}`, {
      cause,
    });
  };
}

/** Writes a response to a file. */
class SavingObserver implements BodyObserver {
  readonly isConsumed = true;
  readonly headers: HeaderList;
  readonly #file: TargetFile;
  readonly #target: SaveTarget;
  readonly #options: SendOptions;
  readonly #watch: BodyObserver;
  #isDownload = false;
  /** Whether the file had all bytes before. */
  #isComplete = false;
  /** Whether the server sends all of it although a part was asked for. */
  #restarts = false;
  #status = "";

  constructor(
    file: TargetFile,
    target: SaveTarget,
    options: SendOptions,
    track: TransferProgress,
    validator: string | undefined,
  ) {
    this.#file = file;
    this.#target = target;
    this.#options = options;
    const { onHeaders } = options;
    this.#watch = createBodyObserver(
      {
        ...options,
        onHeaders: (head) =>
          onHeaders?.(this.#isDownload ? { ...head, savedTo: target.path } : head),
      },
      track,
    );
    this.headers = target.resume ? rangeHeaders(file.offset, validator) : [];
  }

  get keepBytes(): number | undefined {
    return this.#isDownload ? PREVIEW : this.#options.keepBytes;
  }

  get saved(): SavedBody | undefined {
    const { isWritten, shownPath: path, written: bytes, offset } = this.#file;
    if (!isWritten && !this.#isComplete) return undefined;
    return { path, bytes, ...(offset > 0 && { offset }) };
  }

  get warning(): string | undefined {
    if (this.saved !== undefined) return undefined;
    return `Nothing was saved to "${this.#target.path}": the status is ${this.#status}`;
  }

  begin(response: Response, url: string, start: number): void {
    const { status, statusText, headers } = response;
    const file = this.#file;
    this.#status = `${status} ${statusText}`.trim();
    this.#isDownload = status >= 200 && status <= 299;
    const range = headers.get("content-range") ?? "";
    this.#isComplete = status === 416 && file.offset > 0 && range === `bytes */${file.offset}`;
    if (status === 206 && file.offset > 0 && !range.startsWith(`bytes ${file.offset}-`)) {
      throw new UnsendableRequestError(
        `Cannot continue "${this.#target.path}" after its ${file.offset} bytes: the server returned "${range}" of it; save it again without resuming`,
      );
    }
    this.#restarts = this.#isDownload && status !== 206 && file.offset > 0;
    if (this.#isDownload && !this.#restarts) file.validator = validatorOf(headers);
    this.#watch.begin(response, url, start);
  }

  async chunk(bytes: Uint8Array): Promise<void> {
    await this.#watch.chunk(bytes);
    if (this.#isDownload) await this.#write(bytes);
  }

  async end(isWhole: boolean): Promise<void> {
    await this.#watch.end(isWhole);
    if (this.#isDownload && isWhole) await this.#write(new Uint8Array(0));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#restarts) await this.#file.restart();
    this.#restarts = false;
    await this.#file.write(bytes);
  }
}

/** Asks for what a file does not have yet, uncompressed: the bytes of a range are those of the transfer. */
function rangeHeaders(offset: number, validator: string | undefined): HeaderList {
  const identity = ["Accept-Encoding", "identity"] as const;
  if (offset === 0) return [identity];
  const range = ["Range", `bytes=${offset}-`] as const;
  return [identity, range, ...(validator === undefined ? [] : [["If-Range", validator] as const])];
}

/** A weak ETag does not promise the same bytes (RFC 9110, section 13.1.5). */
function validatorOf(headers: Headers): string | undefined {
  const tag = headers.get("etag");
  return (tag?.startsWith('"') ? tag : headers.get("last-modified")) ?? undefined;
}
