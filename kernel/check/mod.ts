/**
 * `restlab check`: checks notebooks and request files without a network, and writes faults in a form
 * that editors and CI read. It runs no cell and depends on no file format: the program passes in what
 * reads files.
 *
 * @module
 */

export { type CheckOptions, checkCommand } from "./command.ts";
