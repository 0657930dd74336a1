import type { RecordingOptions } from "../session/mod.ts";
import type { Form, Pretty } from "./write-result.ts";

/** The words of a request on the command line. */
export interface RequestWords {
  /** `request`: a method and a URL with options of curl. Others: the words after this one. */
  readonly kind: "request" | "http" | "https" | "curl";
  readonly words: readonly string[];
}

export interface ReplOptions extends RecordingOptions {
  /** A request on the command line, which precedes the texts of `-e`. */
  readonly request?: RequestWords;
  /** The texts of `-e`. Without them the prompt opens, or standard input is read. */
  readonly entries: readonly string[];
  readonly form: Form;
  /** By default `all` at a terminal and `none` elsewhere. */
  readonly pretty?: Pretty;
  /** Whether to write what was sent and how, to standard error. */
  readonly verbose: boolean;
  /** Whether a status of 3xx, 4xx or 5xx makes the exit status 3, 4 or 5. */
  readonly checkStatus: boolean;
  /** Initial variables; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Whether to start the embedded API on a free port and set `base` to its URL. */
  readonly demo: boolean;
  /** The environment, from the files of the working folder. */
  readonly environment?: string;
  readonly seed?: string;
  /** The clock of generated values, signatures and the embedded API. */
  readonly now?: () => Date;
  /** The time limit of each request, in seconds. */
  readonly timeout?: number;
}

/** The exit statuses of `restlab` without a command; 3, 4 and 5 are those of HTTPie. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The command line or standard input cannot be used; the message says why and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
