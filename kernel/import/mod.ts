/**
 * Documents of other tools become documents of restlab: readers turn the text of a source into one model, writers turn
 * the model into files as data, and one command reads and writes the files. Nothing is sent or executed.
 */

export type { ImportOptions } from "./import-command.ts";
