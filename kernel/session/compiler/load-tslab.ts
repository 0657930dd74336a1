import { createRequire } from "node:module";
import type { CellProgram } from "./cell-program.ts";
import type { Compiler, CompilerSystem, RawDiagnostic } from "./compiler.ts";

/** A result of tslab's converter. */
export interface Converted {
  readonly output?: string;
  readonly declOutput?: string;
  readonly diagnostics: readonly ConvertedDiagnostic[];
  readonly lastExpressionVar?: string;
  readonly hasToplevelAwait?: boolean;
}

/** A diagnostic of tslab's converter; positions from 0 in the cell's text. */
export interface ConvertedDiagnostic {
  readonly start: { readonly offset: number; readonly line: number; readonly character: number };
  readonly end: { readonly offset: number };
  readonly messageText: string;
  readonly code: number;
  readonly fileName?: string;
}

/** tslab's converter: cell text and earlier declarations in, JavaScript and declarations out. */
export interface Converter {
  convert(declarations: string, source: string): Converted;
  complete(declarations: string, source: string, position: number): ConvertedCompletion | undefined;
  inspect(declarations: string, source: string, position: number): QuickInfo | undefined;
  addModule(): readonly ConvertedDiagnostic[];
  close(): void;
}

/** Completions as tslab hands them out. */
export interface ConvertedCompletion {
  readonly start: number;
  readonly end: number;
  readonly candidates: readonly string[];
  readonly original?: {
    readonly entries: readonly { readonly name: string; readonly kind: string }[];
  };
}

/** What the compiler knows about a name. */
export interface QuickInfo {
  readonly displayParts?: unknown;
  readonly documentation?: unknown;
  readonly tags?: readonly { readonly name: string; readonly text?: unknown }[];
}

/** tslab's executor. */
export interface Executor {
  readonly locals: Record<string, unknown>;
  execute(source: string): Promise<boolean>;
  interrupt(): void;
  reset(): void;
  close(): void;
}

/** The two parts of tslab that are used, over a compiler of ours. */
export interface Tslab {
  readonly compiler: Compiler;
  createConverter(): Converter;
  createExecutor(
    directory: string,
    converters: { node: Converter; browser: Converter; close(): void },
    console: { log(value: unknown): void; error(...values: unknown[]): void },
  ): Executor;
}

/** The compiler functions that a converter is given in place of the original ones. */
export interface Replacements {
  readonly directory: string;
  /** Made with the original compiler, before the converter is loaded. */
  readonly program: (compiler: Compiler) => CellProgram;
  /** Sees the source map of a cell's last translation. */
  readonly onTranspiled: (map: string) => void;
}

/**
 * Loads tslab's converter and executor with some functions of its compiler replaced. The compiler's
 * module object is sealed, so a copy of it takes its place while tslab is loaded.
 */
export function loadTslab(replacements: Replacements): Tslab & { readonly program: CellProgram } {
  const requireTslab = createRequire(tslabPath());
  const compilerPath = requireTslab.resolve("@tslab/typescript-for-tslab");
  const original = loadCompiler();
  const program = replacements.program(original);
  const patched = {
    ...original,
    sys: replaceSystem(original.sys, replacements.directory),
    createWatchCompilerHost: program.createWatchCompilerHost,
    createWatchProgram: program.createWatchProgram,
    getPreEmitDiagnosticsOfFiles: (
      ...parameters: Parameters<Compiler["getPreEmitDiagnosticsOfFiles"]>
    ): RawDiagnostic[] =>
      original.getPreEmitDiagnosticsOfFiles(...parameters).map((diagnostic) => ({
        ...diagnostic,
        // tslab would make a message of each link of the chain.
        messageText: original.flattenDiagnosticMessageText(diagnostic.messageText, "\n"),
      })),
    transpileModule: (...[text, options]: Parameters<Compiler["transpileModule"]>) => {
      const result = original.transpileModule(withoutMapComment(text), {
        ...options,
        compilerOptions: { ...options.compilerOptions, sourceMap: true },
      });
      replacements.onTranspiled(result.sourceMapText ?? "");
      return { ...result, outputText: withoutMapComment(result.outputText) };
    },
  };
  // tslab keeps the compiler that it finds at its first load: every session loads its own.
  const converterPath = requireTslab.resolve("./converter.js");
  const cached = requireTslab.cache[compilerPath];
  if (cached === undefined) throw new Error(`Cannot load tslab: "${compilerPath}" is not cached`);
  cached.exports = patched;
  delete requireTslab.cache[converterPath];
  try {
    const { createConverter } = requireTslab(converterPath);
    const { createExecutor } = requireTslab("./executor.js");
    return { compiler: original, program, createConverter, createExecutor };
  } finally {
    cached.exports = original;
  }
}

/** The compiler alone, which takes a quarter of the time of all that a cell needs. */
export function loadCompiler(): Compiler {
  return createRequire(tslabPath())("@tslab/typescript-for-tslab") as Compiler;
}

function tslabPath(): string {
  return createRequire(import.meta.url).resolve("tslab/dist/converter.js");
}

function replaceSystem(original: CompilerSystem, directory: string): CompilerSystem {
  const system: CompilerSystem = Object.create(original);
  return Object.assign(system, {
    getCurrentDirectory: () => directory,
    // Files are looked at when a cell runs: no timer of ours keeps the process alive.
    watchFile: () => ({ close: () => undefined }),
  });
}

const withoutMapComment = (text: string): string =>
  text.replace(/\n?\/\/# sourceMappingURL=[^\n]*\s*$/, "\n");
