/**
 * The prompt: reads entries at a terminal, runs them as cells of a session and shows the results; and
 * the same for scripts and pipes. It does not depend on Jupyter or on file formats: the program passes
 * in what reads and writes documents.
 *
 * @module
 */

export { createAsker } from "./asker.ts";
export { replCommand } from "./command.ts";
export type { Documents } from "./commands/mod.ts";
export { prompt } from "./open-prompt.ts";
export type { ReplOptions, RequestWords } from "./options.ts";
export type { Form, Pretty } from "./results/mod.ts";
