import type { ReadOptions } from "../files/mod.ts";

/** The runtime that runs us. */
export interface Runtime {
  readonly name: "node" | "deno" | "bun";
  readonly version: string;
  /** As people write it, for example `Node.js`. */
  readonly title: string;
}

/** Standard output or standard error. */
export interface OutputStream {
  readonly isTerminal: boolean;
  /** The width of the terminal in columns, asked anew each time since windows are resized. */
  readonly columns: () => number;
  /** Whether colours are wanted here: a terminal, and neither `NO_COLOR` nor `TERM=dumb`. */
  readonly color: boolean;
  /**
   * Writes text.
   *
   * @param atOnce Whether it must not be held back for a moment: what wrote it may compute from now on.
   */
  readonly write: (text: string, atOnce?: boolean) => void;
  /** Writes bytes behind all text that was written; it settles when they are on their way. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
}

/** Everything that comes from outside; passed in, so that a test can replace it. */
export interface Platform {
  readonly runtime: Runtime;
  /** The words after the command's own name. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder, absolute. */
  readonly directory: string;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdinIsTerminal: boolean;
  /** Reads a regular file's bytes; relative paths start in `directory`. */
  readonly readFile: (path: string, options?: ReadOptions) => Promise<Uint8Array>;
  /** Replaces a file in one step, so that a crash leaves the old one or the new one. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Calls `handler` at Ctrl-C instead of ending; returns what takes it off again. */
  readonly onInterrupt: (handler: () => void) => () => void;
  /** Calls `handler` at SIGTERM instead of ending; returns what takes it off again. */
  readonly onTermination: (handler: () => void) => () => void;
  /** Ends the process after everything written has left it, whatever timers still run. */
  readonly exit: (status: number) => Promise<never>;
}
