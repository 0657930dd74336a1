/**
 * Notebooks and `.http` files as documents of cells: read, parsed, and written with their outputs.
 *
 * @module
 */

export { createCellIds } from "./cell-ids.ts";
export { cellRule, checkCellRules } from "./cell-rule.ts";
export { type Document, type DocumentCell, DocumentError } from "./document.ts";
export { findDocuments } from "./find.ts";
export { checkOutput, outputPath } from "./output-path.ts";
export { createOutputList } from "./outputs.ts";
export { readDocument } from "./read.ts";
export { renderHttp } from "./render-http.ts";
export { type CellRun, renderIpynb } from "./render-ipynb.ts";
export { checkWrittenFiles } from "./written-files.ts";
