/**
 * Cells: their kind, outcome, errors, limits and interruption, and the contract between a session and
 * the evaluator of TypeScript.
 */

export { type Cell, kindOfCell } from "./cell.ts";
export { type CellLimit, createLimit, type RunningLimit } from "./cell-limit.ts";
export { type CellScope, createCellScope } from "./cell-scope.ts";
export { endedBy } from "./ended-by.ts";
export {
  CellExit,
  InterruptedError,
  StuckError,
  TypeScriptError,
  UnknownMagicError,
} from "./errors.ts";
export type {
  Candidate,
  Completion,
  EvaluateOptions,
  Evaluation,
  Evaluator,
  Frame,
  Inspection,
  RunScriptOptions,
  ScriptEvents,
} from "./evaluator.ts";
export { asInterruption, createInterruption, type Interruption } from "./interruption.ts";
export type { BodySink, CellError, IsComplete, Outcome, OutputSink, Shown } from "./outcome.ts";
export { cameOfEnd, createOwners, type Owner } from "./owner.ts";
export { requestHint } from "./request-hint.ts";
export { unlessAborted } from "./unless-aborted.ts";
