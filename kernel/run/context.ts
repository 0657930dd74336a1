import { toVisibleLine } from "../../lib/display/mod.ts";
import { LoopBreaker, type Platform } from "../platform/mod.ts";
import {
  captureOutput,
  openRecording,
  RecordingError,
  type RecordingOptions,
  type SessionOptions,
  type SessionRecording,
} from "../session/mod.ts";
import { type Document, DocumentError } from "./document.ts";
import { readDocument } from "./read-document.ts";
import type { DocumentSession } from "./run-in-session.ts";

interface Interruption {
  readonly signal: AbortSignal;
  status(): number;
  /** Does what Ctrl-C does. */
  interrupt(): void;
  release(): void;
}

/** What the documents of one command share. */
export interface CommandContext {
  readonly platform: Platform;
  readonly interruption: Interruption;
  readonly breaker: LoopBreaker;
  /** The URL of the embedded API, if it was started. */
  readonly base: string | undefined;
  readonly recording: SessionRecording;
}

interface CommandSetup extends RecordingOptions {
  readonly demo: boolean;
  readonly now?: () => Date;
  /** Whether the command writes a file at its end, besides a recording. */
  readonly writesFile: boolean;
  /** What is saved if a busy cell can only be ended with the process. */
  readonly saved?: string;
}

/**
 * Runs a command on documents: starts what they share, and reports what a person can mend.
 *
 * @param prepare Reads and checks all that is given, before anything is started or sent.
 * @param run Returns the exit status.
 */
export async function runInContext<T>(
  setup: CommandSetup,
  platform: Platform,
  prepare: () => Promise<T>,
  run: (prepared: T, context: CommandContext) => Promise<number>,
): Promise<number> {
  const { saved, record, recordMissing = false, now } = setup;
  // SIGTERM must not end at once what has a file to write.
  const writesFile = setup.writesFile || record !== undefined || recordMissing;
  const breaker = createBreaker({ writesFile, saved }, platform);
  const interruption = listenForSignals(writesFile, platform, breaker);
  // Until the process ends: what a cell did not await may print or fail at any time.
  const restoreOutput = captureOutput();
  let demo: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    const prepared = await prepare();
    if (setup.demo) {
      const { startDemo } = await import("../demo/mod.ts");
      demo = await startDemo({ port: 0, ...(now === undefined ? {} : { now }) });
    }
    const base = demo?.url;
    const recording = await openRecording(setup, platform);
    try {
      return await run(prepared, { platform, interruption, breaker, base, recording });
    } finally {
      recording.close();
    }
  } catch (error) {
    if (!EXPECTED.some((kind) => error instanceof kind)) {
      restoreOutput();
      throw error;
    }
    const errors = error instanceof UnreadableError ? error.errors : [error as Error];
    for (const { message } of errors as readonly Error[]) {
      platform.stderr.write(`restlab: ${toVisibleLine(message)}\n`);
    }
    return EXIT.usage;
  } finally {
    interruption.release();
    await demo?.close();
  }
}

/**
 * Reads all documents.
 *
 * @throws {UnreadableError} Some cannot be read; all of them are named.
 */
export async function readAll(
  paths: readonly string[],
  platform: Pick<Platform, "readFile">,
): Promise<readonly Document[]> {
  const read = await Promise.allSettled(paths.map((path) => readDocument(path, platform)));
  const errors = read.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  const unexpected = errors.find((error) => !(error instanceof DocumentError));
  if (unexpected !== undefined) throw unexpected;
  if (errors.length > 0) throw new UnreadableError(errors);
  return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

class UnreadableError extends AggregateError {}

/** What a person can mend: a file, or an option. */
const EXPECTED = [DocumentError, UnreadableError, RecordingError];

/** Ends the process at a limit or signal where the runtime cannot end a busy cell. */
function createBreaker(
  { writesFile, saved }: { readonly writesFile: boolean; readonly saved: string | undefined },
  { runtime }: Platform,
): LoopBreaker {
  const { title } = runtime;
  const note = saved === undefined ? "" : `; ${saved}`;
  const exitMessage = `restlab: A cell is busy in code other than its own, which ${title} cannot interrupt: the whole run was ended${note}`;
  return new LoopBreaker({
    signals: writesFile ? ["SIGINT", "SIGTERM"] : ["SIGINT"],
    exitMessage: toVisibleLine(exitMessage),
  });
}

function listenForSignals(
  writesFile: boolean,
  { onInterrupt, onTermination }: Platform,
  breaker: LoopBreaker,
): Interruption {
  const controller = new AbortController();
  let isTerminated = false;
  const end = (): void => {
    breaker.acknowledge();
    controller.abort();
  };
  const terminate = (): void => {
    isTerminated = true;
    end();
  };
  const releases = [onInterrupt(end)];
  if (writesFile) releases.push(onTermination(terminate));
  return {
    signal: controller.signal,
    // A SIGINT may come with a SIGTERM: the latter decides.
    status: () => (isTerminated ? EXIT.terminated : EXIT.interrupted),
    interrupt: end,
    release: () => {
      for (const release of releases) release();
    },
  };
}

/** Options of every command that runs documents. */
export interface DocumentOptions extends RecordingOptions {
  /** Initial variables; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly environment?: string;
  readonly seed?: string;
  /** The clock of generated values, signatures and the embedded API. */
  readonly now?: () => Date;
  /** Whether to start the embedded API on a free port and set `base` to its URL. */
  readonly demo: boolean;
  /** The time limit of each request and each cell, in seconds. */
  readonly timeout?: number;
}

/** The exit statuses of `run`, `test` and `verify`; in all of them a cell may choose another one by `process.exit`. */
export const EXIT = {
  ok: 0,
  cellFailed: 1,
  usage: 2,
  noResponse: 3,
  interrupted: 130,
  terminated: 143,
} as const;

/** Options of `restlab run`. */
export interface RunOptions extends DocumentOptions {
  readonly files: readonly string[];
  /** Where to write the notebook with its outputs: a file, a folder for several, `-` for stdout. */
  readonly output?: string;
  /** Whether the outputs have no times and dates. */
  readonly stable?: boolean;
  readonly keepGoing: boolean;
  /** Whether to print whole answers, one line per request, or one line of JSON per result. */
  readonly form: "shown" | "brief" | "json";
  /** Whether a status of 3xx, 4xx or 5xx makes the exit status 3, 4 or 5. */
  readonly checkStatus: boolean;
  /** Asks the person at the terminal for the values of prompts. */
  readonly ask?: SessionOptions["ask"];
  /** Called with the session of the last document before it is closed. */
  readonly interact?: (opened: DocumentSession, breaker: LoopBreaker) => Promise<void>;
}
