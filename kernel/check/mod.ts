/**
 * `restlab check`: looks for faults in notebooks and request files without a network, and writes
 * them as editors and CI read them. It knows no file format (what reads files is handed in), no
 * protocol and no prompt, and runs no cell.
 *
 * @module
 */

export { type CheckOptions, checkCommand } from "./command.ts";
