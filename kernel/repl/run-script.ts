import { bodyLength } from "../../lib/display/mod.ts";
import { type Exchange, isExchange, parseRequests } from "../../lib/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import type { BodySink, Session } from "../session/mod.ts";
import { createProgress, createTerminalPrinter } from "../terminal/mod.ts";
import { languageOf } from "./entry/mod.ts";
import { EXIT, type ReplOptions } from "./options.ts";
import { describePending } from "./pending.ts";
import { unshown } from "./unshown.ts";
import { type ResultOutput, WRITE_RESULT } from "./write-result.ts";

/** How texts are run. */
export interface ScriptOptions extends Pick<ReplOptions, "form" | "checkStatus"> {
  readonly breaker: LoopBreaker;
}

/** So much of a body that goes out as it comes is kept: for what follows it, and where nothing does. */
const MOST_KEPT = 256 * 1024 * 1024;
const PREVIEW = 64 * 1024;

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
  const write = (text: string): void => platform.stdout.write(text, true);
  const stdout = { ...platform.stdout, write };
  const progress = createProgress(stderr);
  const printer = createTerminalPrinter(stdout, { secrets: client.secrets });
  const errors = createTerminalPrinter(stderr, { secrets: client.secrets });
  const output: ResultOutput = {
    printer,
    isTerminal: stdout.isTerminal,
    secrets: client.secrets,
    write: (data) => {
      if (typeof data === "string") write(data);
      else void stdout.writeBytes(data);
    },
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
      // What is to be read by a program holds no word of it.
      const isData = form === "body" || form === "json";
      if (isData && isExchange(value) && value.cut) fail(cutRemark(value));
    } catch (error) {
      fail(unshown(error));
    }
  };
  const bodiesFor = (text: string, isLast: boolean): { readonly bodies?: BodySink } => {
    if (form !== "body" || stdout.isTerminal) return {};
    // What no request behind it can ask for need not be kept.
    const keepBytes = isLast && isOneRequest(text) ? PREVIEW : MOST_KEPT;
    return { bodies: { keepBytes, write: stdout.writeBytes, whole: writeResult } };
  };
  const release = platform.onInterrupt(() => {
    isInterrupted = true;
    breaker.acknowledge();
    session.interrupt();
  });
  try {
    for (const [index, text] of entries.entries()) {
      if (languageOf(text) === "command") {
        const [name] = /\.\S+/.exec(text) ?? [];
        errors.line(
          `"${name}" is a command of the prompt: -e and standard input take requests and TypeScript`,
        );
        return EXIT.failed;
      }
      progress.start(() => describePending(client) ?? "running");
      const outcome = await breaker.runCell(() =>
        session.execute(text, {
          stream: (name, piece) => {
            progress.clear();
            const { write, isTerminal } = name === "stdout" ? stdout : stderr;
            write(isTerminal ? printer.visible(piece) : piece, true);
            progress.written(piece);
          },
          display: ({ value }) => writeResult(value),
          ...bodiesFor(text, index === entries.length - 1),
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

function isOneRequest(text: string): boolean {
  try {
    return parseRequests(text).length === 1;
  } catch {
    // What is wrong with it is told when it is run.
    return false;
  }
}

function cutRemark(exchange: Exchange): string {
  const remark = exchange.warnings.find((warning) =>
    /^The (?:body|answer|conversation) /.test(warning),
  );
  return `The body written is incomplete. ${remark ?? `It has ${bodyLength(exchange)} bytes`}`;
}
