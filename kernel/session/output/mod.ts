/**
 * What cells put out: sinks, captured consoles and streams, masked text, answers shown while they arrive,
 * traces of errors.
 */

export { captureOutput } from "./capture.ts";
export { createCheckpoint } from "./checkpoint.ts";
export { whenStuck } from "./guards.ts";
export { handOn } from "./hand-on.ts";
export { watchLiveOutput } from "./live-output.ts";
export { showManyProgress } from "./many-progress.ts";
export { createMaskedSink } from "./masked-sink.ts";
export {
  type CellHooks,
  type CellOutput,
  createCellOutput,
  currentOwner,
  runInCell,
  runOutsideCells,
} from "./output.ts";
export { ownedTimerModules } from "./owned-timers.ts";
export { show } from "./show.ts";
export { type Locate, mapStack, toCellError } from "./trace.ts";
