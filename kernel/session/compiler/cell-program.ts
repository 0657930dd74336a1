import { dirname, extname, join } from "node:path";
import type ts from "typescript";
import { Ambient, type AmbientOptions, globalNames } from "./ambient.ts";
import { type CheckedCell, createCellTransform, lastExpression } from "./cell-transform.ts";
import { cellOptions, commonJsOptions } from "./compiler-options.ts";
import { DeclaredNames } from "./declared-names.ts";
import { restoreDocs } from "./doc-comments.ts";
import type { Compiler, Program, SourceFile } from "./load-compiler.ts";
import { withNamespaces } from "./module-namespace.ts";
import {
  createModuleResolution,
  findNodeTypes,
  type ModuleResolution,
} from "./module-resolution.ts";
import { createProgramFiles, createSharedDocuments, type ProgramFiles } from "./program-files.ts";

/** Cells that do this are files of the program: what they add to is known before any cell is checked. */
const AUGMENTATION = /\bdeclare\s+(?:global|module)\b/;

/** The `sortText` of globals in completions of the compiler, which include names of earlier cells. */
export const GLOBAL = "15";

/** A cell as JavaScript. */
export interface EmittedCell {
  /** The body of a function of `exports`, `require` and the scope of the cells; it returns an array with the value of its last expression. */
  readonly code: string;
  /** The source map from the code to the cell. */
  readonly map: string;
  /** The type of the value of the expression that it ends with, once that is awaited. */
  readonly resultType: string | undefined;
  readonly file: SourceFile;
  /** Counts the programs of the compiler: what another one finds may differ. */
  readonly update: number;
}

/**
 * All that cells know, as one program of the compiler: types, packages, and the user's files. The cells are no part
 * of it. Each is a file by itself that the program's checker checks, so that what the checker has found out stays
 * known for as long as the program needs no other files.
 */
export class CellProgram {
  readonly resolution: ModuleResolution;
  readonly names: DeclaredNames;
  readonly #compiler: Compiler;
  readonly #directory: string;
  readonly #libraryTypes: string | undefined;
  readonly #files: ProgramFiles;
  readonly #ambient: Ambient;
  readonly #service: ts.LanguageService;
  #options: ts.CompilerOptions;
  /** What cells import, by path, and cells that add to what others declare. */
  readonly #roots = new Set<string>();
  #program: Program | undefined;
  #updates = 0;
  /** How much of what cells know had been read when the program was made. */
  #parts = 0;
  #isStale = true;
  #isMissingDeclared = false;
  /** The files of the program that may change, with their versions. */
  #local: readonly (readonly [path: string, version: string])[] = [];
  #cell: SourceFile | undefined;
  #cells = 0;
  /** The cell, if it adds to what others declare and did not run yet. */
  #augmenting: string | undefined;
  /** The user's files that the cell imports. */
  readonly #imported = new Set<string>();
  /** The cells, and what has been declared in their place. */
  readonly #cellFiles = new WeakSet<SourceFile>();

  /** Creates a program that knows nothing yet. */
  constructor(compiler: Compiler, given: Omit<AmbientOptions, "nodeTypes">) {
    const { directory, libraryTypes } = given;
    const own = libraryTypes === undefined ? undefined : `${dirname(libraryTypes)}/`;
    const nodeTypes = findNodeTypes(compiler);
    this.#compiler = compiler;
    this.#directory = directory;
    this.#libraryTypes = libraryTypes;
    this.#options = cellOptions(compiler);
    this.#files = createProgramFiles(compiler, (path) => own !== undefined && path.startsWith(own));
    this.#ambient = new Ambient(compiler, this.#files, { ...given, nodeTypes });
    this.names = new DeclaredNames(compiler);
    this.resolution = createModuleResolution(compiler, {
      files: this.#files,
      options: this.#options,
      modules: new Map(libraryTypes === undefined ? [] : [["restlab", libraryTypes]]),
      nodeTypes,
      isWhole: () => this.#ambient.isWhole,
    });
    const jsDocParsingMode = compiler.JSDocParsingMode.ParseNone;
    this.#service = compiler.createLanguageService(
      { ...this.#createHost(), jsDocParsingMode },
      createSharedDocuments(compiler, jsDocParsingMode, this.#files.isFixed),
    );
  }

  /** The program that cells were last checked with. */
  get current(): Program {
    return this.#program ?? this.#update();
  }

  /** Changes whenever the cells' types may: a cell that was compiled with the same one need not be compiled again. */
  get version(): string {
    this.#update();
    return `${this.#updates}:${this.names.version}`;
  }

  /**
   * Reads a part of the declarations that cells know.
   *
   * @param isUrgent Whether to read at once what no cell can do without, and nothing else.
   * @returns Whether something is left to be read.
   */
  readTypes(isUrgent: boolean): boolean {
    const isLeft = this.#ambient.readNext(isUrgent);
    const files = this.#update().getSourceFiles();
    // The first checker would do it, all at once.
    for (const file of files) this.#compiler.bindSourceFile(file, this.#options);
    return isLeft;
  }

  /** Declares what a text mentions and is declared late, before it is opened. */
  declareMentioned(source: string): void {
    this.#ambient.declareMentioned(source);
  }

  /**
   * Makes a text the cell that the other methods are about.
   *
   * @param names The names that it declares.
   */
  open(source: string, names: readonly string[] = []): void {
    // What is not exported is no part of the declarations that the cell is replaced by.
    const list = names.length === 0 ? "" : `\nexport { ${names.join(", ")} };`;
    const text = source + list;
    this.#cells += 1;
    const path = join(this.#directory, `__restlab_cell_${this.#cells}__.ts`);
    this.#forgetAugmenting();
    if (!AUGMENTATION.test(source)) {
      this.#cell = this.#parse(path, text);
      return;
    }
    this.#files.write(path, text);
    this.#augmenting = path;
    this.#roots.add(path);
    this.#isStale = true;
    this.#cell = this.#update().getSourceFile(path) as SourceFile;
    this.names.surround(this.#cell);
  }

  /** Returns the diagnostics of the cell, and of the user's files that it imports. */
  check(): readonly ts.Diagnostic[] {
    for (;;) {
      const found = this.#faults();
      if (found.length === 0 || !this.#ambient.readMore()) {
        return this.#compiler.sortAndDeduplicateDiagnostics(found);
      }
    }
  }

  /**
   * Whether a property that a diagnostic misses may be there all the same: of a class or an object of a cell, to which
   * JavaScript may add it, or of a name whose type may be another by now.
   */
  mayExist({ file, start = 0 }: ts.Diagnostic): boolean {
    const compiler = this.#compiler;
    const cell = this.#openCell;
    const statement = cell.statements.find(({ pos, end }) => pos <= start && start < end);
    if (file !== cell || statement === undefined) return false;
    const checker = this.current.getTypeChecker();
    const isOfCell = (node: ts.Node): boolean =>
      compiler.isPropertyAccessExpression(node) &&
      node.name.getStart(cell) === start &&
      (checker.getTypeAtLocation(node.expression).symbol?.declarations ?? []).some((it) =>
        this.#cellFiles.has(it.getSourceFile() as SourceFile),
      );
    const isAbout = (node: ts.Node): boolean =>
      isOfCell(node) ||
      (compiler.isIdentifier(node) && this.names.isOutdated(node.text)) ||
      (compiler.forEachChild(node, (child) => isAbout(child) || undefined) ?? false);
    return isAbout(statement);
  }

  /** Translates the cell, whatever {@link check} has found. */
  emit(): EmittedCell {
    const compiler = this.#compiler;
    const program = this.current;
    const checker = program.getTypeChecker();
    const cell = this.#openCell;
    const checked = { checker, cell, names: this.names };
    const resultType = typeOfResult(compiler, checked);
    const transformers = { before: [createCellTransform(compiler, checked)] };
    const options = { ...program.getCompilerOptions(), ...commonJsOptions(compiler) };
    const texts = new Map<string, string>();
    const host = {
      ...program,
      getCompilerOptions: () => options,
      getEmitModuleFormatOfFile: () => compiler.ModuleKind.CommonJS,
      shouldTransformImportCall: () => true,
      getCanonicalFileName: (name: string) => name,
      isEmitBlocked: () => false,
      writeFile: (name: string, text: string) => void texts.set(extname(name), text),
    };
    const resolver = checker.getEmitResolver(cell);
    compiler.emitFiles(resolver, host, cell, compiler.getTransformers(options, transformers));
    return {
      code: withNamespaces(withoutMapComment(texts.get(".js") ?? "")),
      map: texts.get(".map") ?? "",
      resultType,
      file: cell,
      update: this.#updates,
    };
  }

  /**
   * Makes what a cell has declared visible to those after it.
   *
   * @param isDeclared Whether the declaration of a value was reached, before the cell ended.
   * @returns The version that the cell was compiled with, and the names that it declares.
   */
  keep({ file, update }: EmittedCell, isDeclared: (name: string) => boolean): string {
    this.#augmenting = undefined;
    this.names.add(this.current.getTypeChecker(), file, isDeclared);
    return `${update}:${this.names.version}`;
  }

  /** Declares a variable by its type. */
  declare(name: string, type: string): void {
    const path = join(this.#directory, `__restlab_${name}__.d.ts`);
    const file = this.#parse(path, `export {};\ndeclare let ${name}: ${type};\n`);
    this.names.add(this.#update().getTypeChecker(), file, () => true);
  }

  /** Forgets what cells have declared. */
  clear(): void {
    this.names.clear();
    this.#roots.clear();
    this.#isStale = true;
  }

  /** Completions at a UTF-16 offset in the cell. */
  complete(position: number): ts.CompletionInfo | undefined {
    return this.#help(() => {
      const { fileName } = this.#openCell;
      const found = this.#service.getCompletionsAtPosition(fileName, position, {});
      if (found === undefined || found.isMemberCompletion || this.#ambient.isWhole) return found;
      // Modules, for example, are among the types that have not been read.
      if (!found.isGlobalCompletion) return undefined;
      return { ...found, entries: [...found.entries, ...this.#undeclared(found.entries)] };
    });
  }

  /** The function whose argument is at a UTF-16 offset in the cell. */
  signature(position: number): ts.SignatureHelpItem | undefined {
    return this.#help(() => this.#signature(position));
  }

  /** What is known about the name at a UTF-16 offset in the cell, or else about the function whose argument is there. */
  inspect(position: number): ts.QuickInfo | ts.SignatureHelpItem | undefined {
    return this.#help(() => {
      this.#restoreDocs(position);
      const info = this.#service.getQuickInfoAtPosition(this.#openCell.fileName, position);
      // The compiler also describes names that it cannot resolve.
      const isKnown =
        info?.kind !== "" || this.#compiler.displayPartsToString(info.displayParts) !== "any";
      return info !== undefined && isKnown ? info : this.#signature(position);
    });
  }

  /** Whether a file is the cell. */
  isCell(file: { readonly fileName: string }): boolean {
    return file.fileName === this.#cell?.fileName;
  }

  get #openCell(): SourceFile {
    if (this.#cell === undefined) throw new Error("Compiling a cell failed: there is none");
    return this.#cell;
  }

  /** Brings the program up to date. */
  #update(): Program {
    if (this.#program !== undefined && !this.#hasChanged()) return this.#program;
    this.names.freeze((cell) => this.#declarationsOf(cell));
    // A new object each time would make the compiler resolve all imports again.
    if (this.#options.lib !== this.#ambient.lib) {
      this.#options = { ...this.#options, lib: this.#ambient.lib };
    }
    this.#isStale = false;
    this.#parts = this.#ambient.parts;
    this.#updates += 1;
    // While the next program is made, it asks the former one what imports led to.
    this.#program = undefined;
    const program = this.#service.getProgram() as unknown as Program;
    this.#program = program;
    this.#addCells(program);
    this.#local = program
      .getSourceFiles()
      .map(({ fileName }) => fileName)
      .filter((path) => !this.#files.isFixed(path))
      .map((path) => [path, this.#files.version(path)]);
    if (!this.#ambient.isWhole || this.#isMissingDeclared) return program;
    this.#isMissingDeclared = true;
    this.#ambient.declareMissing(program);
    return this.#update();
  }

  #hasChanged(): boolean {
    return (
      this.#isStale ||
      this.#parts !== this.#ambient.parts ||
      this.resolution.hasUnresolved() ||
      this.#local.some(([path, version]) => this.#files.version(path) !== version)
    );
  }

  /** Makes a program find the cell, and what cells import. */
  #addCells(program: Program): void {
    const { getSourceFile, getResolvedModule } = program;
    program.getSourceFile = (name) =>
      this.#cell?.fileName === name ? this.#cell : getSourceFile(name);
    program.getResolvedModule = (file, name, mode) => {
      if (!this.#cellFiles.has(file)) {
        const found = getResolvedModule(file, name, mode);
        const isMissing = found?.resolvedModule === undefined && program === this.#program;
        if (isMissing && this.resolution.hasLeftOut(file.fileName)) {
          this.#ambient.readAll();
          this.#isStale = true;
        }
        return found;
      }
      const resolvedModule = this.resolution.resolveTypes(name, file.fileName, mode);
      if (resolvedModule !== undefined) this.#import(file, resolvedModule);
      return { resolvedModule };
    };
  }

  /** Notes what a cell imports, and what the program has to read for it. */
  #import(file: SourceFile, module: ts.ResolvedModuleFull): void {
    const { resolvedFileName: path, isExternalLibraryImport: isOfPackage = false } = module;
    if (file === this.#cell && !isOfPackage) this.#imported.add(path);
    // The JavaScript of a package without types is not read.
    if (isOfPackage && /\.[cm]?jsx?$/.test(path)) return;
    const isKnown = this.#program?.getSourceFile(path) !== undefined || this.#roots.has(path);
    const isOwn = path === this.#libraryTypes;
    if (isKnown && (isOwn || this.#ambient.isWhole)) return;
    if (isOwn) this.#ambient.readMore();
    else {
      this.#ambient.readAll();
      this.#roots.add(path);
    }
    this.#isStale = true;
  }

  /** Parses what is no part of the program, but checked with it. */
  #parse(path: string, text: string): SourceFile {
    const compiler = this.#compiler;
    const languageVersion = compiler.ScriptTarget.ES2024;
    const setExternalModuleIndicator = (file: object): void => {
      Object.assign(file, { externalModuleIndicator: true });
    };
    const given = { languageVersion, setExternalModuleIndicator };
    const file = compiler.createSourceFile(path, text, given) as SourceFile;
    const names = { path, resolvedPath: path, originalFileName: path };
    Object.assign(file, { ...names, imports: [], moduleAugmentations: [], ambientModuleNames: [] });
    compiler.bindSourceFile(file, this.#options);
    this.names.surround(file);
    this.#cellFiles.add(file);
    return file;
  }

  #declarationsOf(cell: SourceFile): SourceFile {
    let text = "";
    const write = (_name: string, written: string): void => {
      text = written;
    };
    // The last of its parameters, which the package does not declare, has them written although there is a type
    // that has no name.
    const given = [cell, write, undefined, true, undefined, true];
    Reflect.apply(this.current.emit, undefined, given);
    return this.#parse(cell.fileName.replace(/ts$/, "d.ts"), text);
  }

  #forgetAugmenting(): void {
    if (this.#augmenting === undefined) return;
    this.#roots.delete(this.#augmenting);
    this.#augmenting = undefined;
    this.#isStale = true;
  }

  /** Finds help with the types that most cells need, and with all types if those do not have it. */
  #help<T>(find: () => T | undefined): T | undefined {
    this.#ambient.readUsual();
    this.#faults();
    const found = find();
    if (found !== undefined || this.#ambient.isWhole) return found;
    this.#ambient.readAll();
    return this.#help(find);
  }

  /** The globals of the runtime that the types which have been read do not declare. */
  #undeclared(entries: readonly ts.CompletionEntry[]): readonly ts.CompletionEntry[] {
    const declared = new Set(entries.map(({ name }) => name));
    const kind = this.#compiler.ScriptElementKind.variableElement;
    const names = globalNames().filter((name) => !declared.has(name));
    return names.map((name) => ({ name, kind, sortText: GLOBAL }));
  }

  #signature(position: number): ts.SignatureHelpItem | undefined {
    const compiler = this.#compiler;
    const restoreCalled = (node: ts.Node): void => {
      const isCall = compiler.isCallExpression(node) || compiler.isNewExpression(node);
      if (isCall && node.expression.end <= position) this.#restoreDocs(node.expression.end - 1);
      compiler.forEachChild(node, restoreCalled);
    };
    restoreCalled(this.#openCell);
    const help = this.#service.getSignatureHelpItems(this.#openCell.fileName, position, {});
    return help?.items[help.selectedItemIndex];
  }

  /** Restores the comments of the files that declare the name at a UTF-16 offset in the cell. */
  #restoreDocs(position: number): void {
    const { fileName } = this.#openCell;
    const found = this.#service.getDefinitionAtPosition(fileName, position) ?? [];
    for (const file of found.map((one) => this.current.getSourceFile(one.fileName))) {
      if (file !== undefined) restoreDocs(this.#compiler, file);
    }
  }

  /** The faults of the cell, as far as types have been read. */
  #faults(): readonly ts.Diagnostic[] {
    for (;;) {
      const program = this.#update();
      this.#imported.clear();
      const found = program.getSemanticDiagnostics(this.#openCell);
      // The checker may have asked for a module that is not a part of the program yet.
      if (!this.#isStale) return [...found, ...this.#localFaults(program)];
    }
  }

  #createHost(): ts.LanguageServiceHost {
    const { sys } = this.#compiler;
    const files = this.#files;
    const libraries = dirname(sys.getExecutingFilePath());
    return {
      ...this.resolution.hooks,
      getProjectVersion: () => String(this.#updates),
      getCompilationSettings: () => this.#options,
      getScriptFileNames: () => [...this.#ambient.files, ...this.#roots],
      getScriptVersion: files.version,
      getScriptSnapshot: files.snapshot,
      getCurrentDirectory: () => this.#directory,
      getDefaultLibFileName: (chosen) =>
        join(libraries, this.#compiler.getDefaultLibFileName(chosen)),
      useCaseSensitiveFileNames: () => true,
      readFile: files.read,
      fileExists: files.exists,
      directoryExists: sys.directoryExists,
      getDirectories: sys.getDirectories,
      readDirectory: sys.readDirectory,
      ...(sys.realpath && { realpath: sys.realpath }),
    };
  }

  /** The faults of the user's files that the cell imports. */
  #localFaults(program: Program): readonly ts.Diagnostic[] {
    const paths = new Set(this.#imported);
    const found: ts.Diagnostic[] = [];
    // What is added while this runs is looked at as well.
    for (const path of paths) {
      const file = program.getSourceFile(path);
      if (file === undefined || file.isDeclarationFile) continue;
      found.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file));
      for (const specifier of file.imports ?? []) {
        const { resolvedModule } =
          program.getResolvedModuleFromModuleSpecifier(specifier, file) ?? {};
        if (resolvedModule?.isExternalLibraryImport === false) {
          paths.add(resolvedModule.resolvedFileName);
        }
      }
    }
    return found;
  }
}

const withoutMapComment = (text: string): string =>
  text.replace(/\n?\/\/# sourceMappingURL=[^\n]*\s*$/, "\n");

/** A longer type would make the cells after it slow to check. */
const LONGEST_TYPE = 10_000;

/**
 * The type of the value of the last expression of a cell, once it is awaited, as a declaration after the cell can
 * write it; `any` if it cannot.
 */
function typeOfResult(compiler: Compiler, { checker, cell }: CheckedCell): string | undefined {
  const last = lastExpression(compiler, cell);
  if (last === undefined) return undefined;
  const { NoTruncation, UseAliasDefinedOutsideCurrentScope } = compiler.TypeFormatFlags;
  const type = checker.getTypeAtLocation(last);
  const awaited = checker.getBaseTypeOfLiteralType(checker.getAwaitedType(type) ?? type);
  const text = checker.typeToString(
    awaited,
    cell,
    NoTruncation | UseAliasDefinedOutsideCurrentScope,
  );
  return text.length > LONGEST_TYPE || /\n|typeof /.test(text) ? "any" : text;
}
