/**
 * The prompt: reads entries at a terminal, runs them as cells of a session and shows the results; and
 * the same for scripts and pipes. It does not depend on Jupyter or on file formats: the program passes
 * in what reads and writes documents.
 *
 * @module
 */

export type { ReplOptions, RequestWords } from "./command.ts";
export type { Documents } from "./shell.ts";
export type { Form, Pretty } from "./write-result.ts";
