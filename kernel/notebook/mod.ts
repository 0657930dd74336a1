/**
 * Documents without a front end: reads `.ipynb` and `.http` files, runs them headless in a session
 * of their own, reports on the terminal and writes the results as a notebook. Knows nothing of
 * Jupyter's protocol and of the prompt.
 *
 * @module
 */

export { runCommand } from "./command.ts";
export { readEntries, renderEntries } from "./entries.ts";
export type { RunOptions } from "./options.ts";
