import type { LoopBreaker } from "../platform/mod.ts";
import type { RecordingOptions, SessionOptions } from "../session/mod.ts";
import type { DocumentSession } from "./open-session.ts";

export interface RunOptions extends RecordingOptions {
  readonly files: readonly string[];
  /** Initial variables; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly environment?: string;
  readonly seed?: string;
  /** Where to write the notebook with its outputs: a file, a folder for several, `-` for stdout. */
  readonly output?: string;
  /** Whether to start the embedded API on a free port and set `base` to its URL. */
  readonly demo: boolean;
  /** The time limit of each request and each cell, in seconds. */
  readonly timeout?: number;
  readonly keepGoing: boolean;
  /** Whether to print whole answers, one line per request, or one line of JSON per result. */
  readonly form: "shown" | "brief" | "json";
  /** Whether a status of 3xx, 4xx or 5xx makes the exit status 3, 4 or 5. */
  readonly checkStatus: boolean;
  /** Asks the person at the terminal for the values of prompts. */
  readonly ask?: SessionOptions["ask"];
  /** Called with the session of the last document before it is closed. */
  readonly interact?: (opened: DocumentSession, breaker: LoopBreaker) => Promise<void>;
}
