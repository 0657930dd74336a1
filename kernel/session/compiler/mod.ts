/**
 * TypeScript, as cells need it: one program of all that cells know, its files and the modules that they
 * import, the translation of a cell, and the checks put into its loops. The only folder that imports the
 * compiler.
 */

export { type LateTypes, mentions } from "./ambient.ts";
export { CellProgram, type EmittedCell } from "./cell-program.ts";
export { commonJsOptions } from "./compiler-options.ts";
export {
  type Compiler,
  type Diagnostic,
  findCompiler,
  findLibraryTypes,
  type ModuleResolution,
  type SourceFile,
} from "./files/mod.ts";
export { CHECKPOINT, type GuardedCode, guardCode } from "./guard-code.ts";
export { createPositionMap, type PositionMap } from "./source-map.ts";
