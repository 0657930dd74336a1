import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  Compiler,
  CompilerOptions,
  CompilerSystem,
  FileCallback,
  Program,
  ResolvedModule,
  SourceFile,
} from "./compiler.ts";

/** What tslab's converter asks of a watch host. */
export interface WatchHost {
  readonly rootFiles: readonly string[];
  readonly options: CompilerOptions;
  readonly sys: CompilerSystem;
  afterProgramCreate?: (builder: Builder) => void;
}

/** What tslab's converter asks of a builder program. */
export interface Builder {
  getProgram(): Program;
  getSourceFile(path: string): SourceFile | undefined;
  getAllDependencies(file: SourceFile): readonly string[];
  emit: Program["emit"];
}

/** What is special about programs of cells. */
export interface CellProgramOptions {
  readonly directory: string;
  /** Files that belong to every program, by absolute path. */
  readonly roots: readonly string[];
  /** Files that exist in memory only. */
  readonly virtual: ReadonlyMap<string, string>;
  /** Module names that lead to a file of ours whatever the folder holds. */
  readonly modules: ReadonlyMap<string, string>;
  /** Where the types of `node` are; they replace those of the user's folder. */
  readonly nodeTypes: string | undefined;
  /** Adds to `virtual` what the first program turned out not to know; says whether it did. */
  readonly declareMissing: (isDeclared: (name: string) => boolean) => boolean;
  /** Sees the source map of a cell's first translation. */
  readonly onEmitted: (map: string) => void;
}

/** One program that is brought up to date for every cell. */
export interface CellProgram {
  createWatchCompilerHost(
    rootFiles: readonly string[],
    options: CompilerOptions,
    sys: CompilerSystem,
  ): WatchHost;
  createWatchProgram(host: WatchHost): { close(): void; updateRootFileNames(): void };
  /** The newest program. */
  current(): Program | undefined;
  /** Where a name that is imported leads from a file. */
  resolve(name: string, containingFile: string): ResolvedModule | undefined;
  /** The JavaScript that a package's name leads to where it is imported, not required. */
  resolveImport(name: string, containingFile: string): string | undefined;
  /** Announces that the next content of the cell is only looked at for its names. */
  skipNext(): void;
}

interface CachedFile {
  readonly file: SourceFile | undefined;
  readonly stamp: string;
}

/**
 * Stands in for the compiler's watch program under tslab's converter. The original watches every
 * file of the program by timers and builds it twice for a cell; this one looks at the files of the
 * user when a cell runs, keeps parsed files, and builds once.
 */
export function createCellProgram(compiler: Compiler, given: CellProgramOptions): CellProgram {
  const files = new Map<string, CachedFile>();
  const found = new Map<string, ResolvedModule>();
  let watchHost: WatchHost | undefined;
  let options: CompilerOptions = {};
  let program: Program | undefined;
  let skip = false;

  const ownFolders = [...given.modules.values()].map((path) => `${dirname(path)}/`);
  /** Files that do not change while a session lasts. */
  const isForeign = (path: string): boolean =>
    path.includes("/node_modules/") ||
    given.roots.includes(path) ||
    ownFolders.some((folder) => path.startsWith(folder));

  function readFile(path: string): string | undefined {
    return given.virtual.get(path) ?? watchHost?.sys.readFile(path);
  }

  function fileExists(path: string): boolean {
    return given.virtual.has(path) || (watchHost?.sys.fileExists(path) ?? false);
  }

  function stampOf(path: string): string {
    if (watchHost?.rootFiles.includes(path)) return `text:${readFile(path)}`;
    const inMemory = given.virtual.get(path);
    if (inMemory !== undefined) return `memory:${inMemory.length}`;
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
      text === undefined ? undefined : compiler.createSourceFile(path, text, target, false);
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
    if (name.startsWith("node:")) return undefined;
    const key = `${dirname(containingFile)}\0${name}\0${mode ?? ""}`;
    const known = found.get(key);
    if (known !== undefined && fileExists(known.resolvedFileName)) return known;
    const { resolvedModule } = compiler.resolveModuleName(
      name,
      containingFile,
      options,
      host,
      undefined,
      undefined,
      mode,
    );
    if (resolvedModule !== undefined) found.set(key, resolvedModule);
    return resolvedModule;
  }

  const libraryFolder = dirname(compiler.sys.getExecutingFilePath());
  const host = {
    getSourceFile,
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
    ) => literals.map(({ text }) => ({ resolvedModule: resolve(text, containingFile) })),
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
        return compiler.resolveTypeReferenceDirective(name, containingFile, options, host);
      }),
    /** A file with an import that led nowhere is asked again: the missing file may be there now. */
    hasInvalidatedResolutions: (path: string) => {
      const file = files.get(path)?.file;
      if (file === undefined || isForeign(path) || given.virtual.has(path)) return false;
      return (file.imports ?? []).some(
        ({ text }) => text.startsWith(".") && resolve(text, path) === undefined,
      );
    },
  };

  /** Whether a new program would be the same as the current one: a cell that is run again. */
  function isUpToDate(current: Program, rootFiles: readonly string[]): boolean {
    const isSame = (path: string): boolean =>
      current.getSourceFile(path) === getSourceFile(path, options.target);
    const cellFile = current.getSourceFile(rootFiles.find((path) => !path.endsWith(".d.ts")) ?? "");
    if (cellFile === undefined || !rootFiles.every(isSame) || !given.roots.every(isSame)) {
      return false;
    }
    return localFiles(current, cellFile).every(
      (path) => isSame(path) && !host.hasInvalidatedResolutions(path),
    );
  }

  function build(): void {
    if (watchHost === undefined) return;
    if (program !== undefined && isUpToDate(program, watchHost.rootFiles)) {
      watchHost.afterProgramCreate?.(builderOf(program));
      return;
    }
    const roots = [...watchHost.rootFiles, ...given.roots];
    program = compiler.createProgram(roots, options, host, program);
    // Binds the files, which tslab takes for done.
    program.getTypeChecker();
    watchHost.afterProgramCreate?.(builderOf(program));
  }

  /** The cell parsed and bound alone: enough to see which names it declares. */
  function peek(cellFile: string): void {
    const file = getSourceFile(cellFile, options.target);
    if (file === undefined || program === undefined) return;
    compiler.bindSourceFile(file, options);
    const full = builderOf(program);
    watchHost?.afterProgramCreate?.({
      ...full,
      getSourceFile: (path) => (path === cellFile ? file : full.getSourceFile(path)),
    });
  }

  function builderOf(current: Program): Builder {
    return {
      getProgram: () => current,
      getSourceFile: (path) => current.getSourceFile(path),
      getAllDependencies: (file) => localFiles(current, file),
      emit: (file, write, ...rest) => {
        // Local files are translated when they are loaded.
        if (!watchHost?.rootFiles.includes(file.fileName)) return;
        current.emit(
          file,
          (path, text) => {
            const name = path.slice(path.lastIndexOf("/") + 1);
            if (name.endsWith(".map")) given.onEmitted(text);
            else write(`${options["outDir"]}/${name}`, text);
          },
          ...rest,
        );
      },
    };
  }

  /** The user's own files that a file leads to, itself included. */
  function localFiles(current: Program, start: SourceFile): string[] {
    const seen = new Set<string>();
    const queue = [start];
    for (const file of queue) {
      if (seen.has(file.fileName)) continue;
      seen.add(file.fileName);
      for (const { text } of file.imports ?? []) {
        const target = resolve(text, file.fileName);
        if (target === undefined || target.isExternalLibraryImport === true) continue;
        const next = current.getSourceFile(target.resolvedFileName);
        if (next !== undefined && !next.isDeclarationFile) queue.push(next);
      }
    }
    return [...seen];
  }

  return {
    createWatchCompilerHost: (rootFiles, wanted, sys) => {
      options = { ...wanted, ...cellOptions(compiler) };
      watchHost = { rootFiles, options, sys };
      return watchHost;
    },
    createWatchProgram: (created) => {
      const { sys, rootFiles } = created;
      let timer: unknown;
      const changed: FileCallback = () => {
        if (timer !== undefined) sys.clearTimeout?.(timer);
        timer = sys.setTimeout?.(() => {
          timer = undefined;
          const cellFile = rootFiles.find((path) => !path.endsWith(".d.ts"));
          if (skip && cellFile !== undefined) {
            skip = false;
            peek(cellFile);
          } else build();
        }, 0);
      };
      for (const path of rootFiles) sys.watchFile?.(path, changed);
      build();
      const checker = program?.getTypeChecker();
      const isDeclared = (name: string): boolean =>
        checker?.resolveName(name, undefined, compiler.SymbolFlags["Value"] ?? 0, false) !==
        undefined;
      if (given.declareMissing(isDeclared)) build();
      return { close: () => undefined, updateRootFileNames: () => undefined };
    },
    current: () => program,
    resolve,
    resolveImport: (name, containingFile) => {
      const chosen = { ...options, noDtsResolution: true, allowJs: true };
      const found = compiler.resolveModuleName(name, containingFile, chosen, compiler.sys);
      return found.resolvedModule?.resolvedFileName;
    },
    skipNext: () => {
      skip = true;
    },
  };
}

/** What differs from tslab's choice of options. */
function cellOptions(compiler: Compiler): CompilerOptions {
  return {
    // Packages that have nothing but "exports" are found, with their types.
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    customConditions: ["node"],
    allowImportingTsExtensions: true,
    lib: ["lib.es2023.d.ts"],
    types: [],
    typeRoots: [],
    checkJs: false,
    sourceMap: true,
    // Files above the working folder may be imported too.
    rootDir: undefined,
  };
}
