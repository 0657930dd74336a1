/**
 * The prompt: reads entries at a terminal, runs them as cells in a session and shows the answers;
 * and the same without a terminal, for scripts and pipes. Knows nothing of Jupyter and of file
 * formats: what reads and writes documents is handed in.
 *
 * @module
 */

export { createAsker } from "./asker.ts";
export { replCommand } from "./command.ts";
export type { Documents } from "./commands/mod.ts";
export { prompt } from "./open-prompt.ts";
export type { Form, ReplOptions } from "./options.ts";
