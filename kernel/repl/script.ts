import { FAIL_ASSERTION, startsAsCurl } from "../../lib/curl/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import type { Session } from "../session/mod.ts";
import type { ReplOptions } from "./command.ts";
import {
  type AskStatus,
  EntryReader,
  explainLateHeader,
  type Input,
  kindOfInput,
} from "./entry/mod.ts";
import { Runner } from "./runner.ts";
import { ScriptOutput } from "./script-output.ts";
import type { ScriptText } from "./standard-input.ts";

const HEADERS_ADVICE =
  "a complete request is sent unless another line follows within 50 ms, so write the request and its headers together";

/** `curlFailed`: that of `curl -f` for a status of 400 and above. */
const EXIT = { ok: 0, failed: 1, curlFailed: 22, interrupted: 130 } as const;

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
  breaker: LoopBreaker,
  options: ReplOptions,
): Promise<number> {
  const output = new ScriptOutput(options, session.client, platform);
  const runner = new Runner(session, platform, breaker, output);
  const entries = readScript(texts, async (code) => (await session.isComplete(code)).status);
  let before: Input | undefined;
  let release = (): void => undefined;
  const ended = new Promise<{ value: undefined }>((resolve) => {
    const end = (): void => resolve({ value: undefined });
    // As a program that does not catch an error ends with it.
    output.onUncaught = end;
    release = platform.onInterrupt(() => {
      breaker.acknowledge();
      output.isInterrupted = true;
      end();
    });
  });
  try {
    for (;;) {
      const { value: entry } = await Promise.race([entries.next(), ended]);
      if (output.isInterrupted) return EXIT.interrupted;
      if (entry === undefined) break;
      const input = await readEntry(entry);
      const fault = faultOf(input, before);
      if (fault !== undefined) output.errors.line(fault);
      const isOk =
        fault === undefined && input.kind !== "command" && (await runner.run(input, entry));
      if (output.isInterrupted) return EXIT.interrupted;
      if (!isOk) {
        if (entry.name !== undefined) output.errors.line(`${entry.name} failed`);
        return hasFailedAsCurl(entry, session) ? EXIT.curlFailed : EXIT.failed;
      }
      before = input;
    }
    if (!output.hasFailed) await Promise.race([runner.untilIdle(), ended]);
    if (output.isInterrupted) return EXIT.interrupted;
    if (output.hasFailed) return EXIT.failed;
  } finally {
    release();
  }
  return options.checkStatus ? session.worstStatus : EXIT.ok;
}

function hasFailedAsCurl({ text }: ScriptEntry, { client }: Session): boolean {
  if (!startsAsCurl(text)) return false;
  const { assertions = [] } = client.history.at(-1) ?? {};
  return assertions.some(({ passed, text: it }) => !passed && it === FAIL_ASSERTION);
}

async function readEntry({ text, typed }: ScriptEntry): Promise<Input> {
  const input = kindOfInput(text);
  if (typed === undefined) return input;
  // Loaded late: most entries are request text.
  const { quoteTyped } = await import("./request-text.ts");
  return quoteTyped(input, typed);
}

/** Why an entry cannot be run. */
function faultOf(input: Input, before: Input | undefined): string | undefined {
  if (input.kind !== "command") return explainLateHeader(input.source, before, HEADERS_ADVICE);
  const [name] = /\.\S+/.exec(input.source) ?? [];
  return `"${name}" is a command of the prompt: -e and standard input take requests and TypeScript`;
}

/** An entry of a script. */
interface ScriptEntry {
  readonly text: string;
  /** The line on which it begins in the text that it is from. */
  readonly firstLine: number;
  /** Its name in messages; absent if it is the only one. */
  readonly name?: string;
  /** Whether nothing follows it, as far as that is known. */
  readonly isLast: boolean;
  /** How a request of the command line was typed. */
  readonly typed?: string;
}

/** Yields the entries of texts in order, as they arrive. */
async function* readScript(
  texts: readonly ScriptText[],
  ask: AskStatus,
): AsyncGenerator<ScriptEntry, undefined> {
  let count = 0;
  for (const [index, { source, label, typed }] of texts.entries()) {
    const isLastText = index === texts.length - 1;
    if (typed !== undefined) {
      count += 1;
      const text = (await source()) ?? "";
      const name = isLastText ? undefined : `Entry ${count}`;
      yield { text, typed, firstLine: 1, isLast: isLastText, name };
      continue;
    }
    const reader = new EntryReader(source, ask);
    for (let entry = await reader.next(); entry !== undefined; entry = await reader.next()) {
      const { text, line } = entry;
      const isLast = entry.isLast && isLastText;
      count += 1;
      const place = [label, `line ${line}`].filter(Boolean).join(", ");
      const name = count === 1 && isLast ? undefined : `Entry ${count} (${place})`;
      yield { text, firstLine: line, isLast, name };
    }
  }
  return undefined;
}
