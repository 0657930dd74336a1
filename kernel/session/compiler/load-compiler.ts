import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type ts from "typescript";

/** The module object of TypeScript. */
export type Compiler = typeof ts & UndeclaredFunctions;

/** Functions that the package exports and does not declare. */
interface UndeclaredFunctions {
  bindSourceFile(file: ts.SourceFile, options: ts.CompilerOptions): void;
  decodeMappings(mappings: string): { next(): IteratorResult<Mapping, unknown> };
  emitFiles(resolver: unknown, host: object, file: ts.SourceFile, transformers: unknown): void;
  getTransformers(options: ts.CompilerOptions, custom: ts.CustomTransformers): unknown;
}

/** A program, with methods that the package does not declare. */
export interface Program extends ts.Program {
  getSourceFile(fileName: string): SourceFile | undefined;
  /** The checker asks it for every module that a file imports. */
  getResolvedModule(
    file: SourceFile,
    name: string,
    mode: ts.ResolutionMode,
  ): ResolvedModule | undefined;
  getResolvedModuleFromModuleSpecifier(
    specifier: ts.StringLiteralLike,
    file: SourceFile,
  ): ResolvedModule | undefined;
  getTypeChecker(): ts.TypeChecker & { getEmitResolver(file: ts.SourceFile): unknown };
}

interface ResolvedModule {
  readonly resolvedModule: ts.ResolvedModuleFull | undefined;
}

/** A message of the compiler; the text of a chain is nested. */
export type Diagnostic = ts.Diagnostic;

/** A parsed file, with properties that the package does not declare. */
export interface SourceFile extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  /** The names that the file declares; present once the file is bound. */
  readonly locals?: ReadonlyMap<string, ts.Symbol>;
  /** All names that the file mentions. */
  readonly identifiers: ReadonlyMap<string, string>;
  /** The module names that the file imports; those of a program's files. */
  readonly imports?: readonly ts.StringLiteralLike[];
}

/** One entry of a source map, lines and columns from 0. */
export interface Mapping {
  readonly generatedLine: number;
  readonly generatedCharacter: number;
  readonly sourceIndex?: number;
  readonly sourceLine?: number;
  readonly sourceCharacter?: number;
}

/** Finds the file of the compiler, which takes too long to load to be imported statically. */
export function findCompiler(): string {
  return createRequire(import.meta.url).resolve("typescript");
}

/**
 * Finds the declarations of the library: built ones, which the compiler reads sooner than
 * the sources. Without any, from JSR for example, cells see the library untyped.
 */
export function findLibraryTypes(): string | undefined {
  if (!import.meta.url.startsWith("file:")) return undefined;
  let folder = dirname(fileURLToPath(import.meta.url));
  // From kernel/session, or from wherever a bundle of it lies, to the root of the package.
  while (!isOurPackage(folder)) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  const path = join(folder, "dist", "lib", "mod.d.ts");
  return existsSync(path) ? path : undefined;
}

function isOurPackage(folder: string): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name === "restlab";
  } catch {
    return false; // There is none here, or none that is to be read: then it is not ours.
  }
}
