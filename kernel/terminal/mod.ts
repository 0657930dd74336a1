/**
 * What a person sees at a terminal: answers, values, errors and printed text. The library makes the
 * views; this folder adds colours and a width, and escapes everything that acts on a terminal. It
 * does not depend on sessions.
 *
 * @module
 */

export { toAscii } from "./ascii.ts";
export { createTerminalPrinter, type TerminalPrinter, WHOLE_LIMITS } from "./printer.ts";
export {
  createProgress,
  describePending,
  describeRequest,
  describeTransfer,
  eraseProgress,
  holdProgress,
  type Progress,
} from "./progress.ts";
export { jsonLine, resultData } from "./result-data.ts";
