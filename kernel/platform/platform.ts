import { writeSync } from "node:fs";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { type ReadOptions, readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

export interface Runtime {
  readonly name: "node" | "deno" | "bun";
  readonly version: string;
  /** For people, for example `Node.js`. */
  readonly title: string;
}

export interface OutputStream {
  readonly isTerminal: boolean;
  /** The current width of the terminal in columns; that of `COLUMNS` for a pipe, else infinite. */
  readonly columns: () => number;
  /** Whether to write colours: to a terminal, without `NO_COLOR` and `TERM=dumb`. */
  readonly color: boolean;
  /**
   * Writes text.
   *
   * @param atOnce Whether to write without buffering: the caller may block the thread afterwards.
   */
  readonly write: (text: string, atOnce?: boolean) => void;
  /** Writes bytes after all text written so far; resolves when the stream has accepted them. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
}

/** The process, passed in so that tests can replace it. */
export interface Platform {
  readonly runtime: Runtime;
  /** The arguments after the name of the command. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder, absolute. */
  readonly directory: string;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdinIsTerminal: boolean;
  /** Reads a regular file; relative paths start at `directory`. */
  readonly readFile: (path: string, options?: ReadOptions) => Promise<Uint8Array>;
  /** Replaces a file in one step: after a crash the old file or the new one is there. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Calls `handler` at Ctrl-C, which does not end the process then; returns a function that removes it. */
  readonly onInterrupt: (handler: () => void) => () => void;
  /** The same for SIGTERM. */
  readonly onTermination: (handler: () => void) => () => void;
  /** Ends the process after all output has been written. */
  readonly exit: (status: number) => Promise<never>;
  /**
   * Imports documents of other tools, as `restlab import` does, for the prompt and for cells.
   *
   * @param line The arguments of the command.
   * @param directory The folder in which relative paths start.
   * @returns The lines of the report.
   * @throws {Error} A source cannot be read, or a file is in the way; the message says which and why.
   */
  readonly importDocuments?: (line: string, directory: string) => Promise<readonly string[]>;
  /** Whether the process is of another program: its signals, streams and errors are its own. */
  readonly isGuest?: boolean;
}

/**
 * The platform of this process. Deno and Bun have `node:process` as well.
 */
export function currentPlatform(): Platform {
  const runtime = currentRuntime();
  if (runtime.name === "node") silenceWarnings();
  const stdout = createOutputStream(process.stdout, process.env);
  const stderr = createOutputStream(process.stderr, process.env, stdout);
  process.on("exit", stdout.flush);
  return {
    runtime,
    arguments: process.argv.slice(2),
    environment: process.env,
    directory: process.cwd(),
    stdout,
    stderr,
    stdinIsTerminal: process.stdin.isTTY === true,
    readFile,
    writeFile,
    onInterrupt: (handler) => onSignal("SIGINT", handler),
    onTermination: (handler) => onSignal("SIGTERM", handler),
    exit: (status) => {
      stdout.flush();
      return exit(status);
    },
  };
}

/** The platform of a process of another program, in which nothing is written, listened to or ended. */
export function guestPlatform(): Platform {
  const silent: OutputStream = {
    isTerminal: false,
    color: false,
    columns: () => Number.POSITIVE_INFINITY,
    write: () => undefined,
    writeBytes: async () => undefined,
  };
  const listensToNothing = () => (): void => undefined;
  return {
    runtime: currentRuntime(),
    arguments: [],
    environment: process.env,
    directory: process.cwd(),
    stdout: silent,
    stderr: silent,
    stdinIsTerminal: false,
    readFile,
    writeFile,
    onInterrupt: listensToNothing,
    onTermination: listensToNothing,
    exit: () => Promise.reject(new Error("Only the program itself may end its process")),
    isGuest: true,
  };
}

export function currentRuntime(): Runtime {
  const { bun, deno, node } = process.versions as Record<string, string | undefined>;
  if (bun !== undefined) return { name: "bun", version: bun, title: "Bun" };
  if (deno !== undefined) return { name: "deno", version: deno, title: "Deno" };
  return { name: "node", version: node ?? "", title: "Node.js" };
}

/** Handles a signal; returns a function that removes the handler. */
function onSignal(signal: NodeJS.Signals, handler: () => void): () => void {
  process.on(signal, handler);
  return () => void process.off(signal, handler);
}

async function exit(status: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  // A cell may have set the exit status.
  process.exit(status === 0 ? process.exitCode : status);
}

/**
 * Resolves when all output has been written. Bun 1.4 calls back as soon as data is queued, except at the
 * end of a stream.
 */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else if (process.versions["bun"] !== undefined) stream.end(resolve);
    else stream.write("", () => resolve());
  });
}

/**
 * Node 20.19 warns when CommonJS loads an ES module, as a cell with an import does. Remove this when Node
 * 22.13, which does not warn, is the oldest supported version.
 */
function silenceWarnings(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning).includes("loading ES Module")) return;
    emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
}

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
      // The process flushes at its end, and what waits for nothing to be left must not wait for this.
      else timer ??= setTimeout(flush, DELAY).unref();
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

/** Whether the locale has no Unicode. Without a locale, terminals support it today. */
export function isAsciiLocale({ environment }: Pick<Platform, "environment">): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  return !/utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "utf-8");
}
