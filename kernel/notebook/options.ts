import type { LoopBreaker } from "../platform/mod.ts";
import type { SessionOptions } from "../session/mod.ts";
import type { DocumentSession } from "./open-session.ts";

/** What `restlab run` was asked to do. */
export interface RunOptions {
  readonly files: readonly string[];
  /** Set before the first cell of each file; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** The environment that each file begins with. */
  readonly environment?: string;
  /** Makes generated values repeat. */
  readonly seed?: string;
  /** Where to write the notebook with its outputs: a file, or a folder for several documents. */
  readonly output?: string;
  /** Start the embedded API on a free port and set `base` to it. */
  readonly demo: boolean;
  /** Limit of each request and of each cell, in seconds. */
  readonly timeout?: number;
  readonly keepGoing: boolean;
  /** One line for each request instead of its whole answer. */
  readonly brief: boolean;
  /** Asks the person at the terminal for values that no variable has. */
  readonly ask?: SessionOptions["ask"];
  /** Hands the session of the last document over instead of closing it. */
  readonly interact?: (opened: DocumentSession, breaker: LoopBreaker) => Promise<void>;
}

/** The exit statuses of `restlab run`. */
export const EXIT = { ok: 0, cellFailed: 1, usage: 2, interrupted: 130, terminated: 143 } as const;
