import { bodyLength, createRowReader } from "../../lib/display/mod.ts";
import { type Exchange, isExchange, parseRequests, type ResponseHead } from "../../lib/mod.ts";
import type { LoopBreaker, OutputStream, Platform } from "../platform/mod.ts";
import {
  type BodySink,
  isSecretField,
  type OutputSink,
  type Session,
  type Shown,
  worstStatus,
} from "../session/mod.ts";
import {
  createProgress,
  createTerminalPrinter,
  describePending,
  describeWaiting,
  type Progress,
  type TerminalPrinter,
} from "../terminal/mod.ts";
import { masked } from "./commands/mod.ts";
import { languageOf } from "./entry/mod.ts";
import { EXIT, type ReplOptions } from "./options.ts";
import {
  bodyStyle,
  connectionLines,
  createLiveBody,
  describeShowError,
  type ResultOutput,
  WRITE_RESULT,
} from "./results/mod.ts";
import { readScript, type ScriptText } from "./script-entries.ts";

interface ScriptOptions extends Pick<ReplOptions, "form" | "pretty" | "verbose" | "checkStatus"> {
  readonly breaker: LoopBreaker;
}

/** How many bytes of a body are kept that is written as it arrives, for later requests to refer to. */
const MAX_KEPT = 256 * 1024 * 1024;
const PREVIEW = 64 * 1024;

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
  const output = createScriptOutput(options, session, platform);
  const entries = readScript(texts, async (code) => (await session.isComplete(code)).status);
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
      const { text, name, isLast } = entry;
      const fail = (): number => {
        if (name !== undefined) output.errors.line(`${name} failed`);
        return EXIT.failed;
      };
      if (languageOf(text) === "command") {
        output.errors.line(describeCommand(text));
        return fail();
      }
      output.progress.start(
        () => describePending(session.client) ?? "running",
        () => describeWaiting(session.client),
      );
      const outcome = await breaker.runCell(() =>
        session.execute(text, output.sinkFor(text, isLast)),
      );
      output.progress.stop();
      output.entryEnded();
      if (outcome.status === "error") output.errors.error(outcome.error);
      if (isInterrupted) return EXIT.interrupted;
      if (outcome.status !== "ok") return fail();
      if (outcome.result !== undefined) output.writeResult(outcome.result);
      if (output.hasFailed()) return fail();
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

interface ScriptOutput {
  readonly progress: Progress;
  readonly errors: TerminalPrinter;
  writeResult(result: Pick<Shown, "value" | "display">): void;
  sinkFor(text: string, isLast: boolean): OutputSink;
  /** Writes what was held back of a stream, and what `--verbose` shows. */
  entryEnded(): void;
  /** Whether a result could not be written whole. */
  hasFailed(): boolean;
}

function createScriptOutput(
  { form, pretty, verbose }: Omit<ScriptOptions, "breaker">,
  { client }: Session,
  platform: Platform,
): ScriptOutput {
  const { secrets } = client;
  const style = bodyStyle(pretty, platform.stdout);
  const color = pretty === undefined ? platform.stdout.color : style.color;
  const stdout = { ...withoutBuffering(platform.stdout), color };
  const isRaw = !stdout.isTerminal && !style.format && !style.color;
  const progress = createProgress(platform.stderr);
  const printer = createTerminalPrinter(stdout, { secrets });
  const errors = createTerminalPrinter(platform.stderr, { secrets });
  const result: ResultOutput = { printer, isTerminal: stdout.isTerminal, style, secrets, write };
  const live = createLiveBody(
    (text) => {
      progress.clear();
      stdout.write(text);
      progress.written(text);
    },
    style,
    stdout.isTerminal ? secrets : undefined,
  );
  let hasFailed = false;
  let shown = 0;

  function write(data: string | Uint8Array): void {
    if (typeof data === "string") stdout.write(data);
    else void stdout.writeBytes(data);
  }

  function fail(message: string): void {
    hasFailed = true;
    errors.line(message);
  }

  /** Hides the value of a credential header, even one that is too short to be searched for. */
  function hide(line: string): string {
    const [, head = "", name = "", value = ""] = /^([<>] ([^:\s]+): )(.*)$/s.exec(line) ?? [];
    return isSecretField(name, value, secrets) ? `${head}${masked(value)}` : line;
  }

  function writeResult({ value, display = value }: Pick<Shown, "value" | "display">): void {
    progress.clear();
    try {
      WRITE_RESULT[form](form === "shown" ? display : value, result);
    } catch (error) {
      fail(describeShowError(error));
      return;
    }
    // The other forms show the warnings of the exchange.
    const isData = form === "body" || form === "json";
    if (isData && isExchange(value) && value.cut) fail(describeCut(value));
  }

  const whole = (value: Exchange): void => writeResult({ value });

  function bodySinkFor(text: string, isLast: boolean): { readonly bodies?: BodySink } {
    if (form !== "body") return {};
    if (!isRaw) {
      const begins = ({ mediaType }: Pick<ResponseHead, "mediaType">): boolean => {
        const isStream = createRowReader(mediaType) !== undefined;
        if (isStream) live.begin(mediaType);
        return isStream;
      };
      const write = async (bytes: Uint8Array): Promise<void> => live.write(bytes);
      return { bodies: { keepBytes: MAX_KEPT, begins, write, whole } };
    }
    // Only later requests can refer to the body.
    const keepBytes = isLast && isOneRequest(text) ? PREVIEW : MAX_KEPT;
    return { bodies: { keepBytes, write: stdout.writeBytes, whole } };
  }

  return {
    progress,
    errors,
    writeResult,
    sinkFor: (text, isLast) => ({
      stream: (name, piece) => {
        progress.clear();
        const stream = platform[name];
        stream.write(stream.isTerminal ? printer.visible(piece) : piece, true);
        progress.written(piece);
      },
      display: writeResult,
      ...bodySinkFor(text, isLast),
    }),
    entryEnded: () => {
      live.end();
      const { history } = client;
      for (const exchange of verbose ? history.slice(shown) : []) {
        for (const line of connectionLines(exchange, platform.runtime)) errors.line(hide(line));
      }
      shown = history.length;
    },
    hasFailed: () => hasFailed,
  };
}

/** Text and bytes keep their order only if neither is held back. */
function withoutBuffering(stream: OutputStream): OutputStream {
  return { ...stream, write: (text) => stream.write(text, true) };
}

function isOneRequest(text: string): boolean {
  try {
    return parseRequests(text).length === 1;
  } catch {
    // The fault is reported when the text is run.
    return false;
  }
}

function describeCut(exchange: Exchange): string {
  const reason = exchange.cutReason ?? `It has ${bodyLength(exchange)} bytes`;
  return `The body written is incomplete. ${reason}`;
}
