import { dirname, join } from "node:path";
import type ts from "typescript";
import { type Ambient, type AmbientOptions, createAmbient } from "./ambient.ts";
import { type CellFiles, createCellTransform } from "./cell-transform.ts";
import { cellOptions, commonJsOptions, libraryParts } from "./compiler-options.ts";
import { keptDeclarations } from "./kept-declarations.ts";
import type { Compiler, SourceFile } from "./load-compiler.ts";
import {
  createModuleResolution,
  findNodeTypes,
  type ModuleResolution,
} from "./module-resolution.ts";
import { createProgramFiles, createSharedDocuments, type ProgramFiles } from "./program-files.ts";

/** A cell and what stands around it. */
interface CellText {
  readonly source: string;
  /** The names that it declares. */
  readonly names: readonly string[];
  /** The declarations of the cells before it. */
  readonly declarations: string;
}

/** A cell as JavaScript. */
export interface EmittedCell {
  /** The body of a function of `exports` and `require`. */
  readonly code: string;
  /** The source maps from the code to the cell, in the order in which they lead back. */
  readonly maps: readonly string[];
  /** The declarations of this cell, and of those before it that it does not replace. */
  readonly declarations: string;
  /** The member of `exports` that gets the value of the last expression. */
  readonly resultName: string | undefined;
  /** The type of that value, once it is awaited. */
  readonly resultType: string;
}

/** One program of all that cells know, brought up to date for every cell. */
export class CellProgram {
  readonly resolution: ModuleResolution;
  readonly #compiler: Compiler;
  readonly #files: ProgramFiles;
  readonly #ambient: Ambient;
  readonly #service: ts.LanguageService;
  readonly #cellFile: string;
  readonly #previousFile: string;
  #options: ts.CompilerOptions;
  readonly #libraryParts = libraryParts();
  /** How many parts of the language's library, and then of what cells know, are to be in the program. */
  #parts = 0;
  #updates = 0;
  #transformers: ts.CustomTransformers | undefined;

  /** Creates a program that knows nothing yet. */
  constructor(compiler: Compiler, given: Omit<AmbientOptions, "nodeTypes">) {
    const { directory, libraryTypes } = given;
    const own = libraryTypes === undefined ? undefined : `${dirname(libraryTypes)}/`;
    const nodeTypes = findNodeTypes(compiler);
    const options = cellOptions(compiler);
    this.#compiler = compiler;
    this.#cellFile = join(directory, "__restlab_cell__.ts");
    this.#previousFile = join(directory, "__restlab_previous__.d.ts");
    this.#files = createProgramFiles(compiler, (path) => own !== undefined && path.startsWith(own));
    this.#ambient = createAmbient(compiler, this.#files, { ...given, nodeTypes });
    this.resolution = createModuleResolution(compiler, {
      files: this.#files,
      options,
      modules: new Map(libraryTypes === undefined ? [] : [["restlab", libraryTypes]]),
      nodeTypes,
      areTypesRead: () => !this.#isTypeLeft,
    });
    this.#options = options;
    const jsDocParsingMode = compiler.JSDocParsingMode.ParseNone;
    this.#service = compiler.createLanguageService(
      { ...this.#createHost(directory), jsDocParsingMode },
      createSharedDocuments(compiler, jsDocParsingMode, this.#files.isFixed),
    );
  }

  /**
   * Reads the next part of the declarations that cells know; all parts take most of the time to the first cell.
   *
   * @param isUrgent Whether to read all that is left at once, which takes less time altogether.
   * @returns Whether something is left to be read.
   */
  readTypes(isUrgent: boolean): boolean {
    this.#parts = isUrgent ? this.#allParts : this.#parts + 1;
    const lib = this.#libraryParts.slice(0, this.#parts).flat();
    // A new object each time would cost as much as compiling a cell: the compiler asks for every file.
    this.#options = { ...this.#options, lib };
    const program = this.open({ source: "", names: [], declarations: "" });
    if (!this.#isTypeLeft) this.#ambient.declareMissing(program);
    return this.#isTypeLeft;
  }

  /** Replaces what is declared of the answers of named requests. */
  declareResponses(declaration: string): void {
    this.#ambient.declareResponses(declaration);
  }

  /**
   * Makes a text the cell that the other methods are about.
   *
   * @returns The same program as before if nothing has changed, not even in the files of the user.
   */
  open({ source, names, declarations }: CellText): ts.Program {
    // Only what is exported is declared for later cells.
    const list = names.length === 0 ? "" : `\nexport { ${names.join(", ")} };`;
    this.#files.write(this.#cellFile, source + list);
    this.#ambient.declareMentioned(source);
    this.#files.write(this.#previousFile, `export {};\n${declarations}`);
    this.#updates += 1;
    const program = this.#program();
    // Names that the cell does not declare are resolved in its parent: the declarations of earlier cells.
    const { cell, previous } = this.#cellFiles();
    (cell as { parent: ts.Node }).parent = previous;
    return program;
  }

  /** Returns the diagnostics of the cell, and of the user's files that it imports. */
  check(): readonly ts.Diagnostic[] {
    const program = this.#program();
    const found = this.#localFiles(program).flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]);
    return this.#compiler.sortAndDeduplicateDiagnostics(found);
  }

  /** Translates the cell, whatever {@link check} has found. */
  emit(): EmittedCell {
    const compiler = this.#compiler;
    const files = this.#cellFiles();
    const { transformers, resultName } = createCellTransform(compiler, files);
    const resultType = typeOfResult(compiler, files);
    this.#transformers = transformers;
    // Declarations are written although the compiler finds a type that it cannot name.
    const { outputFiles } = this.#service.getEmitOutput(this.#cellFile, false, true);
    const textOf = (extension: string): string =>
      outputFiles.find(({ name }) => name.endsWith(extension))?.text ?? "";
    const { outputText, sourceMapText = "" } = compiler.transpileModule(
      withoutMapComment(textOf(".js")),
      { fileName: "cell.js", compilerOptions: commonJsOptions(compiler) },
    );
    return {
      code: withoutMapComment(outputText),
      maps: [sourceMapText, textOf(".js.map")],
      declarations:
        shortenDeclarations(compiler, textOf(".d.ts")) + keptDeclarations(compiler, files),
      resultName: resultName(),
      resultType,
    };
  }

  /** Completions at a UTF-16 offset in the cell. */
  complete(position: number): ts.CompletionInfo | undefined {
    return this.#service.getCompletionsAtPosition(this.#cellFile, position, {});
  }

  /** The function whose argument is at a UTF-16 offset in the cell. */
  signature(position: number): ts.SignatureHelpItem | undefined {
    for (const file of this.#program().getSourceFiles()) restoreDocs(this.#compiler, file);
    const help = this.#service.getSignatureHelpItems(this.#cellFile, position, {});
    return help?.items[help.selectedItemIndex];
  }

  /** What is known about the name at a UTF-16 offset in the cell. */
  inspect(position: number): ts.QuickInfo | undefined {
    for (const file of this.#program().getSourceFiles()) restoreDocs(this.#compiler, file);
    const info = this.#service.getQuickInfoAtPosition(this.#cellFile, position);
    // The compiler also describes names that it cannot resolve.
    return info?.kind === "" && this.#compiler.displayPartsToString(info.displayParts) === "any"
      ? undefined
      : info;
  }

  /** Whether a file is the cell. */
  isCell(file: { readonly fileName: string }): boolean {
    return file.fileName === this.#cellFile;
  }

  #createHost(directory: string): ts.LanguageServiceHost {
    const { sys } = this.#compiler;
    const files = this.#files;
    const libraries = dirname(sys.getExecutingFilePath());
    return {
      ...this.resolution.hooks,
      getProjectVersion: () => String(this.#updates),
      getCompilationSettings: () => this.#options,
      getScriptFileNames: () => [
        this.#previousFile,
        this.#cellFile,
        ...this.#ambient.parts
          .slice(0, Math.max(0, this.#parts - this.#libraryParts.length))
          .flat(),
      ],
      getScriptVersion: files.version,
      getScriptSnapshot: files.snapshot,
      getCurrentDirectory: () => directory,
      getDefaultLibFileName: (chosen) =>
        join(libraries, this.#compiler.getDefaultLibFileName(chosen)),
      getCustomTransformers: () => this.#transformers,
      useCaseSensitiveFileNames: () => true,
      readFile: files.read,
      fileExists: files.exists,
      directoryExists: sys.directoryExists,
      getDirectories: sys.getDirectories,
      readDirectory: sys.readDirectory,
      ...(sys.realpath && { realpath: sys.realpath }),
    };
  }

  get #allParts(): number {
    return this.#libraryParts.length + this.#ambient.parts.length;
  }

  get #isTypeLeft(): boolean {
    return this.#parts < this.#allParts;
  }

  #program(): ts.Program {
    const program = this.#service.getProgram();
    if (program === undefined) throw new Error("Compiling a cell failed: there is no program");
    return program;
  }

  #cellFiles(): CellFiles {
    const program = this.#program();
    return {
      checker: program.getTypeChecker(),
      cell: program.getSourceFile(this.#cellFile) as SourceFile,
      previous: program.getSourceFile(this.#previousFile) as SourceFile,
    };
  }

  /** The cell, and the user's files that it imports. */
  #localFiles(program: ts.Program): readonly SourceFile[] {
    const files = new Set([this.#cellFiles().cell]);
    for (const file of files) {
      for (const { text } of file.imports ?? []) {
        const target = this.resolution.resolve(text, file.fileName);
        if (target === undefined || target.isExternalLibraryImport === true) continue;
        const next = program.getSourceFile(target.resolvedFileName);
        if (next !== undefined && !next.isDeclarationFile) files.add(next as SourceFile);
      }
    }
    return [...files];
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
function typeOfResult(compiler: Compiler, { checker, cell }: CellFiles): string {
  const last = cell.statements.findLast((it) => !compiler.isExportDeclaration(it));
  if (last === undefined || !compiler.isExpressionStatement(last)) return "any";
  const { NoTruncation, UseAliasDefinedOutsideCurrentScope } = compiler.TypeFormatFlags;
  const type = checker.getTypeAtLocation(last.expression);
  const awaited = checker.getBaseTypeOfLiteralType(checker.getAwaitedType(type) ?? type);
  const text = checker.typeToString(
    awaited,
    cell,
    NoTruncation | UseAliasDefinedOutsideCurrentScope,
  );
  return text.length > LONGEST_TYPE || /\n|typeof /.test(text) ? "any" : text;
}

/**
 * Puts the doc comments of a file into the tree that was parsed without them: most of what there is to
 * parse in declarations are such comments, and few cells look at any.
 */
function restoreDocs(compiler: Compiler, file: ts.SourceFile): void {
  if (documented.has(file)) return;
  documented.add(file);
  const { fileName, text, languageVersion } = file;
  copyDocs(compiler, compiler.createSourceFile(fileName, text, { languageVersion }, true), file);
}

const documented = new WeakSet<ts.SourceFile>();

/** A node with its doc comments, which the package does not declare. */
type Documented = ts.Node & { jsDoc?: readonly { parent: ts.Node }[] };

/** Both trees are of one shape: nothing but comments differs. */
function copyDocs(compiler: Compiler, from: Documented, to: Documented): void {
  if (from.jsDoc !== undefined) {
    for (const comment of from.jsDoc) comment.parent = to;
    to.jsDoc = from.jsDoc;
  }
  const targets = childrenOf(compiler, to);
  childrenOf(compiler, from).forEach((child, index) => {
    const target = targets[index];
    if (target !== undefined) copyDocs(compiler, child, target);
  });
}

function childrenOf(compiler: Compiler, node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  compiler.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** In characters. Every later cell reads it, and a type of a megabyte is of use to nobody. */
const LONGEST_DECLARATION = 50_000;

/** The same declarations, with `any` for the type of each that is too long. */
function shortenDeclarations(compiler: Compiler, text: string): string {
  if (text.length <= LONGEST_DECLARATION) return text;
  const file = compiler.createSourceFile("cell.d.ts", text, compiler.ScriptTarget.ES2024);
  return file.statements
    .map((statement) =>
      statement.end - statement.pos <= LONGEST_DECLARATION
        ? statement.getFullText(file)
        : untyped(compiler, file, statement),
    )
    .join("");
}

function untyped(compiler: Compiler, file: ts.SourceFile, statement: ts.Statement): string {
  const isVariable = compiler.isVariableStatement(statement);
  const named = isVariable
    ? statement.declarationList.declarations
    : [statement as ts.DeclarationStatement];
  const isType =
    compiler.isInterfaceDeclaration(statement) || compiler.isTypeAliasDeclaration(statement);
  return named
    .map(({ name }) => name?.getText(file) ?? "")
    .filter((name) => name !== "")
    .map((name) => (isType ? `\ntype ${name} = any;` : `\ndeclare let ${name}: any;`))
    .join("");
}
