import { toVisibleLine } from "../../lib/display/mod.ts";
import { LoopBreaker, type Platform } from "../platform/mod.ts";
import { captureOutput } from "../session/mod.ts";
import { checkOutput, type Document, DocumentError, readDocument } from "./document/mod.ts";
import { introduce } from "./introduce.ts";
import { openSession } from "./open-session.ts";
import { EXIT, type RunOptions } from "./options.ts";
import { type DocumentRun, runDocument } from "./run/mod.ts";
import { createSaver } from "./save.ts";
import { createTerminalReporter } from "./terminal-reporter.ts";

/**
 * `restlab run`: reads every file first, so that a name spelt wrong sends nothing, then runs them
 * one after the other, each in a session of its own.
 *
 * @returns The exit status, one of {@link EXIT}.
 */
export async function runCommand(options: RunOptions, platform: Platform): Promise<number> {
  const fail = (...faults: readonly Error[]): number => {
    for (const { message } of faults) {
      platform.stderr.write(`restlab: ${toVisibleLine(message)}\n`);
    }
    return EXIT.usage;
  };
  const interruption = new AbortController();
  const breaker = createBreaker(options, platform);
  let isTerminated = false;
  const interrupt = (status: number): void => {
    // A SIGINT may come before the SIGTERM that it is sent for, to end a script.
    isTerminated ||= status === EXIT.terminated;
    breaker.acknowledge();
    interruption.abort(status);
  };
  const undo = [platform.onInterrupt(() => interrupt(EXIT.interrupted))];
  // With nothing to save the process may as well end at once.
  if (options.output !== undefined) {
    undo.push(platform.onTermination(() => interrupt(EXIT.terminated)));
  }
  const release = (): void => {
    for (const each of undo) each();
  };
  // What a cell has left behind may fail until the very end.
  const giveBack = captureOutput();
  let demo: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    const documents = await readAll(options, platform);
    if (options.output !== undefined) await checkOutput(options.output, documents);
    if (options.demo) demo = await (await import("../demo/mod.ts")).startDemo({ port: 0 });
    const { signal } = interruption;
    const run: Run = {
      options,
      platform,
      signal,
      interrupted: () => interrupt(EXIT.interrupted),
      breaker,
      release,
      base: demo?.url,
    };
    const ended: DocumentRun[] = [];
    const hasFailed = (): boolean => ended.some(({ failed, givenUp }) => failed + givenUp > 0);
    for (const document of documents) {
      const isLast = document === documents.at(-1);
      const one = await runOne(document, run, isLast ? options.interact : undefined);
      ended.push(one.run);
      if (signal.aborted) return isTerminated ? EXIT.terminated : signal.reason;
      if (one.exit !== undefined) return one.exit;
      if (hasFailed() && !options.keepGoing) break;
    }
    return hasFailed() ? EXIT.cellFailed : EXIT.ok;
  } catch (error) {
    if (error instanceof DocumentError) return fail(error);
    if (error instanceof UnreadableError) return fail(...error.errors);
    giveBack();
    throw error;
  } finally {
    release();
    await demo?.close();
  }
}

/** Where what computes cannot be ended, the process is, at a limit or a signal. */
function createBreaker({ output }: RunOptions, { runtime }: Platform): LoopBreaker {
  const { title } = runtime;
  const kept = output === undefined ? "" : `; ${output} holds what ran before that cell`;
  const exitMessage = `restlab: A cell is busy in code other than its own, which ${title} cannot interrupt: the whole run was ended${kept}`;
  return new LoopBreaker({
    signals: output === undefined ? ["SIGINT"] : ["SIGINT", "SIGTERM"],
    exitMessage: toVisibleLine(exitMessage),
  });
}

interface Run {
  readonly options: RunOptions;
  readonly platform: Platform;
  readonly signal: AbortSignal;
  /** Told where the runtime ended a computing cell at Ctrl-C by itself. */
  readonly interrupted: () => void;
  readonly breaker: LoopBreaker;
  /** Gives Ctrl-C back: at a prompt it means something else. */
  readonly release: () => void;
  readonly base: string | undefined;
}

/** Files that cannot be read, each with its reason. */
class UnreadableError extends AggregateError {}

async function readAll(options: RunOptions, platform: Platform): Promise<readonly Document[]> {
  const read = await Promise.allSettled(options.files.map((path) => readDocument(path, platform)));
  const faults = read.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  const other = faults.find((fault) => !(fault instanceof DocumentError));
  if (other !== undefined) throw other;
  if (faults.length > 0) throw new UnreadableError(faults);
  return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

async function runOne(
  document: Document,
  { options, platform, signal, interrupted, breaker, release, base }: Run,
  interact: RunOptions["interact"],
): Promise<{ readonly run: DocumentRun; readonly exit: number | undefined }> {
  const leaving = new AbortController();
  let exit: number | undefined;
  const onExit = (status: number): void => {
    exit = status;
    leaving.abort();
  };
  const opened = await openSession(document, options, platform, { base, onExit, breaker });
  const { session } = opened;
  const { stdout, stderr } = platform;
  try {
    introduce(document, session.client);
    const toStdout = options.output === "-";
    const reporter = createTerminalReporter({
      stdout: toStdout ? stderr : stdout,
      stderr,
      secrets: session.client.secrets,
      brief: options.brief,
    });
    const saver = createSaver(document, session.client.secrets, options, platform);
    reporter.documentStarted(document);
    const ended = await runDocument(document, session, {
      keepGoing: options.keepGoing,
      reporter,
      signal: AbortSignal.any([signal, leaving.signal]),
      interrupted,
      breaker,
      keepOutputs: options.output !== undefined,
      ...(saver === undefined ? {} : { checkpoint: saver.checkpoint }),
      ...(options.timeout === undefined ? {} : { cellTimeout: options.timeout * 1000 }),
    });
    for (const remark of (await saver?.finish(ended.runs)) ?? []) {
      stderr.write(`${toVisibleLine(remark)}\n`);
    }
    stderr.write(`${toVisibleLine(summaryOf(document, ended))}\n`);
    if (interact !== undefined && !signal.aborted && exit === undefined) {
      release();
      breaker.configure({});
      await interact(opened, breaker);
    }
    return { run: ended, exit };
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
