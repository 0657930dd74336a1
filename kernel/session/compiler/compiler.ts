/**
 * The parts of the TypeScript compiler that the session uses, as types. tslab carries a private copy
 * of the compiler (5.0.4) whose own declarations are no dependency of ours.
 */

/** A node of a syntax tree. */
export interface SyntaxNode {
  readonly kind: number;
  readonly pos: number;
  readonly end: number;
  parent?: SyntaxNode;
  readonly modifiers?: readonly SyntaxNode[];
  /** Of a `for await` loop. */
  readonly awaitModifier?: SyntaxNode;
  /** The doc comments before it. */
  jsDoc?: readonly SyntaxNode[];
  getStart(source?: SourceFile): number;
}

/** A parsed file. `locals` is there once it was bound. */
export interface SourceFile extends SyntaxNode {
  readonly fileName: string;
  readonly text: string;
  readonly languageVersion: number;
  readonly isDeclarationFile: boolean;
  readonly statements: readonly SyntaxNode[];
  readonly imports?: readonly { readonly text: string }[];
  readonly parseDiagnostics: readonly RawDiagnostic[];
  readonly locals?: ReadonlyMap<string, unknown>;
}

/** A message of the compiler; the text of a chain is nested. */
export interface RawDiagnostic {
  readonly file?: SourceFile;
  readonly start?: number;
  readonly length?: number;
  readonly code: number;
  readonly category: number;
  readonly messageText: unknown;
}

/** What a name in an import leads to. */
export interface ResolvedModule {
  readonly resolvedFileName: string;
  readonly extension: string;
  readonly isExternalLibraryImport?: boolean;
}

/** One compilation. */
export interface Program {
  getSourceFile(path: string): SourceFile | undefined;
  getSourceFiles(): readonly SourceFile[];
  getTypeChecker(): TypeChecker;
  emit(
    file: SourceFile,
    write: (fileName: string, text: string) => void,
    cancellation?: unknown,
    declarationsOnly?: boolean,
    transformers?: unknown,
  ): unknown;
}

/** The type checker. */
export interface TypeChecker {
  resolveName(
    name: string,
    location: undefined,
    meaning: number,
    excludeGlobals: boolean,
  ): object | undefined;
}

/** File access as the compiler wants it. */
export interface CompilerSystem {
  readonly newLine: string;
  useCaseSensitiveFileNames: boolean;
  getCurrentDirectory(): string;
  getExecutingFilePath(): string;
  readFile(path: string, encoding?: string): string | undefined;
  fileExists(path: string): boolean;
  directoryExists(path: string): boolean;
  getDirectories(path: string): string[];
  realpath?(path: string): string;
  watchFile?(path: string, callback: FileCallback, interval?: number): { close(): void };
  setTimeout?(callback: () => void, milliseconds: number): unknown;
  clearTimeout?(timer: unknown): void;
}

/** Told that a file has changed. */
export type FileCallback = (path: string, kind: number) => void;

/** Options of a compilation; the session sets some and passes the rest through. */
export type CompilerOptions = Readonly<Record<string, unknown>>;

/** The compiler's module object. */
export interface Compiler {
  readonly version: string;
  readonly sys: CompilerSystem;
  createSourceFile(
    fileName: string,
    text: string,
    target: unknown,
    parents?: boolean,
    kind?: number,
  ): SourceFile;
  forEachChild<T>(node: SyntaxNode, visit: (child: SyntaxNode) => T | undefined): T | undefined;
  isFunctionLike(node: SyntaxNode): boolean;
  bindSourceFile(file: SourceFile, options: CompilerOptions): void;
  createProgram(
    roots: readonly string[],
    options: CompilerOptions,
    host: unknown,
    old?: Program,
  ): Program;
  resolveModuleName(
    name: string,
    containingFile: string,
    options: CompilerOptions,
    host: unknown,
    cache?: unknown,
    redirect?: undefined,
    mode?: number,
  ): { readonly resolvedModule?: ResolvedModule };
  resolveTypeReferenceDirective(
    name: string,
    containingFile: string,
    options: CompilerOptions,
    host: unknown,
  ): { readonly resolvedTypeReferenceDirective?: { readonly resolvedFileName: string } };
  transpileModule(
    text: string,
    options: { readonly fileName?: string; readonly compilerOptions: CompilerOptions },
  ): { outputText: string; sourceMapText?: string };
  getDefaultLibFileName(options: CompilerOptions): string;
  flattenDiagnosticMessageText(text: unknown, newLine: string): string;
  getPreEmitDiagnosticsOfFiles(program: Program, files: readonly SourceFile[]): RawDiagnostic[];
  decodeMappings(mappings: string): { next(): IteratorResult<Mapping, unknown> };
  displayPartsToString(parts: unknown): string;
  readonly ModuleKind: Readonly<Record<string, number>>;
  readonly ModuleResolutionKind: Readonly<Record<string, number>>;
  readonly ScriptTarget: Readonly<Record<string, number>>;
  readonly SymbolFlags: Readonly<Record<string, number>>;
  readonly ScriptKind: Readonly<Record<string, number>>;
  readonly SyntaxKind: Readonly<Record<string, number>> & Readonly<Record<number, string>>;
}

/** One entry of a source map, lines and columns from 0. */
export interface Mapping {
  readonly generatedLine: number;
  readonly generatedCharacter: number;
  readonly sourceIndex?: number;
  readonly sourceLine?: number;
  readonly sourceCharacter?: number;
}
