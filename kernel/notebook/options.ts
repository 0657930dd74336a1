import type { LoopBreaker } from "../platform/mod.ts";
import type { SessionOptions } from "../session/mod.ts";
import type { DocumentOptions, DocumentSession } from "./context/mod.ts";

/** Options of `restlab run`. */
export interface RunOptions extends DocumentOptions {
  readonly files: readonly string[];
  /** Where to write the notebook with its outputs: a file, a folder for several, `-` for stdout. */
  readonly output?: string;
  /** Whether the outputs have no times and dates. */
  readonly stable?: boolean;
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
