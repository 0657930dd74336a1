/**
 * The output of cells: sinks, the captured console and streams, masked text, responses shown while they
 * arrive, traces of errors; and the timers and requests that belong to a cell.
 */

export { showBatchProgress } from "./batch-progress.ts";
export { captureOutput } from "./capture.ts";
export { type Checkpoint, createCheckpoint } from "./checkpoint.ts";
export { forwardBodies } from "./forward-bodies.ts";
export { whenStuck } from "./guards.ts";
export { watchLiveOutput } from "./live-output.ts";
export { createMaskedSink } from "./masked-sink.ts";
export {
  type CellHooks,
  type CellOutput,
  createCellOutput,
  currentOutput,
  currentOwner,
  runInCell,
  runOutsideCells,
} from "./output.ts";
export { outputMetadata } from "./output-metadata.ts";
export { ownedTimerModules } from "./owned-timers.ts";
export { show } from "./show.ts";
export { type Locate, mapStack, parseFrame, toCellError } from "./trace.ts";
