/**
 * What the handlers use: the session, the channels, execution counts, the history.
 */

export { cells, type RunningCell } from "./cells.ts";
export { createHistory } from "./history.ts";
export type { Handler, Job, Kernel } from "./kernel.ts";
export { createKernelInfo, KERNEL_VERSION } from "./kernel-info.ts";
export { type CellPublisher, createPublisher, toData } from "./publisher.ts";
