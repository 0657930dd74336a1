/**
 * Runs cells for every front end: requests and TypeScript, the queue, interrupts, output, errors,
 * completions. It knows no protocol, terminal or file format; the library renders values.
 * TypeScript is loaded on demand.
 */

export { captureOutput } from "./capture.ts";
export { type Cell, kindOfCell } from "./cell.ts";
export { clientOptionsOf, parseVariableValue } from "./client-options.ts";
export { requestAsText } from "./complete-request.ts";
export {
  endOfJson,
  isCompleteRequest,
  lastRequest,
  multipartBoundary,
  takesMore,
} from "./is-complete-request.ts";
export {
  type CommandOptions,
  createSessionOpener,
  type OpenedSession,
  type SessionOpener,
} from "./open-session.ts";
export { isKeepable, isPrivate, isSecretField } from "./private-cell.ts";
export { RecordingError } from "./recording.ts";
export { declaredVariables } from "./response-types.ts";
export { createSession, type Session, type SessionOptions } from "./session.ts";
export { setHeader } from "./settings.ts";
export { outputMetadata, show } from "./show.ts";
