import type { LoopBreaker, Platform } from "../platform/mod.ts";
import type { Outcome, OutputSink } from "../session/cell/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import {
  createProgress,
  createTerminalPrinter,
  describePending,
  describeWaiting,
  type Progress,
  type TerminalPrinter,
} from "../terminal/mod.ts";
import { drawImage } from "./image.ts";
import { describeShowError } from "./write-result.ts";

interface RunnerOptions {
  readonly session: Session;
  readonly platform: Platform;
  readonly breaker: LoopBreaker;
  readonly printer: TerminalPrinter;
  readonly errors: TerminalPrinter;
  readonly printAbovePrompt: (text: string) => void;
  /** Shows a text that may be longer than the screen. */
  readonly page: (text: string) => Promise<void>;
}

/** Runs entries and shows their output and results. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #progress: Progress;
  #isRunning = false;
  /** Whether the output of the entry has not ended its last line. */
  #isInLine = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#progress = createProgress(options.platform.stdout);
  }

  /** Runs a cell; resolves to whether it succeeded. */
  async run(cell: Cell): Promise<boolean> {
    const { session, breaker, errors } = this.#options;
    const isTypeScript = cell.kind === "typescript";
    const sink: OutputSink = {
      stream: (name, piece) => this.#print(name, piece),
      display: ({ value, display = value }) => this.#display(display),
      streamItem: (piece) => this.#print("stdout", piece),
    };
    const execute = (): Promise<Outcome> => {
      if (isTypeScript && !session.isWarm) this.#progress.announce("loading TypeScript");
      return session.execute(cell, sink);
    };
    const outcome = await this.#withInterrupt(
      "running",
      () => (isTypeScript ? breaker.runCell(execute) : execute()),
      () => session.interrupt(),
    );
    if (outcome.status === "error") {
      this.#progress.clear();
      errors.error(outcome.error);
    } else if (outcome.status === "aborted") errors.line("Interrupted");
    else if (outcome.result !== undefined) {
      const { value, display = value } = outcome.result;
      await this.show(display);
    }
    return outcome.status === "ok";
  }

  /** Runs an action with a progress line; Ctrl-C ends its requests. */
  async withProgress<T>(label: string, action: () => Promise<T>): Promise<T> {
    const { client } = this.#options.session;
    return await this.#withInterrupt(
      label,
      action,
      () => void client.abort(new Error("Interrupted")),
    );
  }

  /** Runs an action that uses the terminal, such as a question, while an entry runs. */
  async withTerminal<T>(action: () => Promise<T>): Promise<T> {
    this.#progress.clear();
    if (this.#isInLine) this.#options.platform.stdout.write("\n");
    this.#noteWritten("\n");
    const resume = this.#progress.pause();
    try {
      return await action();
    } finally {
      resume();
    }
  }

  async show(value: unknown): Promise<void> {
    if (value === undefined) return;
    this.#progress.clear();
    await this.#options.page(this.#textOf(value));
    this.#drawImage(value);
  }

  async #withInterrupt<T>(
    label: string,
    action: () => Promise<T>,
    interrupt: () => void,
  ): Promise<T> {
    const { platform, breaker, session } = this.#options;
    this.#isRunning = true;
    this.#isInLine = false;
    const release = platform.onInterrupt(() => {
      breaker.acknowledge();
      interrupt();
    });
    this.#progress.start(
      () => describePending(session.client) ?? label,
      () => describeWaiting(session.client),
    );
    try {
      return await action();
    } finally {
      release();
      this.#progress.stop();
      if (this.#isInLine) platform.stdout.write("\n");
      this.#isInLine = false;
      this.#isRunning = false;
    }
  }

  #print(name: "stdout" | "stderr", text: string): void {
    const { printer, printAbovePrompt, platform } = this.#options;
    const visible = printer.visible(text);
    // A timer may print while the next entry is typed.
    if (!this.#isRunning) {
      printAbovePrompt(visible.endsWith("\n") ? visible : `${visible}\n`);
      return;
    }
    this.#progress.clear();
    platform[name].write(visible);
    this.#noteWritten(visible);
  }

  #noteWritten(text: string): void {
    if (text !== "") this.#isInLine = !text.endsWith("\n");
    this.#progress.written(text);
  }

  #display(value: unknown): void {
    const { printAbovePrompt, platform } = this.#options;
    const text = this.#textOf(value);
    if (!this.#isRunning) {
      printAbovePrompt(text);
      return;
    }
    this.#progress.clear();
    platform.stdout.write(text);
    this.#drawImage(value);
  }

  #drawImage(value: unknown): void {
    const { stdout, environment } = this.#options.platform;
    const image = stdout.isTerminal ? drawImage(value, environment) : undefined;
    if (image !== undefined) stdout.write(image);
  }

  #textOf(value: unknown): string {
    const { platform, session } = this.#options;
    let text = "";
    const write = (piece: string): void => {
      text += piece;
    };
    const { secrets } = session.client;
    const printer = createTerminalPrinter({ ...platform.stdout, write }, { secrets });
    try {
      printer.value(value);
    } catch (error) {
      printer.line(describeShowError(error));
    }
    return text;
  }
}
