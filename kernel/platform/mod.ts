/**
 * The process and its runtime: arguments, streams, signals, files, connections. The only folder that may
 * name a runtime. It imports only types of the library.
 *
 * @module
 */

export { type LoadedModule, loadLargeModule } from "./code-cache.ts";
export { keepCompiledCode } from "./compile-cache.ts";
export {
  createConnect,
  createPlatformFetch,
  createProxiedFetch,
  createRuntimeHeaders,
} from "./connection/mod.ts";
export {
  expectWritable,
  findHome,
  foldersUpToRoot,
  makeFolder,
  openFile,
  openFileForWriting,
  openGrowingFile,
  readAsset,
  readingReason,
  writeFile,
  writingReason,
} from "./files/mod.ts";
export {
  historyPath,
  type KeptCell,
  openSessionHistory,
  readTail,
  removeLines,
  type SessionHistory,
} from "./history/mod.ts";
export {
  type CellThread,
  createCellThread,
  createLoopMemory,
  createTerminator,
  interruptCell,
  LOOP_PHASES,
  LOOP_SLOTS,
  LoopBreaker,
  limitTime,
  listenForSignals,
} from "./loops/mod.ts";
export { openUrl } from "./open-url.ts";
export { openWebSocket } from "./open-web-socket.ts";
export { listenForRedirect } from "./redirect-listener.ts";
export { requireModule } from "./require-module.ts";
export {
  currentPlatform,
  currentRuntime,
  type OutputStream,
  type Platform,
  type Runtime,
} from "./runtime/mod.ts";
