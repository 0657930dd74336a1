import type { Exchange } from "../exchange/mod.ts";
import { version } from "../http/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import type { Recording } from "./read-har.ts";
import { toHarEntries } from "./to-entries.ts";

/** The text around the parts of a document that grows at its end. */
export interface DocumentFrame {
  /** The text before the first part. */
  readonly head: string;
  /** The text between two parts. */
  readonly separator: string;
  /** The text after the last part. */
  readonly tail: string;
}

/**
 * A document that is written part by part. Under its temporary name it is complete after each part; it
 * does not exist under its own name before it is committed.
 */
export interface GrowingFile {
  /** The path. */
  readonly path: string;
  /** Writes a part at the end. */
  append(part: string): void;
  /** Gives the document its name; one without parts is removed. */
  commit(): void;
  /** Removes it. */
  discard(): void;
}

/** Opens a document for writing, which only the user may read. */
export type OpenGrowingFile = (
  path: string,
  frame: DocumentFrame,
) => GrowingFile | Promise<GrowingFile>;

/** Writes the exchanges of clients to a HAR file. */
export interface Recorder {
  /** The path of the file. */
  readonly path: string;
  /** How many requests were recorded. */
  readonly count: number;
  /** Adds an exchange. It never throws: {@link Recorder.stop} reports what could not be written. */
  add(exchange: Exchange): void;
  /**
   * Completes the file, which exists under its name from then on. Without a request there is none, and one
   * of an earlier recording stays.
   *
   * @throws {Error} The file could not be written.
   */
  stop(): void;
}

/** Options of {@link createRecorder}. */
export interface RecorderOptions {
  /** A recording that is kept, and to which only what was sent is added. */
  readonly adds?: Recording | undefined;
  /** The seed of the generated values, which a replay uses as well. */
  readonly seed?: string | undefined;
}

/** Creates a recorder. Each entry is written when it is added, so that none stays in memory. */
export async function createRecorder(
  open: OpenGrowingFile,
  path: string,
  { adds, seed = adds?.seed }: RecorderOptions = {},
): Promise<Recorder> {
  const file = await openFile(open, path, frameOf(seed));
  let count = 0;
  let isStopped = false;
  let failure: unknown;
  const append = (exchange: Exchange): void => {
    for (const entry of toTexts(exchange, adds !== undefined)) {
      if (count === 0) for (const before of adds?.raw ?? []) file.append(JSON.stringify(before));
      file.append(entry);
      count += 1;
    }
  };
  return {
    path: file.path,
    get count() {
      return count;
    },
    add(exchange) {
      if (isStopped || failure !== undefined) return;
      try {
        append(exchange);
      } catch (error) {
        failure = error;
      }
    },
    stop() {
      if (isStopped) return;
      isStopped = true;
      try {
        file.commit();
      } catch (error) {
        failure ??= error;
      }
      if (failure === undefined) return;
      throw new Error(`Recording to "${path}" failed: ${messageOf(failure)}`, { cause: failure });
    },
  };
}

/** What cannot be written as text, since it is nested too deeply or too long, does not end the recording. */
function toTexts(exchange: Exchange, onlySent: boolean): readonly string[] {
  const write = (omission?: string): readonly string[] =>
    toHarEntries(exchange, { onlySent, omission }).map((entry) => JSON.stringify(entry));
  try {
    return write();
  } catch (error) {
    return write(messageOf(error));
  }
}

async function openFile(
  open: OpenGrowingFile,
  path: string,
  frame: DocumentFrame,
): Promise<GrowingFile> {
  try {
    return await open(path, frame);
  } catch (cause) {
    throw new Error(`Cannot record to "${path}": ${messageOf(cause)}`, { cause });
  }
}

function frameOf(seed: string | undefined): DocumentFrame {
  const creator = JSON.stringify({ name: "restlab", version });
  const repeatable = seed === undefined ? "" : `"_seed":${JSON.stringify(seed)},`;
  return {
    head: `{"log":{"version":"1.2","creator":${creator},${repeatable}"pages":[],"entries":[\n`,
    separator: ",\n",
    tail: "\n]}}\n",
  };
}
