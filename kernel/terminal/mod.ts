/**
 * What a person sees at a terminal: answers, values, errors and printed text. The library makes the
 * views; this folder adds colours and a width, and escapes everything that acts on a terminal. It
 * does not depend on sessions.
 *
 * @module
 */

export { isAsciiLocale, toAscii } from "./ascii.ts";
export { describePending, describeRequest, describeWaiting } from "./pending.ts";
export { createTerminalPrinter, type TerminalPrinter } from "./printer.ts";
export { createProgress, type Progress } from "./progress.ts";
export { isBinary, jsonLine, resultData } from "./result-data.ts";
export { WHOLE_LIMITS } from "./whole-limits.ts";
