/**
 * Help while a cell is being written: completion, inspection, previews, and whether a cell is complete.
 */

export { type CellHelp, createCellHelp } from "./cell-help.ts";
export { isCompleteRequest } from "./is-complete-request.ts";
