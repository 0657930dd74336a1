import type { RecordingOptions } from "../../session/mod.ts";

/** Options of every command that runs documents. */
export interface DocumentOptions extends RecordingOptions {
  /** Initial variables; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly environment?: string;
  readonly seed?: string;
  /** The clock of generated values, signatures and the embedded API. */
  readonly now?: () => Date;
  /** Whether to start the embedded API on a free port and set `base` to its URL. */
  readonly demo: boolean;
  /** The time limit of each request and each cell, in seconds. */
  readonly timeout?: number;
}
