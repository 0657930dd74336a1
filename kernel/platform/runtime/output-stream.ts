import { writeSync } from "node:fs";
import process from "node:process";
import type { OutputStream } from "./platform.ts";

/** An output stream that may hold text back for a moment. */
export interface BufferedStream extends OutputStream {
  /** Writes what was held back. */
  readonly flush: () => void;
}

/** How long text is held back, and how much of it: long answers go out as they come. */
const DELAY = 20;
const LIMIT = 16_384;

/**
 * Wraps one of the process's streams.
 *
 * A terminal gets everything at once, and so does standard error. Into a pipe or a file short pieces
 * of standard output are gathered: a system call for each line would cost as much as the request that
 * the line is about.
 *
 * @param stream Standard output or standard error.
 * @param environment Says whether colours are wanted.
 * @param first What another stream holds back: it goes out before anything of this one, so that two
 * streams into one pipe keep their order. A stream that has such a one holds nothing back itself.
 */
export function createOutputStream(
  stream: NodeJS.WriteStream,
  environment: Readonly<Record<string, string | undefined>>,
  first?: BufferedStream,
): BufferedStream {
  const onError = (error: NodeJS.ErrnoException): void => {
    // A reader that has gone (`| head`) is no error.
    if (error.code === "EPIPE") process.exit();
    failToWrite(stream, error);
  };
  stream.on("error", onError);
  const isTerminal = stream.isTTY === true;
  let held = "";
  let flushedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    flushedAt = performance.now();
    if (held === "") return;
    const text = held;
    held = "";
    send(text);
  };
  /** A failure ends the process, so nobody waits for a piece that does not leave. */
  const send = (piece: string | Uint8Array, sent?: () => void): void => {
    try {
      stream.write(piece, (error) => {
        if (!error) sent?.();
      });
    } catch (error) {
      // Deno throws it.
      onError(error as NodeJS.ErrnoException);
    }
  };
  return {
    isTerminal,
    color: wantsColor(isTerminal, environment),
    columns: () => stream.columns ?? 100,
    flush,
    writeBytes: (bytes) => {
      first?.flush();
      flush();
      return new Promise((resolve) => send(bytes, resolve));
    },
    write: (text, atOnce = false) => {
      first?.flush();
      held += text;
      const isLate = performance.now() - flushedAt >= DELAY;
      if (isTerminal || first !== undefined || atOnce || isLate || held.length >= LIMIT) flush();
      else timer ??= setTimeout(flush, DELAY);
    },
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "there is no space left",
  EIO: "the device does not answer",
};
const WRITE_FAILED = 2;

/** Nobody would see what comes now, so nothing more is done. */
function failToWrite(stream: NodeJS.WriteStream, { code, message }: NodeJS.ErrnoException): never {
  const name = stream === process.stdout ? "standard output" : "standard error";
  try {
    writeSync(2, `restlab: Writing to ${name} failed: ${REASONS[code ?? ""] ?? message}\n`);
  } catch {
    // It may be standard error that nothing can be written to.
  }
  process.exit(WRITE_FAILED);
}

/** https://no-color.org: present and not empty, whatever its value. */
function wantsColor(
  isTerminal: boolean,
  { NO_COLOR = "", FORCE_COLOR = "", TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR !== "" || TERM === "dumb") return false;
  return isTerminal || (FORCE_COLOR !== "" && FORCE_COLOR !== "0");
}
