/**
 * The commands that run documents: `run`, `test`, `verify` and `check`. Notebooks and `.http` files are read as
 * documents of cells, each runs in a session of its own, and outputs, results and reports are written. It does
 * not depend on Jupyter's protocol or the prompt.
 */

export { createCellIds, type Document, type DocumentCell } from "./document.ts";
export { DocumentError } from "./errors.ts";
export type { CellRun, Output } from "./outputs.ts";
export { parseIpynb } from "./read-document.ts";
export { ipynbParts, renderCell } from "./render-document.ts";
export type { ReportOption } from "./reports.ts";
export type { RunOptions } from "./run.ts";
export type { SecretsOptions } from "./secrets-command.ts";
export { readPlace } from "./verify-openapi.ts";
