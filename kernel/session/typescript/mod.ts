/**
 * TypeScript cells: checked, compiled and run; the packages and files that they import; faults at the places
 * where a person wrote them.
 */

export { type CellSyntax, createCellSyntax } from "./cell-syntax.ts";
export { CLIENT_MEMBERS } from "./client-members.ts";
export { checkDepth, findDepth } from "./depth.ts";
export { createTypeScriptEvaluator } from "./typescript-evaluator.ts";
