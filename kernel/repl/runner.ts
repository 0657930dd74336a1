import type { LoopBreaker, Platform } from "../platform/mod.ts";
import { kindOfCell, type Outcome, type Session, type Shown } from "../session/mod.ts";
import { createProgress, createTerminalPrinter, type TerminalPrinter } from "../terminal/mod.ts";
import { describePending } from "./pending.ts";
import { drawPicture } from "./terminal/mod.ts";
import { unshown } from "./unshown.ts";

/** Runs entries and shows what comes of them. */
export interface Runner {
  /** @returns Whether it ended well. */
  run(text: string): Promise<boolean>;
  /** Runs what may take a while with Ctrl-C and the line that says so. */
  busy<T>(label: () => string, action: () => Promise<T>): Promise<T>;
  /** Lets something else have the terminal while an entry runs, a question for example. */
  aside<T>(action: () => Promise<T>): Promise<T>;
  /** Shows a value as the result of an entry. */
  show(value: unknown): Promise<void>;
}

/** Where a runner's output goes. */
export interface RunnerOptions {
  readonly session: Session;
  readonly platform: Platform;
  readonly breaker: LoopBreaker;
  readonly printer: TerminalPrinter;
  readonly errors: TerminalPrinter;
  /** Writes above the prompt where one is shown, else as it comes. */
  readonly write: (text: string) => void;
  /** Shows a text of whatever length. */
  readonly page: (text: string) => Promise<void>;
}

/** Creates a runner on a terminal. */
export function createRunner(options: RunnerOptions): Runner {
  const { session, platform, breaker, printer, errors, write } = options;
  const { stdout, stderr } = platform;
  const { client } = session;
  const progress = createProgress(stdout);
  let isInLine = false;
  let isRunning = false;

  const written = (text: string): void => {
    if (text !== "") isInLine = !text.endsWith("\n");
    progress.written(text);
  };

  const stream = (name: "stdout" | "stderr", text: string): void => {
    const shown = printer.visible(text);
    // What a timer prints while the next entry is typed goes above it.
    if (!isRunning) {
      write(shown.endsWith("\n") ? shown : `${shown}\n`);
      return;
    }
    progress.clear();
    (name === "stdout" ? stdout : stderr).write(shown);
    written(shown);
  };

  function textOf(value: unknown): string {
    let text = "";
    const write = (piece: string): void => {
      text += piece;
    };
    const gathering = createTerminalPrinter({ ...stdout, write }, { secrets: client.secrets });
    try {
      gathering.value(value);
    } catch (error) {
      gathering.line(unshown(error));
    }
    return text;
  }

  async function show(value: unknown): Promise<void> {
    if (value === undefined) return;
    progress.clear();
    await options.page(textOf(value));
    const picture = stdout.isTerminal ? drawPicture(value, platform.environment) : undefined;
    if (picture !== undefined) stdout.write(picture);
  }

  const display = ({ value }: Shown): void => {
    if (!isRunning) {
      write(textOf(value));
      return;
    }
    progress.clear();
    stdout.write(textOf(value));
  };

  /** @param end What Ctrl-C does: what earlier entries have on its way is theirs where one runs. */
  async function busy<T>(
    label: () => string,
    action: () => Promise<T>,
    end: () => void = () => void client.abort(new Error("Interrupted")),
  ): Promise<T> {
    isRunning = true;
    isInLine = false;
    const release = platform.onInterrupt(() => {
      breaker.acknowledge();
      end();
    });
    progress.start(() => describePending(client) ?? label());
    try {
      return await action();
    } finally {
      release();
      progress.stop();
      if (isInLine) stdout.write("\n");
      isRunning = false;
    }
  }

  async function aside<T>(action: () => Promise<T>): Promise<T> {
    progress.clear();
    if (isInLine) stdout.write("\n");
    written("\n");
    const resume = progress.pause();
    try {
      return await action();
    } finally {
      resume();
    }
  }

  async function fail(outcome: Extract<Outcome, { status: "error" }>): Promise<void> {
    progress.clear();
    if (isInLine) stderr.write("\n");
    isInLine = false;
    const { error } = outcome;
    errors.error(error);
  }

  return {
    busy,
    aside,
    show,
    run: async (text) => {
      const isTypeScript = kindOf(text) === "typescript";
      const execute = (): Promise<Outcome> => {
        if (isTypeScript && !session.isWarm) progress.announce("loading TypeScript");
        return session.execute(text, {
          stream,
          display,
          arrive: (piece) => stream("stdout", piece),
        });
      };
      const outcome = await busy(
        () => "running",
        () => (isTypeScript ? breaker.runCell(execute) : execute()),
        () => session.interrupt(),
      );
      if (outcome.status === "error") await fail(outcome);
      else if (outcome.status === "ok" && outcome.result !== undefined) {
        await show(outcome.result.value);
      } else if (outcome.status === "aborted") errors.line("Interrupted");
      return outcome.status === "ok";
    },
  };
}

function kindOf(text: string): string {
  try {
    return kindOfCell(text).kind;
  } catch {
    // The session says what is wrong with it.
    return "request";
  }
}
