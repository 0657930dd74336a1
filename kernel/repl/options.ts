/** What is written of a result where the output goes into a pipe. */
export type Form = "shown" | "json" | "body" | "headers" | "quiet";

/** What `restlab` was asked to do. */
export interface ReplOptions {
  /** Texts to be run in turn, from `-e`; none opens the prompt, or reads standard input. */
  readonly entries: readonly string[];
  readonly form: Form;
  /** Whether an answer of 3xx, 4xx or 5xx makes the exit status 3, 4 or 5. */
  readonly checkStatus: boolean;
  /** Set before the first entry; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Start the embedded API on a free port and set `base` to it. */
  readonly demo: boolean;
  /** The environment to begin with, from the files of the working folder. */
  readonly environment?: string;
  /** Makes generated values repeat. */
  readonly seed?: string;
  /** Limit of each request, in seconds. */
  readonly timeout?: number;
}

/** The exit statuses of `restlab` without a command; 3, 4 and 5 are those of HTTPie. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The command line asks for what cannot be; the message says what. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
