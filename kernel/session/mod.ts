/**
 * What a cell means, the same for every front end: a request or TypeScript, the queue, interrupts,
 * output, errors, completions. It knows no protocol, no terminal and no file format; what a value
 * looks like is the library's to say. TypeScript is loaded when it is first needed.
 *
 * @module
 */
export { captureOutput } from "./capture.ts";
export { type Cell, kindOfCell } from "./cell.ts";
export { type ClientPlatform, clientOptionsOf } from "./client-options.ts";
export { endedBy } from "./ended-by.ts";
export { InterruptedError, TypeScriptError, UnknownMagicError } from "./errors.ts";
export type { Candidate, Completion, Inspection, ScriptEvents } from "./evaluator.ts";
export { isCompleteRequest } from "./is-complete-request.ts";
export type { BodySink, CellError, IsComplete, Outcome, OutputSink, Shown } from "./outcome.ts";
export { isKeepable, isPrivate, isSecretField } from "./private-cell.ts";
export { readAhead } from "./read-ahead.ts";
export {
  createSession,
  type Session,
} from "./session.ts";
export type { ExecuteOptions, SessionOptions } from "./session-options.ts";
export { type Settings, withHeaders } from "./settings.ts";
export { show } from "./show.ts";
export { parseVariableValue } from "./variable-value.ts";
