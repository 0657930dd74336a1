import { NoResponseError } from "../../lib/mod.ts";
import { type LoopBreaker, type Platform, readingReason } from "../platform/mod.ts";
import type { OutputSink, Shown } from "../session/cell/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import {
  describePending,
  describeTransfer,
  type Progress,
  type TerminalPrinter,
} from "../terminal/mod.ts";
import { readStandardInput, UsageError } from "./standard-input.ts";
import { MAY_WRITE_OUT, type WriteOut, writeOut, writeOutOf } from "./write-out.ts";

/**
 * The format of `-w`.
 *
 * @throws {UsageError} Its file cannot be read.
 */
async function readFormat({ format }: WriteOut, { readFile, stderr }: Platform): Promise<string> {
  if (!format.startsWith("@")) return format;
  const path = format.slice(1);
  if (path === "-") return await readStandardInput((note) => stderr.write(`restlab: ${note}\n`));
  try {
    return new TextDecoder().decode(await readFile(path));
  } catch (error) {
    throw new UsageError(`Reading "${path}" failed: ${readingReason(error)}`);
  }
}

/** Where the output of entries and their results go: the terminal of a prompt, or standard output. */
export interface EntryOutput {
  readonly progress: Progress;
  readonly errors: TerminalPrinter;
  /** Called before an entry runs. */
  started(): void;
  /** What receives the output of an entry while it runs. */
  sinkFor(cell: Cell, isLast: boolean): OutputSink;
  /** Called when an entry has ended, before its result or error is written. */
  ended(): void;
  /** Writes the result of an entry, if it has one; returns whether all of its output could be written whole. */
  result(shown: Shown | undefined): Promise<boolean>;
  /** Called for an entry that was interrupted before it could fail. */
  aborted(): void;
}

/** Where an entry stands in its text. */
interface EntryPlace {
  /** The line on which it begins. */
  readonly firstLine?: number;
  /** Whether nothing follows it, as far as that is known. */
  readonly isLast?: boolean;
}

/** Runs entries, of the prompt and of scripts, and shows their output and results. */
export class Runner {
  readonly #session: Session;
  readonly #platform: Platform;
  readonly #breaker: LoopBreaker;
  readonly #output: EntryOutput;

  constructor(session: Session, platform: Platform, breaker: LoopBreaker, output: EntryOutput) {
    this.#session = session;
    this.#platform = platform;
    this.#breaker = breaker;
    this.#output = output;
  }

  /** Runs a cell; resolves to whether it succeeded. */
  async run(cell: Cell, { firstLine, isLast = false }: EntryPlace = {}): Promise<boolean> {
    const session = this.#session;
    const output = this.#output;
    const given = output.sinkFor(cell, isLast);
    const writing = MAY_WRITE_OUT.test(cell.source) ? writeOutOf(cell) : undefined;
    // As in curl: what is written is all that is shown of an answer that is saved.
    const isTold = writing?.output !== undefined;
    const sink = isTold ? { ...given, display: () => undefined } : given;
    const format = writing && (await readFormat(writing, this.#platform));
    const before = writing && session.client.history.at(-1);
    const outcome = await this.#withInterrupt(
      "running",
      () => this.#breaker.runCell(() => session.execute(cell, sink, { firstLine })),
      () => session.interrupt(),
    );
    let isOk = false;
    if (outcome.status === "error") output.errors.error(outcome.error);
    else if (outcome.status === "aborted") output.aborted();
    else isOk = await output.result(isTold ? undefined : outcome.result);
    if (format === undefined) return isOk;
    const last = session.client.history.at(-1);
    const unanswered = outcome.status === "error" ? outcome.error.cause : undefined;
    const request = unanswered instanceof NoResponseError ? unanswered.request : undefined;
    const { stdout, stderr } = writeOut(format, last === before ? undefined : last, request);
    if (stderr !== "") sink.stream("stderr", stderr);
    if (stdout !== "") sink.stream("stdout", stdout);
    return isOk;
  }

  /** Waits for what entries have started and not awaited. */
  async untilIdle(): Promise<void> {
    const { errors } = this.#output;
    const note = (what: string): void => errors.line(`Waiting for ${what}; Ctrl-C ends it`);
    await this.#withInterrupt(
      "waiting",
      () => this.#session.untilIdle(note),
      () => this.#session.interrupt(),
    );
  }

  /** Runs an action with a progress line; Ctrl-C ends its requests. */
  async withProgress<T>(label: string, action: () => Promise<T>): Promise<T> {
    const { client } = this.#session;
    return await this.#withInterrupt(
      label,
      action,
      () => void client.abort(new Error("Interrupted")),
    );
  }

  async #withInterrupt<T>(
    label: string,
    action: () => Promise<T>,
    interrupt: () => void,
  ): Promise<T> {
    const { client } = this.#session;
    const { progress } = this.#output;
    this.#output.started();
    const release = this.#platform.onInterrupt(() => {
      this.#breaker.acknowledge();
      interrupt();
    });
    progress.start(
      () => describePending(client) ?? label,
      () => describeTransfer(client),
    );
    try {
      return await action();
    } finally {
      release();
      progress.stop();
      this.#output.ended();
    }
  }
}
