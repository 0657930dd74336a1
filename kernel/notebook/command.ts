import { toVisibleLine } from "../../lib/display/mod.ts";
import { LoopBreaker, type Platform } from "../platform/mod.ts";
import {
  captureOutput,
  openRecording,
  RecordingError,
  type SessionRecording,
} from "../session/mod.ts";
import {
  checkOutput,
  type Document,
  DocumentError,
  findDocuments,
  readDocument,
} from "./document/mod.ts";
import { openSession } from "./open-session.ts";
import { EXIT, type RunOptions } from "./options.ts";
import { prepareClient } from "./prepare-client.ts";
import { type DocumentRun, runDocument } from "./run/mod.ts";
import { createSaver } from "./save.ts";
import { TerminalReporter } from "./terminal-reporter.ts";

/**
 * `restlab run`: reads all files first, so that a wrong name sends nothing, then runs them in order,
 * each in a session of its own.
 *
 * @returns The exit status, one of {@link EXIT}.
 */
export async function runCommand(given: RunOptions, platform: Platform): Promise<number> {
  const options = { ...given, files: await findDocuments(given.files) };
  const breaker = createBreaker(options, platform);
  const interruption = listenForSignals(options, platform, breaker);
  // Until the process ends: what a cell did not await may print or fail at any time.
  const restoreOutput = captureOutput();
  let demo: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    const documents = await readAll(options, platform);
    if (options.output !== undefined) await checkOutput(options.output, documents);
    await options.observer?.documentsRead(documents);
    if (options.demo) demo = await (await import("../demo/mod.ts")).startDemo({ port: 0 });
    const base = demo?.url;
    const recording = await openRecording(options, platform);
    try {
      return await runAll(documents, { options, platform, interruption, breaker, base, recording });
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

/** Ends the process at a limit or signal where the runtime cannot end a busy cell. */
function createBreaker(options: RunOptions, { runtime }: Platform): LoopBreaker {
  const { output } = options;
  const { title } = runtime;
  const saved = output === undefined ? "" : `; ${output} has the outputs of the cells before it`;
  const exitMessage = `restlab: A cell is busy in code other than its own, which ${title} cannot interrupt: the whole run was ended${saved}`;
  return new LoopBreaker({
    signals: writesFile(options) ? ["SIGINT", "SIGTERM"] : ["SIGINT"],
    exitMessage: toVisibleLine(exitMessage),
  });
}

function writesFile({ output, record, recordMissing = false }: RunOptions): boolean {
  return output !== undefined || record !== undefined || recordMissing;
}

interface Interruption {
  readonly signal: AbortSignal;
  status(): number;
  /** Does what Ctrl-C does. */
  interrupt(): void;
  release(): void;
}

function listenForSignals(
  options: RunOptions,
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
  // With nothing to save, SIGTERM may end the process at once.
  if (writesFile(options)) releases.push(onTermination(terminate));
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

interface RunContext {
  readonly options: RunOptions;
  readonly platform: Platform;
  readonly interruption: Interruption;
  readonly breaker: LoopBreaker;
  /** The URL of the embedded API, if it was started. */
  readonly base: string | undefined;
  readonly recording: SessionRecording;
}

class UnreadableError extends AggregateError {}

/** What a person can mend: a file, or an option. */
const EXPECTED = [DocumentError, UnreadableError, RecordingError];

async function readAll(options: RunOptions, platform: Platform): Promise<readonly Document[]> {
  const read = await Promise.allSettled(options.files.map((path) => readDocument(path, platform)));
  const errors = read.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  const unexpected = errors.find((error) => !(error instanceof DocumentError));
  if (unexpected !== undefined) throw unexpected;
  if (errors.length > 0) throw new UnreadableError(errors);
  return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

async function runAll(documents: readonly Document[], context: RunContext): Promise<number> {
  const { options, interruption } = context;
  const runs: DocumentRun[] = [];
  // Asked again after each document: what one did not await may fail later.
  const hasFailed = (): boolean => runs.some(({ failed, givenUp }) => failed + givenUp > 0);
  for (const document of documents) {
    const isLast = document === documents.at(-1);
    const { run, exit } = await runOne(document, context, isLast ? options.interact : undefined);
    runs.push(run);
    if (interruption.signal.aborted) return interruption.status();
    if (exit !== undefined) return exit;
    if (hasFailed() && !options.keepGoing) break;
  }
  return hasFailed() ? EXIT.cellFailed : EXIT.ok;
}

async function runOne(
  document: Document,
  { options, platform, interruption, breaker, base, recording }: RunContext,
  interact: RunOptions["interact"],
): Promise<{ readonly run: DocumentRun; readonly exit: number | undefined }> {
  const leaving = new AbortController();
  let exit: number | undefined;
  const onExit = (status: number): void => {
    exit = status;
    leaving.abort();
  };
  const opened = await openSession(document, options, platform, {
    base,
    onExit,
    breaker,
    recording,
  });
  const { session } = opened;
  const { secrets } = session.client;
  const { stdout, stderr } = platform;
  const saveInPlace = async ({ runs }: DocumentRun): Promise<readonly string[]> => {
    const target = { output: document.path, files: [document.path] };
    return (await createSaver(document, secrets, target, platform)?.finish(runs)) ?? [];
  };
  try {
    prepareClient(document, session.client);
    const { observer } = options;
    const reporter =
      observer?.createReporter(document, secrets) ??
      new TerminalReporter({
        // With "-o -" the notebook alone goes to standard output.
        stdout: options.output === "-" ? stderr : stdout,
        stderr,
        secrets,
        brief: options.brief,
      });
    const saver = createSaver(document, secrets, options, platform);
    reporter.documentStarted(document);
    const run = await runDocument(document, session, {
      keepGoing: options.keepGoing,
      reporter,
      signal: AbortSignal.any([interruption.signal, leaving.signal]),
      interrupted: interruption.interrupt,
      breaker,
      keepOutputs: saver !== undefined || observer?.keepOutputs === true,
      stable: options.stable ?? false,
      ...(saver === undefined ? {} : { checkpoint: saver.checkpoint }),
      ...(options.timeout === undefined ? {} : { cellTimeout: options.timeout * 1000 }),
    });
    const remarks = (await saver?.finish(run.runs)) ?? [];
    const isInterrupted = interruption.signal.aborted || exit !== undefined;
    const { failed, givenUp } = run;
    const observed = {
      hasFailed: failed + givenUp > 0,
      isInterrupted,
      save: () => saveInPlace(run),
    };
    const summary = (await observer?.documentEnded(document, observed)) ?? [
      summaryOf(document, run),
    ];
    for (const line of [...remarks, ...summary]) stderr.write(`${toVisibleLine(line)}\n`);
    if (interact !== undefined && !isInterrupted) {
      // At a prompt Ctrl-C ends only the running entry.
      interruption.release();
      breaker.configure({});
      await interact(opened, breaker);
    }
    return { run, exit };
  } finally {
    await session.close();
  }
}

function summaryOf({ path }: Document, { cells, failed, notRun, givenUp }: DocumentRun): string {
  const facts = [`${cells} ${cells === 1 ? "cell" : "cells"} run`];
  if (failed > 0) facts.push(`${failed} failed`);
  if (notRun > 0) facts.push(`${notRun} not run`);
  if (givenUp > 0) facts.push(`${givenUp} ${givenUp === 1 ? "request" : "requests"} given up`);
  return `${path}: ${facts.join(", ")}`;
}
