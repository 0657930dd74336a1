/**
 * The prompt: reads lines at a terminal, runs them as cells in a session and prints the answers.
 * Knows nothing of Jupyter and of documents.
 *
 * @module
 */
export { prompt, replCommand } from "./prompt.ts";
