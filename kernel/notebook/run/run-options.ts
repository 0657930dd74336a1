import type { LoopBreaker } from "../../platform/mod.ts";
import type { CellRun, DocumentCell } from "../document/mod.ts";
import type { Reporter } from "./reporter.ts";

/** The reason of a signal after `process.exit` in a cell, which is not a failure of the cells that it ends. */
export const EXITED = "process.exit";

export interface RunDocumentOptions {
  /** Whether to run the next cell, given how many have failed. */
  readonly continues: (failed: number) => boolean;
  /** Whether to run a cell; all by default. */
  readonly selects?: (cell: DocumentCell) => boolean;
  /** How often a cell that fails is run again; 0 by default. */
  readonly retries?: number;
  /** The time limit of each cell, and of pending requests after the last one, in milliseconds. */
  readonly cellTimeout?: number;
  /** Whether other documents run at the same time; see `LoopBreaker.runCell`. */
  readonly isParallel?: boolean;
  readonly reporter: Reporter;
  /** Aborted at Ctrl-C, and with {@link EXITED}: ends the running cell and starts no other. */
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
