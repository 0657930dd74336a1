import type { ReadOptions } from "../files/mod.ts";

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
}
