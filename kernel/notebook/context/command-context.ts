import { toVisibleLine } from "../../../lib/display/mod.ts";
import { LoopBreaker, type Platform } from "../../platform/mod.ts";
import {
  captureOutput,
  openRecording,
  RecordingError,
  type RecordingOptions,
  type SessionRecording,
} from "../../session/mod.ts";
import { type Document, DocumentError, readDocument } from "../document/mod.ts";
import { EXIT } from "./exit-status.ts";

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
      const { startDemo } = await import("../../demo/mod.ts");
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
