/**
 * Runs cells for every front end: requests and TypeScript, the queue, interrupts, output, errors,
 * completions. It knows no protocol, terminal or file format; the library renders values.
 * TypeScript is loaded on demand.
 */

export { captureOutput } from "./capture.ts";
export { type Cell, kindOfCell } from "./cell.ts";
export { clientOptionsOf, parseVariableValue } from "./client-options.ts";
export { isCompleteRequest } from "./is-complete-request.ts";
export { isKeepable, isPrivate, isSecretField, worstStatus } from "./private-cell.ts";
export {
  openRecording,
  RecordingError,
  type RecordingOptions,
  type SessionRecording,
} from "./recording.ts";
export { declaredVariables } from "./response-types.ts";
export { createSession, type Session, type SessionOptions } from "./session.ts";
export { setHeader } from "./settings.ts";
export { outputMetadata, show } from "./show.ts";
