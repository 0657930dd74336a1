import type ts from "typescript";
import { hasValue, keyOf } from "./cell-transform.ts";
import type { Compiler, SourceFile } from "./load-compiler.ts";

/**
 * What the cells so far have declared: the scope around every cell. A name may mean a value and a type, and a cell
 * may replace one of both: what it leaves is found in the scope around that of the latest declarations.
 *
 * A cell that declares a name anew leaves the former scope as it is, around the cells that were compiled in it: what
 * they have declared keeps its type.
 */
export class DeclaredNames {
  /** Changes whenever a name gets another meaning. */
  version = 0;
  readonly #compiler: Compiler;
  #latest: SourceFile;
  /** Names of the latest cells that are said to exist, by `declare`: no cell has their value. */
  readonly #ambient = new Set<string>();
  /** When each name was declared last, and what the cell that did so mentions. */
  readonly #origins = new Map<string, { readonly version: number; readonly mentions: Mentions }>();

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
    this.#latest = createScope(compiler);
  }

  /** Makes the names visible in a file: the compiler looks for what the file lacks in its parent. */
  surround(file: SourceFile): void {
    enclose(file, this.#latest);
  }

  /** Whether a cell has declared the name. */
  mayHave(name: string): boolean {
    return tablesOf(this.#latest).some((table) => table.has(keyOf(this.#compiler, name)));
  }

  /** Whether a name means something that an earlier cell has declared. */
  has(name: string, symbol: ts.Symbol | undefined): boolean {
    const key = keyOf(this.#compiler, name);
    if (symbol === undefined || this.#ambient.has(key)) return false;
    return tablesOf(this.#latest).some((table) => table.get(key) === symbol);
  }

  /**
   * Adds what a file declares at its top level.
   *
   * @param isDeclared Whether the declaration of a value has been reached.
   */
  add(checker: ts.TypeChecker, file: SourceFile, isDeclared: (name: string) => boolean): void {
    const compiler = this.#compiler;
    const [known] = tablesOf(this.#latest);
    const added = [...(file.locals ?? [])].filter(
      ([name, symbol]) =>
        !isAugmentation(name) &&
        known.get(name) !== symbol &&
        (!hasValue(compiler, checker, symbol) ||
          isDeclared(compiler.unescapeLeadingUnderscores(symbol.escapedName))),
    );
    if (added.some(([name]) => known.has(name))) {
      this.#latest = createScope(compiler, tablesOf(this.#latest));
    }
    const [latest, replaced] = tablesOf(this.#latest);
    if (added.length > 0) this.version += 1;
    for (const [name, symbol] of added) {
      const before = latest.get(name);
      if (before && this.#meansMore(checker, before, symbol)) replaced.set(name, before);
      latest.set(name, symbol);
      // A type leaves a value of its name as it is.
      const isValue = hasValue(compiler, checker, symbol);
      if (isValue) this.#ambient.delete(name);
      else if ((symbol.flags & compiler.SymbolFlags.Value) !== 0) this.#ambient.add(name);
      this.#origins.set(name, { version: this.version, mentions: file.identifiers });
    }
  }

  /**
   * Whether a name may have another type by now: it has one place, so that a function that reads a variable gives what
   * a later cell has declared in that place.
   */
  isOutdated(name: string, seen: Set<string> = new Set()): boolean {
    const origin = this.#origins.get(keyOf(this.#compiler, name));
    if (origin === undefined || seen.has(name)) return false;
    seen.add(name);
    return [...origin.mentions.keys()].some((mentioned) => {
      const { version = 0 } = this.#origins.get(keyOf(this.#compiler, mentioned)) ?? {};
      return version > origin.version || this.isOutdated(mentioned, seen);
    });
  }

  /**
   * Replaces the code of cells by declarations, before a program is succeeded by another: types stay what they are,
   * whatever the next program reads.
   *
   * @param declare Translates a cell.
   */
  freeze(declare: (cell: SourceFile) => SourceFile): void {
    const frozen = new Map<SourceFile, SourceFile>();
    const scopes = new Map<SourceFile, readonly Table[]>();
    const freezeFile = (cell: SourceFile): SourceFile => {
      const known = cell.isDeclarationFile ? cell : frozen.get(cell);
      if (known !== undefined) return known;
      const file = declare(cell);
      frozen.set(cell, file);
      // It sees what the cell saw, as far as it mentions it.
      scopes.set(file, freezeTables(tablesOf(cell.parent), file.identifiers));
      return file;
    };
    const freezeTables = (tables: readonly Table[], names?: ReadonlyMap<string, string>): Table[] =>
      tables.map((table) => {
        const result: Table = new Map();
        for (const name of names?.keys() ?? table.keys()) {
          const symbol = table.get(name);
          const cell = symbol?.declarations?.[0]?.getSourceFile() as SourceFile | undefined;
          const meant =
            cell && (cell.isDeclarationFile ? symbol : freezeFile(cell).locals?.get(name));
          if (meant !== undefined) result.set(name, meant);
        }
        return result;
      });
    const latest = freezeTables(tablesOf(this.#latest));
    // Only now: what is declared is written in the words of the scopes as they were.
    for (const [file, tables] of scopes) enclose(file, createScope(this.#compiler, tables));
    // Whatever is open keeps its place.
    tablesOf(this.#latest).forEach((table, index) => {
      table.clear();
      for (const [name, symbol] of latest[index] ?? []) table.set(name, symbol);
    });
  }

  clear(): void {
    this.version += 1;
    this.#ambient.clear();
    this.#origins.clear();
    this.#latest = createScope(this.#compiler);
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
}

/** All names that a file mentions. */
type Mentions = SourceFile["identifiers"];
type Table = Map<string, ts.Symbol>;

/** The latest declarations of a scope, and those that they have replaced. */
function tablesOf(scope: ts.Node): readonly [Table, Table] {
  const { locals, parent } = scope as SourceFile;
  return [locals, (parent as SourceFile).locals] as unknown as [Table, Table];
}

/** @param tables What it contains at first. */
function createScope(compiler: Compiler, tables: readonly Table[] = []): SourceFile {
  const [latest, replaced] = [emptyModule(compiler), emptyModule(compiler)];
  [latest, replaced].forEach((file, index) => {
    Object.assign(file, { locals: new Map(tables[index]) });
  });
  enclose(latest, replaced);
  return latest;
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
