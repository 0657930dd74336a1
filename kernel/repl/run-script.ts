import type { LoopBreaker, Platform } from "../platform/mod.ts";
import { type Session, worstStatus } from "../session/mod.ts";
import { describePending, describeWaiting } from "../terminal/mod.ts";
import { explainLateHeader, type Input, kindOfInput } from "./entry/mod.ts";
import { EXIT, type ReplOptions } from "./options.ts";
import { readScript, type ScriptText } from "./script-entries.ts";
import { ScriptOutput } from "./script-output.ts";

const HEADERS_ADVICE =
  "a complete request is sent unless another line follows within 50 ms, so write the request and its headers together";

interface ScriptOptions extends Pick<ReplOptions, "form" | "pretty" | "verbose" | "checkStatus"> {
  readonly breaker: LoopBreaker;
}

/**
 * Runs the entries of texts as they come and writes their results; stops at the first that fails. Results go to
 * standard output, errors and progress to standard error.
 *
 * @returns The exit status.
 */
export async function runScript(
  texts: readonly ScriptText[],
  session: Session,
  platform: Platform,
  { breaker, ...options }: ScriptOptions,
): Promise<number> {
  const output = new ScriptOutput(options, session.client, platform);
  const entries = readScript(texts, async (code) => (await session.isComplete(code)).status);
  let before: Input | undefined;
  let isInterrupted = false;
  let stopWaiting = (): void => undefined;
  const interrupted = new Promise<{ value: undefined }>((resolve) => {
    stopWaiting = () => resolve({ value: undefined });
  });
  const release = platform.onInterrupt(() => {
    isInterrupted = true;
    breaker.acknowledge();
    session.interrupt();
    stopWaiting();
  });
  try {
    for (;;) {
      const { value: entry } = await Promise.race([entries.next(), interrupted]);
      if (entry === undefined) break;
      const { text, line, name, isLast } = entry;
      const fail = (): number => {
        if (name !== undefined) output.errors.line(`${name} failed`);
        return EXIT.failed;
      };
      const input = kindOfInput(text);
      if (input.kind === "command") {
        output.errors.line(describeCommand(text));
        return fail();
      }
      const late = explainLateHeader(text, before, HEADERS_ADVICE);
      if (late !== undefined) {
        output.errors.line(late);
        return fail();
      }
      before = input;
      output.progress.start(
        () => describePending(session.client) ?? "running",
        () => describeWaiting(session.client),
      );
      const outcome = await breaker.runCell(() =>
        session.execute(input, output.sinkFor(text, isLast), { firstLine: line }),
      );
      output.progress.stop();
      output.entryEnded();
      if (outcome.status === "error") output.errors.error(outcome.error);
      if (isInterrupted) return EXIT.interrupted;
      if (outcome.status !== "ok") return fail();
      if (outcome.result !== undefined) output.writeResult(outcome.result);
      if (output.hasFailed) return fail();
    }
    if (isInterrupted) return EXIT.interrupted;
  } finally {
    output.progress.stop();
    release();
  }
  return options.checkStatus ? worstStatus(session.client.history) : EXIT.ok;
}

function describeCommand(text: string): string {
  const [name] = /\.\S+/.exec(text) ?? [];
  return `"${name}" is a command of the prompt: -e and standard input take requests and TypeScript`;
}
