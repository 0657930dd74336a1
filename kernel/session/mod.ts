/**
 * Runs cells for every front end: requests and TypeScript, the queue, interrupts, output, errors,
 * completions. It knows no protocol, terminal or file format; the library renders values.
 * TypeScript is loaded on demand.
 */

export {
  type BodySink,
  type Candidate,
  type Cell,
  type CellError,
  type Completion,
  endedBy,
  InterruptedError,
  type IsComplete,
  kindOfCell,
  type Outcome,
  type OutputSink,
  type Shown,
} from "./cell/mod.ts";
export {
  clientOptionsOf,
  openRecording,
  parseVariableValue,
  RecordingError,
  type RecordingOptions,
  type SessionRecording,
  setHeader,
} from "./client/mod.ts";
export { isCompleteRequest } from "./completion/mod.ts";
export { declaredVariables } from "./declared-variables.ts";
export { captureOutput, outputMetadata, show } from "./output/mod.ts";
export { isKeepable, isPrivate, isSecretField } from "./private-cell.ts";
export { createSession, type Session } from "./session.ts";
export type { ExecuteOptions, SessionOptions } from "./session-options.ts";
export { CLIENT_MEMBERS } from "./words/mod.ts";
export { worstStatus } from "./worst-status.ts";
