import { statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import type {
  Compiler,
  CompilerOptions,
  CompilerSystem,
  ResolvedModule,
  SourceFile,
} from "./compiler.ts";
import { restoreDocs, withoutDocs } from "./declaration-docs.ts";

/** Which files there are beside those of the user. */
export interface HostOptions {
  readonly directory: string;
  /** Files that belong to every program, by absolute path. */
  readonly roots: readonly string[];
  /** Files that exist in memory only. */
  readonly virtual: ReadonlyMap<string, string>;
  /** Module names that lead to a file of ours whatever the folder holds. */
  readonly modules: ReadonlyMap<string, string>;
  /** Where the types of `node` are; they replace those of the user's folder. */
  readonly nodeTypes: string | undefined;
}

/** What the host learns when tslab's converter is made. */
export interface HostContext {
  /** The cell and the declarations of those before it. */
  readonly rootFiles: readonly string[];
  readonly options: CompilerOptions;
  readonly sys: CompilerSystem;
}

/** What the compiler asks of the world, as far as the session asks it too. */
export interface CompilerHost {
  getSourceFile(path: string, target: unknown): SourceFile | undefined;
  resolve(name: string, containingFile: string): ResolvedModule | undefined;
  hasInvalidatedResolutions(path: string): boolean;
  /** Reads the doc comments of declarations, which are left out until somebody asks for them. */
  restoreDocs(): void;
  readonly [member: string]: unknown;
}

interface CachedFile {
  readonly file: SourceFile | undefined;
  readonly stamp: string;
}

/** Bun calls these builtin; they are packages with types all the same. */
const PACKAGES_OF_BUN: ReadonlySet<string> = new Set(["undici", "ws"]);
const DECLARATION = /\.d\.[cm]?ts$/;

/** A compiler host that keeps parsed files and what names lead to, and looks at the user's files. */
export function createCompilerHost(
  compiler: Compiler,
  given: HostOptions,
  context: HostContext,
): CompilerHost {
  const files = new Map<string, CachedFile>();
  const found = new Map<string, ResolvedModule>();
  /** Files with imports that led nowhere when a program last asked. */
  const unresolved = new Set<string>();
  const ownFolders = [...given.modules.values()].map((path) => `${dirname(path)}/`);
  /** Files that do not change while a session lasts. */
  const isForeign = (path: string): boolean =>
    path.includes("/node_modules/") ||
    given.roots.includes(path) ||
    ownFolders.some((folder) => path.startsWith(folder));

  let hasDocs = false;
  /** Most of what is parsed are the docs of foreign declarations, and few cells look at any. */
  const isBare = (path: string): boolean => !hasDocs && DECLARATION.test(path) && isForeign(path);

  function readFile(path: string): string | undefined {
    return given.virtual.get(path) ?? context.sys.readFile(path);
  }

  function fileExists(path: string): boolean {
    return given.virtual.has(path) || context.sys.fileExists(path);
  }

  function stampOf(path: string): string {
    if (context.rootFiles.includes(path)) return `text:${readFile(path)}`;
    const inMemory = given.virtual.get(path);
    if (inMemory !== undefined) return `memory:${inMemory}`;
    if (isForeign(path)) return "fixed";
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "missing" : `${stat.mtimeMs}:${stat.size}`;
  }

  function getSourceFile(path: string, target: unknown): SourceFile | undefined {
    const stamp = stampOf(path);
    const cached = files.get(path);
    if (cached?.stamp === stamp && cached.file !== undefined) return cached.file;
    const text = readFile(path);
    const file =
      text === undefined
        ? undefined
        : compiler.createSourceFile(path, isBare(path) ? withoutDocs(text) : text, target, false);
    files.set(path, { file, stamp });
    return file;
  }

  function resolve(
    name: string,
    containingFile: string,
    mode?: number,
  ): ResolvedModule | undefined {
    const ours = given.modules.get(name);
    if (ours !== undefined) {
      return { resolvedFileName: ours, extension: ".d.ts", isExternalLibraryImport: true };
    }
    // The types of these are declared by name, and no package goes before them.
    if (isBuiltin(name) && !PACKAGES_OF_BUN.has(name)) return undefined;
    const key = `${dirname(containingFile)}\0${name}\0${mode ?? ""}`;
    const known = found.get(key);
    if (known !== undefined && fileExists(known.resolvedFileName)) return known;
    const { resolvedModule } = compiler.resolveModuleName(
      name,
      containingFile,
      context.options,
      host,
      undefined,
      undefined,
      mode,
    );
    if (resolvedModule !== undefined) found.set(key, resolvedModule);
    return resolvedModule;
  }

  function restoreAllDocs(): void {
    if (hasDocs) return;
    for (const [path, { file }] of files) {
      const text = isBare(path) ? readFile(path) : undefined;
      if (file !== undefined && text !== undefined) restoreDocs(compiler, file, text);
    }
    hasDocs = true;
  }

  const libraryFolder = dirname(compiler.sys.getExecutingFilePath());
  const host: CompilerHost = {
    getSourceFile,
    resolve,
    restoreDocs: restoreAllDocs,
    getDefaultLibLocation: () => libraryFolder,
    getDefaultLibFileName: (chosen: CompilerOptions) =>
      join(libraryFolder, compiler.getDefaultLibFileName(chosen)),
    getCurrentDirectory: () => given.directory,
    getCanonicalFileName: (path: string) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    readFile,
    fileExists,
    writeFile: () => undefined,
    directoryExists: (path: string) => compiler.sys.directoryExists(path),
    getDirectories: (path: string) => compiler.sys.getDirectories(path),
    realpath: (path: string) => compiler.sys.realpath?.(path) ?? path,
    resolveModuleNameLiterals: (
      literals: readonly { readonly text: string }[],
      containingFile: string,
    ) => {
      const resolved = literals.map(({ text }) => resolve(text, containingFile));
      const isWhole = resolved.every(
        (it, index) => it !== undefined || isBuiltin(literals[index]?.text ?? ""),
      );
      if (isWhole) unresolved.delete(containingFile);
      else unresolved.add(containingFile);
      return resolved.map((resolvedModule) => ({ resolvedModule }));
    },
    resolveTypeReferenceDirectiveReferences: (
      references: readonly (string | { readonly fileName: string })[],
      containingFile: string,
    ) =>
      references.map((reference) => {
        const name = typeof reference === "string" ? reference : reference.fileName;
        if (name === "node" && given.nodeTypes !== undefined) {
          return {
            resolvedTypeReferenceDirective: { resolvedFileName: given.nodeTypes, primary: true },
          };
        }
        return compiler.resolveTypeReferenceDirective(name, containingFile, context.options, host);
      }),
    /** A file with an import that led nowhere is asked again: the missing file may be there now. */
    hasInvalidatedResolutions: (path: string) =>
      unresolved.has(path) && !isForeign(path) && !given.virtual.has(path),
  };
  return host;
}
