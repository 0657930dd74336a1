/**
 * What the outside world gives us: arguments, streams, signals, files and the runtime's name.
 * The only folder that may ask which runtime it is on. It imports nothing of ours.
 *
 * @module
 */

export { keepCompiledCode } from "./compile-cache.ts";
export { type Connect, createConnect, createProxiedFetch } from "./connection/create-connect.ts";
export { createPlatformFetch } from "./connection/create-platform-fetch.ts";
export { currentPlatform, currentRuntime } from "./current.ts";
export { historyPath } from "./history/history-path.ts";
export { readTail } from "./history/read-tail.ts";
export {
  type KeptCell,
  openSessionHistory,
  type SessionHistory,
} from "./history/session-history.ts";
export { takeOutLines } from "./history/take-out-lines.ts";
export { type CellThread, createCellThread } from "./loops/cell-thread.ts";
export { createForce } from "./loops/force.ts";
export { hearSignals } from "./loops/hear-signals.ts";
export { createInterrupter } from "./loops/interrupter.ts";
export { createLoopBreaker, type LoopBreaker } from "./loops/loop-breaker.ts";
export { createLoopMemory, PHASES as LOOP_PHASES, PLACES as LOOP_PLACES } from "./loops/places.ts";
export { makeFolder } from "./make-folder.ts";
export { openFile } from "./open-file.ts";
export { type FileBeingWritten, openFileForWriting } from "./open-file-for-writing.ts";
export { openUrl } from "./open-url.ts";
export { openWebSocket } from "./open-web-socket.ts";
export type { OutputStream, Platform, Runtime } from "./platform.ts";
export { readAsset } from "./read-asset.ts";
export { listenForRedirect, type RedirectListener } from "./redirect-listener.ts";
export { findHome } from "./user-folder.ts";
