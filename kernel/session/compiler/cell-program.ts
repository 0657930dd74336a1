import type {
  Compiler,
  CompilerOptions,
  CompilerSystem,
  FileCallback,
  Program,
  ResolvedModule,
  SourceFile,
} from "./compiler.ts";
import { createCompilerHost, type HostContext, type HostOptions } from "./compiler-host.ts";

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
export interface CellProgramOptions extends HostOptions {
  /** Adds to `virtual` what the first program turned out not to know. */
  readonly declareMissing: (isDeclared: (name: string) => boolean) => void;
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
  /** Whether a program is still the newest, and a new one would be no different. */
  isCurrent(known: Program | undefined): boolean;
  /** Where a name that is imported leads from a file. */
  resolve(name: string, containingFile: string): ResolvedModule | undefined;
  /** The JavaScript that a package's name leads to where it is imported, not required. */
  resolveImport(name: string, containingFile: string): string | undefined;
  /** Announces that the next content of the cell is only looked at for its names. */
  skipNext(): void;
  /** Reads the doc comments of declarations, which are left out until somebody asks for them. */
  restoreDocs(): void;
}

/**
 * Stands in for the compiler's watch program under tslab's converter. The original watches every
 * file of the program by timers and builds it twice for a cell; this one looks at the files of the
 * user when a cell runs, keeps parsed files, and builds once.
 */
export function createCellProgram(compiler: Compiler, given: CellProgramOptions): CellProgram {
  const context: HostContext = { rootFiles: [], options: {}, sys: compiler.sys };
  const host = createCompilerHost(compiler, given, context);
  const { getSourceFile, resolve } = host;
  let watchHost: WatchHost | undefined;
  let program: Program | undefined;
  let skip = false;

  /** Whether a new program would be the same as the current one: a cell that is run again. */
  function isUpToDate(current: Program, rootFiles: readonly string[]): boolean {
    const isSame = (path: string): boolean =>
      current.getSourceFile(path) === getSourceFile(path, context.options["target"]);
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
    program = compiler.createProgram(roots, context.options, host, program);
    // Binds the files, which tslab takes for done.
    program.getTypeChecker();
    watchHost.afterProgramCreate?.(builderOf(program));
  }

  /** The cell parsed and bound alone: enough to see which names it declares. */
  function peek(cellFile: string): void {
    const file = getSourceFile(cellFile, context.options["target"]);
    if (file === undefined || program === undefined) return;
    compiler.bindSourceFile(file, context.options);
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
            else write(`${context.options["outDir"]}/${name}`, text);
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
      const options = { ...wanted, ...cellOptions(compiler) };
      Object.assign(context, { rootFiles, options, sys });
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
      // The program of the first cell takes them in.
      given.declareMissing(isDeclared);
      return { close: () => undefined, updateRootFileNames: () => undefined };
    },
    current: () => program,
    isCurrent: (known) =>
      known !== undefined &&
      known === program &&
      watchHost !== undefined &&
      isUpToDate(known, watchHost.rootFiles),
    resolve,
    restoreDocs: host.restoreDocs,
    resolveImport: (name, containingFile) => {
      const chosen = { ...context.options, noDtsResolution: true, allowJs: true };
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
