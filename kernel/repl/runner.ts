import type { LoopBreaker, Platform } from "../platform/mod.ts";
import type { OutputSink, Shown } from "../session/cell/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import {
  describePending,
  describeTransfer,
  type Progress,
  type TerminalPrinter,
} from "../terminal/mod.ts";

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
    const outcome = await this.#withInterrupt(
      "running",
      () =>
        this.#breaker.runCell(() =>
          session.execute(cell, output.sinkFor(cell, isLast), { firstLine }),
        ),
      () => session.interrupt(),
    );
    if (outcome.status === "error") output.errors.error(outcome.error);
    else if (outcome.status === "aborted") output.aborted();
    else return await output.result(outcome.result);
    return false;
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
