import { resolve } from "node:path";
import {
  type ClientOptions,
  createRecorder,
  createReplay,
  type Recorder,
  type Recording,
  readHar,
} from "../../lib/mod.ts";
import { openGrowingFile, openWebSocket, readingReason } from "../platform/mod.ts";

/** What a command records, and what it is answered from. */
export interface RecordingOptions {
  /** The HAR file to write. */
  readonly record?: string;
  /** The HAR file that answers the requests. */
  readonly replay?: string;
  /** Whether requests that `replay` does not have are sent, and added to it. */
  readonly recordMissing?: boolean;
}

/** The recording of a command, which its sessions share. */
export interface SessionRecording {
  /** Options of the client of each session. */
  readonly client: Pick<ClientOptions, "replay" | "openWebSocket" | "onExchange">;
  /**
   * Returns the seed of the generated values of the next session, so that a replay generates the same.
   * Sessions do not share one: their values would be the same.
   */
  nextSeed(): string | undefined;
  /**
   * Completes the files.
   *
   * @throws {RecordingError} A file could not be written; the others are complete.
   */
  close(): void;
}

/** A recording cannot be read or written; the message says why. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/**
 * Opens the files of a command.
 *
 * @throws {RecordingError} A file cannot be read or written, or the options contradict each other.
 */
export async function openRecording(
  { record, replay, recordMissing = false }: RecordingOptions,
  files: {
    readonly directory: string;
    readonly readFile: (path: string) => Promise<Uint8Array>;
  },
): Promise<SessionRecording> {
  const at = (path: string): string => resolve(files.directory, path);
  if (recordMissing && replay === undefined) {
    throw new RecordingError("--record-missing needs --replay FILE, to which it adds requests");
  }
  if (record !== undefined && replay !== undefined && at(record) === at(replay)) {
    throw new RecordingError(
      "--record and --replay name the same file: write --replay FILE --record-missing to add to it",
    );
  }
  const recording = replay === undefined ? undefined : await read(replay, files.readFile);
  const seed =
    recording === undefined && record !== undefined ? crypto.randomUUID() : recording?.seed;
  const recorders: Recorder[] = [];
  const open: typeof openGrowingFile = (name, frame) => openGrowingFile(at(name), frame);
  const start = async (path: string, adds?: Recording): Promise<void> => {
    recorders.push(await expected(() => createRecorder(open, path, { adds, seed })));
  };
  if (record !== undefined) await start(record);
  if (recordMissing && replay !== undefined) await start(replay, recording);
  let sessions = 0;
  return {
    client: {
      ...(recording &&
        createReplay(recording, {
          sendMissing: recordMissing,
          openWebSocket,
          advice: "Send and record it with --record-missing",
        })),
      onExchange: (exchange) => {
        for (const recorder of recorders) recorder.add(exchange);
      },
    },
    nextSeed() {
      sessions += 1;
      return seed === undefined || sessions === 1 ? seed : `${seed}-${sessions - 1}`;
    },
    close() {
      const failures = recorders.flatMap((recorder) => {
        try {
          recorder.stop();
          return [];
        } catch (error) {
          return [new RecordingError((error as Error).message, { cause: error })];
        }
      });
      if (failures[0] !== undefined) throw failures[0];
    },
  };
}

async function read(
  path: string,
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<Recording> {
  return await expected(async () => {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(path);
    } catch (cause) {
      throw new Error(`Cannot read "${path}": ${readingReason(cause)}`, { cause });
    }
    return readHar(bytes, path);
  });
}

async function expected<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new RecordingError((error as Error).message, { cause: error });
  }
}
