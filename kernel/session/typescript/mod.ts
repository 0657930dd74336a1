/**
 * TypeScript cells: converted, checked, run by tslab's executor; packages and files that they import;
 * faults at the places where a person wrote them.
 */

export { type CellSyntax, createCellSyntax } from "./cell-syntax.ts";
export { checkDepth, findDepth } from "./depth.ts";
export { createTslabEvaluator } from "./tslab-evaluator.ts";
