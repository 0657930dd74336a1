import process from "node:process";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import type { Session } from "../session/mod.ts";
import { createProgress, createTerminalPrinter } from "../terminal/mod.ts";
import { languageOf } from "./entry.ts";
import { EXIT, type ReplOptions } from "./options.ts";
import { describePending } from "./pending.ts";
import { unshown } from "./unshown.ts";
import { type ResultOutput, WRITE_RESULT } from "./write-result.ts";

/** How texts are run. */
export interface ScriptOptions extends Pick<ReplOptions, "form" | "checkStatus"> {
  readonly breaker: LoopBreaker;
}

/**
 * Runs texts one after the other and writes their results for whoever reads them; the first that
 * fails is the last. Results go to standard output, failures and progress to standard error.
 *
 * @returns The exit status.
 */
export async function runScript(
  entries: readonly string[],
  session: Session,
  platform: Platform,
  { form, checkStatus, breaker }: ScriptOptions,
): Promise<number> {
  const { stderr } = platform;
  const { client } = session;
  // Bytes and text have to keep their order, so neither is held back.
  const stdout = { ...platform.stdout, write: (text: string) => void process.stdout.write(text) };
  const progress = createProgress(stderr);
  const printer = createTerminalPrinter(stdout, { secrets: client.secrets });
  const errors = createTerminalPrinter(stderr, { secrets: client.secrets });
  const output: ResultOutput = {
    printer,
    isTerminal: stdout.isTerminal,
    secrets: client.secrets,
    write: (data) => void process.stdout.write(data),
  };
  let isInterrupted = false;
  let hasFailed = false;
  const fail = (message: string): void => {
    hasFailed = true;
    errors.line(message);
  };
  const writeResult = (value: unknown): void => {
    progress.clear();
    try {
      WRITE_RESULT[form](value, output);
    } catch (error) {
      fail(unshown(error));
    }
  };
  const release = platform.onInterrupt(() => {
    isInterrupted = true;
    breaker.heard();
    session.interrupt();
  });
  try {
    for (const text of entries) {
      if (languageOf(text) === "command") {
        const [name] = /\.\S+/.exec(text) ?? [];
        errors.line(
          `"${name}" is a command of the prompt: -e and standard input take requests and TypeScript`,
        );
        return EXIT.failed;
      }
      progress.start(() => describePending(client) ?? "running");
      const outcome = await breaker.around(() =>
        session.execute(text, {
          stream: (name, piece) => {
            progress.clear();
            const { write, isTerminal } = name === "stdout" ? stdout : stderr;
            write(isTerminal ? printer.visible(piece) : piece, true);
            progress.written(piece);
          },
          display: ({ value }) => writeResult(value),
        }),
      );
      progress.stop();
      if (outcome.status === "error") errors.error(outcome.error);
      if (isInterrupted) return EXIT.interrupted;
      if (outcome.status !== "ok") return EXIT.failed;
      if (outcome.result !== undefined) writeResult(outcome.result.value);
      if (hasFailed) return EXIT.failed;
    }
  } finally {
    progress.stop();
    release();
  }
  return checkStatus ? statusOf(session) : EXIT.ok;
}

/** 3, 4 or 5 for the worst answer of 3xx, 4xx or 5xx, as HTTPie has it. */
function statusOf({ client }: Session): number {
  const classes = client.history.map(({ status }) => Math.floor(status / 100));
  const worst = Math.max(0, ...classes);
  return worst >= 3 && worst <= 5 ? worst : EXIT.ok;
}
