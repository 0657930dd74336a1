import type { LoopBreaker } from "../../platform/mod.ts";
import type { CellRun } from "../document/mod.ts";
import type { Reporter } from "./reporter.ts";

export interface RunDocumentOptions {
  readonly keepGoing: boolean;
  /** The time limit of each cell, and of pending requests after the last one, in milliseconds. */
  readonly cellTimeout?: number;
  readonly reporter: Reporter;
  /** Aborted at Ctrl-C: ends the running cell and starts no other. */
  readonly signal: AbortSignal;
  /** Called when the runtime itself has ended a cell at Ctrl-C. */
  readonly interrupted?: () => void;
  readonly breaker: LoopBreaker;
  /** Called before each TypeScript cell, which may never end, with the runs until then. */
  readonly checkpoint?: (runs: ReadonlyMap<string, CellRun>) => Promise<void>;
  /** Whether to store outputs as MIME bundles. */
  readonly keepOutputs: boolean;
  /** Whether the stored outputs have no times and dates. */
  readonly stable?: boolean;
}
