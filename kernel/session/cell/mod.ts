/**
 * What every part of a session shares about a cell: its scope, owner, outcome, errors and interruption, the
 * contract between a session and the evaluator of TypeScript, and the words of completion. A kernel replies
 * with some of it before the library is loaded, so it imports only types.
 */

export { keepBuiltIns, restoreBuiltIns } from "./built-ins.ts";
export {
  CellExit,
  endedBy,
  InterruptedError,
  StuckError,
  TypeScriptError,
  UnknownMagicError,
} from "./errors.ts";
export { asInterruption, createInterruption, unlessAborted, unlessEnded } from "./interruption.ts";
export {
  KERNEL_LANGUAGE,
  LANGUAGE_INFO,
  NOTEBOOK_METADATA,
  REQUEST_LANGUAGE,
} from "./language-info.ts";
export type {
  BodySink,
  Candidate,
  CellError,
  Completion,
  EvaluateOptions,
  Evaluation,
  Evaluator,
  Frame,
  Inspection,
  IsComplete,
  Outcome,
  OutputSink,
  RunScriptOptions,
  ScriptEvents,
  Shown,
} from "./outcome.ts";
export { cameOfEnd, createOwners, type Owner } from "./owner.ts";
export { createQuestions, QUESTION_TYPES, type Questions } from "./questions.ts";
export { requestHint } from "./request-hint.ts";
export {
  type CellLimit,
  type CellScope,
  CHECKPOINT,
  createCellScope,
  createLimit,
  IMPORT_META,
  REALM,
  RESULT,
  type RunningLimit,
  SCOPE,
  SCRIPT,
} from "./scope.ts";
export {
  ANNOTATIONS,
  ASSERTION_FIELDS,
  CLIENT_MEMBERS,
  GENERATED,
  HEADERS,
  MAGICS,
  METHODS,
  STRICT_VALUES,
} from "./words.ts";
