/**
 * The process and its runtime: arguments, streams, signals, files, connections. The only folder that may
 * name a runtime.
 */

export { AsyncContext } from "./async-context.ts";
export { keepCompiledCode, type LoadedModule, loadLargeModule } from "./code-cache.ts";
export { createConnect, replacedFetch } from "./fetch.ts";
export {
  type HistoryEntry,
  HistoryFile,
  historyPath,
  openSessionHistory,
  type SessionHistory,
} from "./history.ts";
export { limitTime } from "./limit-time.ts";
export { type CellThread, createCellThread, LoopBreaker } from "./loop-breaker.ts";
export { createLoopMemory, LOOP_PHASES, LOOP_SLOTS } from "./loop-memory.ts";
export { openWebSocket } from "./open-web-socket.ts";
export {
  currentPlatform,
  currentRuntime,
  guestPlatform,
  isAsciiLocale,
  type OutputStream,
  type Platform,
  type Runtime,
} from "./platform.ts";
export { permittedEnvironment } from "./proxy.ts";
export {
  findHome,
  foldersUpToRoot,
  openFile,
  readFile,
  readingReason,
  writingReason,
} from "./read-file.ts";
export { listenForRedirect, openUrl } from "./redirect-listener.ts";
export { findBrought, readAsset, requireModule } from "./require-module.ts";
export { SecretPrograms } from "./secret-source.ts";
export { listenForSignals } from "./signals.ts";
export { createTerminator, interruptCell } from "./termination.ts";
export {
  expectWritable,
  makeFolder,
  openFileForWriting,
  openGrowingFile,
  writeFile,
} from "./write-file.ts";
