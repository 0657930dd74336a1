import type ts from "typescript";
import type { Compiler, SourceFile } from "./load-compiler.ts";

/**
 * What the cells so far have declared: the scope around every cell. A name may mean a value and a type, and a cell
 * may replace one of both: what it leaves is found in the scope around that of the latest declarations.
 */
export class DeclaredNames {
  /** Changes whenever a name gets another meaning. */
  version = 0;
  readonly #compiler: Compiler;
  readonly #latest: SourceFile;
  readonly #replaced: SourceFile;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
    this.#latest = emptyModule(compiler);
    this.#replaced = emptyModule(compiler);
    enclose(this.#latest, this.#replaced);
  }

  /** Makes the names visible in a file: the compiler looks for what the file lacks in its parent. */
  surround(file: SourceFile): void {
    enclose(file, this.#latest);
  }

  /** Whether a name means something that an earlier cell has declared. */
  has(name: string, symbol: ts.Symbol | undefined): boolean {
    const key = this.#compiler.escapeLeadingUnderscores(name).toString();
    return symbol !== undefined && this.#tables().some((table) => table.get(key) === symbol);
  }

  /** Adds what a file declares at its top level. */
  add(checker: ts.TypeChecker, file: SourceFile): void {
    const [latest, replaced] = this.#tables();
    for (const [name, symbol] of file.locals ?? []) {
      const before = latest.get(name);
      if (before === symbol || isAugmentation(name)) continue;
      if (before && this.#meansMore(checker, before, symbol)) replaced.set(name, before);
      latest.set(name, symbol);
      this.version += 1;
    }
  }

  /**
   * Replaces the code of cells by declarations, before a program is succeeded by another: types stay what they are,
   * whatever the next program reads.
   *
   * @param declare Translates a cell.
   */
  freeze(declare: (cell: SourceFile) => SourceFile): void {
    const frozen = new Map<SourceFile, SourceFile>();
    for (const table of this.#tables()) {
      for (const [name, { declarations }] of table) {
        const cell = declarations?.[0]?.getSourceFile() as SourceFile;
        if (cell.isDeclarationFile) continue;
        const file = frozen.get(cell) ?? declare(cell);
        frozen.set(cell, file);
        const symbol = file.locals?.get(name);
        if (symbol === undefined) table.delete(name);
        else table.set(name, symbol);
      }
    }
  }

  clear(): void {
    this.version += 1;
    for (const table of this.#tables()) table.clear();
  }

  /** Whether a symbol means a value or a type, and another does not. */
  #meansMore(checker: ts.TypeChecker, symbol: ts.Symbol, other: ts.Symbol): boolean {
    const { Alias, Namespace, Type, Value } = this.#compiler.SymbolFlags;
    const flagsOf = (it: ts.Symbol): number =>
      (it.flags & Alias ? checker.getAliasedSymbol(it) : it).flags;
    return [Value, Type, Namespace].some(
      (meaning) => (flagsOf(symbol) & meaning) !== 0 && (flagsOf(other) & meaning) === 0,
    );
  }

  #tables(): [Map<string, ts.Symbol>, Map<string, ts.Symbol>] {
    return [this.#latest, this.#replaced].map(({ locals }) => locals) as [
      Map<string, ts.Symbol>,
      Map<string, ts.Symbol>,
    ];
  }
}

function emptyModule(compiler: Compiler): SourceFile {
  const { ES2024 } = compiler.ScriptTarget;
  const file = compiler.createSourceFile("__restlab_names__.d.ts", "export {};", ES2024);
  compiler.bindSourceFile(file, {});
  return file as SourceFile;
}

function enclose(file: SourceFile, parent: SourceFile): void {
  (file as { parent: ts.Node }).parent = parent;
}

/** `declare global` and `declare module "name"` declare nothing that has a name. */
export const isAugmentation = (name: string): boolean =>
  name === "__global" || name.startsWith('"');
