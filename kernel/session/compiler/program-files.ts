import { statSync } from "node:fs";
import type ts from "typescript";
import type { Compiler } from "./load-compiler.ts";

/** The files that a program is made of, with a version for each. */
export interface ProgramFiles {
  /** Puts a file into memory, or replaces what it contains. */
  write(path: string, text: string): void;
  read(path: string): string | undefined;
  exists(path: string): boolean;
  /** Whether a file stays as it is while the session lasts. */
  isFixed(path: string): boolean;
  /** Changes whenever the file does. */
  version(path: string): string;
  snapshot(path: string): ts.IScriptSnapshot | undefined;
}

interface Snapshot {
  readonly version: string;
  readonly content: ts.IScriptSnapshot | undefined;
}

/**
 * Creates the files of a program: those in memory, those of the user, which may change at any time, and
 * declarations of packages, which are read once.
 *
 * @param isOwn Whether a path belongs to this package.
 */
export function createProgramFiles(
  compiler: Compiler,
  isOwn: (path: string) => boolean,
): ProgramFiles {
  const memory = new Map<string, { readonly text: string; readonly version: string }>();
  const snapshots = new Map<string, Snapshot>();
  let writes = 0;

  const isFixed = (path: string): boolean =>
    !memory.has(path) && (path.includes("/node_modules/") || isOwn(path));
  const read = (path: string): string | undefined =>
    memory.get(path)?.text ?? compiler.sys.readFile(path);

  function version(path: string): string {
    const written = memory.get(path);
    if (written !== undefined) return written.version;
    const known = isFixed(path) ? snapshots.get(path) : undefined;
    if (known !== undefined) return known.version;
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "missing" : `${stat.mtimeMs}:${stat.size}`;
  }

  return {
    read,
    isFixed,
    version,
    exists: (path) => memory.has(path) || compiler.sys.fileExists(path),
    write: (path, text) => {
      if (memory.get(path)?.text === text) return;
      writes += 1;
      memory.set(path, { text, version: `memory:${writes}` });
    },
    snapshot: (path) => {
      const now = version(path);
      const known = snapshots.get(path);
      if (known?.version === now) return known.content;
      const text = read(path);
      const content = text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
      snapshots.set(path, { version: now, content });
      return content;
    },
  };
}

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
