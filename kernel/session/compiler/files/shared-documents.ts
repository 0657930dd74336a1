import type ts from "typescript";
import type { Compiler } from "./load-compiler.ts";

/**
 * Creates the store of the parsed files of a program. Files that do not change, which are almost all, are
 * parsed once for all sessions of the process, and stay parsed when a session is closed.
 *
 * @param isFixed Whether a file does not change. Cells and the user's files do, and two sessions in a folder
 * have cells of the same name.
 */
export function createSharedDocuments(
  compiler: Compiler,
  mode: ts.JSDocParsingMode,
  isFixed: (path: string) => boolean,
): ts.DocumentRegistry {
  const own = compiler.createDocumentRegistry(true, "", mode);
  const fixed = fixedDocuments.get(compiler) ?? compiler.createDocumentRegistry(true, "", mode);
  fixedDocuments.set(compiler, fixed);
  const registryOf = (path: string): ts.DocumentRegistry => (isFixed(path) ? fixed : own);
  return {
    ...own,
    acquireDocumentWithKey: (...given) => registryOf(given[0]).acquireDocumentWithKey(...given),
    updateDocumentWithKey: (...given) => registryOf(given[0]).updateDocumentWithKey(...given),
    releaseDocumentWithKey: (
      path: ts.Path,
      key: ts.DocumentRegistryBucketKey,
      kind?: ts.ScriptKind,
      format?: ts.ResolutionMode,
    ) => registryOf(path).releaseDocumentWithKey(path, key, kind as ts.ScriptKind, format),
  };
}

const fixedDocuments = new WeakMap<Compiler, ts.DocumentRegistry>();
