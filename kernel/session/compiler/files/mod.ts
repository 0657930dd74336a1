/**
 * The compiler, and the files that it reads: those of a program, the types of Node and of the library, and the
 * modules that cells import.
 */

export { findLibraryTypes } from "./library-types.ts";
export {
  type Compiler,
  type Diagnostic,
  findCompiler,
  type Mapping,
  type SourceFile,
} from "./load-compiler.ts";
export { createModuleResolution, type ModuleResolution } from "./module-resolution.ts";
export { findNodeTypes, type NodeTypes } from "./node-types.ts";
export { createProgramFiles, createSharedDocuments, type ProgramFiles } from "./program-files.ts";
