/**
 * What a cell means, the same for every front end: a request or TypeScript, the queue, interrupts,
 * output, errors, completions. It knows no protocol, no terminal and no file format; what a value
 * looks like is the library's to say. TypeScript is loaded when it is first needed.
 *
 * @module
 */

export {
  type BodySink,
  type Candidate,
  type CellError,
  type Completion,
  endedBy,
  InterruptedError,
  kindOfCell,
  type Outcome,
  type OutputSink,
  type Shown,
} from "./cell/mod.ts";
export { clientOptionsOf } from "./client-options.ts";
export { isCompleteRequest } from "./completion/mod.ts";
export { captureOutput, show } from "./output/mod.ts";
export { isKeepable, isPrivate, isSecretField } from "./private-cell.ts";
export { createSession, type Session } from "./session.ts";
export type { ExecuteOptions, SessionOptions } from "./session-options.ts";
export { withHeaders } from "./settings.ts";
export { parseVariableValue } from "./variable-value.ts";
