/**
 * What the outside world gives us: arguments, streams, signals, files and the runtime's name.
 * The only folder that may ask which runtime it is on. It imports nothing of ours.
 *
 * @module
 */

export { keepCompiledCode } from "./compile-cache.ts";
export { createConnect, createPlatformFetch, createProxiedFetch } from "./connection/mod.ts";
export {
  findHome,
  foldersUpToRoot,
  makeFolder,
  openFile,
  openFileForWriting,
  readAsset,
  writeFile,
} from "./files/mod.ts";
export {
  historyPath,
  type KeptCell,
  openSessionHistory,
  readTail,
  type SessionHistory,
  takeOutLines,
} from "./history/mod.ts";
export {
  type CellThread,
  createCellThread,
  createForce,
  createInterrupter,
  createLoopBreaker,
  createLoopMemory,
  hearSignals,
  type LoopBreaker,
  PHASES,
  PLACES,
} from "./loops/mod.ts";
export { openUrl } from "./open-url.ts";
export { openWebSocket } from "./open-web-socket.ts";
export { listenForRedirect, type RedirectListener } from "./redirect-listener.ts";
export {
  currentPlatform,
  currentRuntime,
  type OutputStream,
  type Platform,
  type Runtime,
} from "./runtime/mod.ts";
