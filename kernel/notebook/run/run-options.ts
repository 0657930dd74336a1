import type { LoopBreaker } from "../../platform/mod.ts";
import type { CellRun } from "../document/mod.ts";
import type { Reporter } from "./reporter.ts";

/** How to run a document. */
export interface RunDocumentOptions {
  readonly keepGoing: boolean;
  /** Limit of each cell, and of the requests that no cell awaits, in milliseconds. */
  readonly cellTimeout?: number;
  readonly reporter: Reporter;
  /** Aborted at Ctrl-C: the running cell ends, and no further one is started. */
  readonly signal: AbortSignal;
  /** Called where Ctrl-C has ended a cell before anybody could hear of it. */
  readonly interrupted?: () => void;
  /** Ends cells that compute without a break. */
  readonly breaker: LoopBreaker;
  /** Called before a cell that may never end, with what was run until then. */
  readonly checkpoint?: (runs: ReadonlyMap<string, CellRun>) => Promise<void>;
  /** Whether the outputs are wanted as MIME bundles, to be stored. */
  readonly keepOutputs: boolean;
}
