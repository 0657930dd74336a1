/**
 * TypeScript cells: one program of all that cells know, its files and the modules that they import, checked,
 * compiled, guarded and run. The only folder that imports the compiler.
 */

export { type CellSyntax, createCellSyntax } from "./cell-syntax.ts";
export { checkDepth, findDepth } from "./depth.ts";
export { type Compiler, findCompiler, findLibraryTypes } from "./load-compiler.ts";
export { createTypeScriptEvaluator } from "./typescript-evaluator.ts";
