/**
 * What a person sees at a terminal: answers, values, errors and printed text, in colours where they
 * are wanted. The views come from the library; this folder lends them colours and a width, and lets
 * nothing through that would act on the terminal. It knows of no session and of no runtime.
 */

export { isAsciiLocale, toAscii } from "./ascii.ts";
export { createTerminalPrinter, type TerminalPrinter } from "./printer.ts";
export { createProgress } from "./progress.ts";
