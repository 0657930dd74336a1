/**
 * The client of a session: its options for files and the network, its settings, and what it records.
 */

export { type ClientPlatform, clientOptionsOf } from "./client-options.ts";
export {
  openRecording,
  RecordingError,
  type RecordingOptions,
  type SessionRecording,
} from "./recording.ts";
export { type Settings, setHeader, withSettings } from "./settings.ts";
export { parseVariableValue } from "./variable-value.ts";
