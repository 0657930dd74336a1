/**
 * The TypeScript compiler behind tslab: its host, the program of cells, the types that cells know, and the
 * checks put into their loops. The only folder that imports tslab.
 */

export { type Ambient, createAmbient } from "./ambient.ts";
export { createCellProgram } from "./cell-program.ts";
export type {
  Compiler,
  Program,
  RawDiagnostic,
  ResolvedModule,
  SourceFile,
  SyntaxNode,
} from "./compiler.ts";
export { CHECKPOINT, type GuardedCode, guardCode } from "./guard-code.ts";
export { findLibraryTypes } from "./library-types.ts";
export {
  type Converted,
  type ConvertedDiagnostic,
  type Converter,
  loadCompiler,
  loadTslab,
} from "./load-tslab.ts";
export { declareResponses } from "./response-types.ts";
export { createPositionMap, type PositionMap } from "./source-map.ts";
