/**
 * HAR 1.2: exchanges are written to a file without secrets, and a file of restlab or of a browser answers
 * the requests of a client. It opens no files and no connections.
 */

export type {
  HarBody,
  HarContent,
  HarCookie,
  HarEntry,
  HarMessage,
  HarPair,
  HarRequest,
  HarResponse,
  HarTimings,
} from "./har.ts";
export { comparableUrl, createUrlMatcher, isMaskedText, takeTurn } from "./match.ts";
export {
  HarError,
  type RecordedBody,
  type RecordedEntry,
  type RecordedMessage,
  type RecordedResponse,
  type Recording,
  readHar,
} from "./read-har.ts";
export {
  createRecorder,
  type DocumentFrame,
  type GrowingFile,
  type OpenGrowingFile,
  type Recorder,
  type RecorderOptions,
} from "./recorder.ts";
export { createReplay, type Replay, type ReplayOptions } from "./replay.ts";
export { type EntryOptions, toHarEntries } from "./to-entries.ts";
