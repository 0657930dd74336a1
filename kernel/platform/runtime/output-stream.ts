import { writeSync } from "node:fs";
import process from "node:process";
import type { OutputStream } from "./platform.ts";

/** An output stream that may buffer text for a moment. */
interface BufferedStream extends OutputStream {
  readonly flush: () => void;
}

/** How long text is buffered, in milliseconds, and how much of it. */
const DELAY = 20;
const BUFFER_SIZE = 16_384;

/**
 * Wraps standard output or standard error. A terminal and standard error get text at once; standard output
 * is buffered for a pipe or a file, where a system call per line would take as long as a request.
 *
 * @param first A buffered stream that is flushed before each write of this one, so that two streams into
 * one pipe keep their order. This stream is not buffered then.
 */
export function createOutputStream(
  stream: NodeJS.WriteStream,
  environment: Readonly<Record<string, string | undefined>>,
  first?: BufferedStream,
): BufferedStream {
  const onError = (error: NodeJS.ErrnoException): void => {
    // A pipe that is closed (`| head`) is not an error.
    if (error.code === "EPIPE") process.exit();
    failToWrite(stream, error);
  };
  stream.on("error", onError);
  const isTerminal = stream.isTTY === true;
  let buffered = "";
  let flushedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    flushedAt = performance.now();
    if (buffered === "") return;
    const text = buffered;
    buffered = "";
    send(text);
  };
  /** Does not report failures to `sent`: they end the process. */
  const send = (piece: string | Uint8Array, sent?: () => void): void => {
    try {
      stream.write(piece, (error) => {
        if (!error) sent?.();
      });
    } catch (error) {
      // Deno throws the error.
      onError(error as NodeJS.ErrnoException);
    }
  };
  return {
    isTerminal,
    color: wantsColor(isTerminal, environment),
    columns: () => (isTerminal ? (stream.columns ?? 100) : columnsOf(environment)),
    flush,
    writeBytes: (bytes) => {
      first?.flush();
      flush();
      return new Promise((resolve) => send(bytes, resolve));
    },
    write: (text, atOnce = false) => {
      first?.flush();
      buffered += text;
      const isLate = performance.now() - flushedAt >= DELAY;
      if (isTerminal || first !== undefined || atOnce || isLate || buffered.length >= BUFFER_SIZE)
        flush();
      else timer ??= setTimeout(flush, DELAY);
    },
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "there is no space left",
  EIO: "the device does not answer",
};
const WRITE_FAILED = 2;

/** Ends the process, whose output would be lost. */
function failToWrite(stream: NodeJS.WriteStream, { code, message }: NodeJS.ErrnoException): never {
  const name = stream === process.stdout ? "standard output" : "standard error";
  try {
    writeSync(2, `restlab: Writing to ${name} failed: ${REASONS[code ?? ""] ?? message}\n`);
  } catch {
    // Standard error may be the stream that failed.
  }
  process.exit(WRITE_FAILED);
}

/** A pipe or a file has a width only if `COLUMNS` says so. */
function columnsOf({ COLUMNS = "" }: Readonly<Record<string, string | undefined>>): number {
  return /^[1-9]\d*$/.test(COLUMNS) ? Number(COLUMNS) : Number.POSITIVE_INFINITY;
}

/** https://no-color.org: any value that is not empty. */
function wantsColor(
  isTerminal: boolean,
  { NO_COLOR = "", FORCE_COLOR = "", TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR !== "" || TERM === "dumb") return false;
  return isTerminal || (FORCE_COLOR !== "" && FORCE_COLOR !== "0");
}
