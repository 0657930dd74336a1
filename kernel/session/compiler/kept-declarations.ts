import type ts from "typescript";
import { type CellFiles, localOf } from "./cell-transform.ts";
import type { Compiler } from "./load-compiler.ts";

/** Which meanings of a name a cell leaves as they were. */
interface Kept {
  readonly value: boolean;
  readonly type: boolean;
}

/**
 * The declarations of earlier cells that a cell does not replace, as text.
 *
 * A name may mean a value and a type, and a cell may replace one of both: of a class whose type is
 * replaced, the value stays as `any`.
 */
export function keptDeclarations(compiler: Compiler, files: CellFiles): string {
  const { checker, cell, previous } = files;
  const { Alias, Type, Value } = compiler.SymbolFlags;
  const flagsOf = (symbol: ts.Symbol): number =>
    symbol.flags & Alias ? checker.getAliasedSymbol(symbol).flags : symbol.flags;
  const untyped: string[] = [];

  function keptOf(name: string): Kept {
    const replacing = localOf(compiler, cell, name);
    const flags = replacing === undefined ? 0 : flagsOf(replacing);
    return { value: (flags & Value) === 0, type: (flags & Type) === 0 };
  }

  /** Whether a declaration of a name with these meanings stays. */
  function stays(name: string, hasValue: boolean, hasType: boolean): boolean {
    const kept = keptOf(name);
    if ((kept.value || !hasValue) && (kept.type || !hasType)) return true;
    if (hasValue && kept.value) untyped.push(`declare let ${name}: any;\n`);
    return false;
  }

  function importStays({ text }: ts.Identifier): boolean {
    const symbol = localOf(compiler, previous, text);
    const flags = symbol === undefined ? 0 : flagsOf(symbol);
    // An import that leads nowhere counts as both.
    const isUnknown = (flags & (Value | Type)) === 0;
    return stays(text, isUnknown || (flags & Value) !== 0, isUnknown || (flags & Type) !== 0);
  }

  function keep(statement: ts.Statement): string {
    const whole = previous.text.slice(statement.pos, statement.end);
    if (compiler.isVariableStatement(statement)) {
      const { declarations } = statement.declarationList;
      const names = declarations.filter(({ name }) => stays(name.getText(previous), true, false));
      const [first] = declarations;
      if (first === undefined || names.length === 0) return "";
      const head = previous.text.slice(statement.pos, first.getStart(previous));
      return `${head}${names.map((it) => it.getText(previous)).join(", ")};`;
    }
    if (compiler.isImportDeclaration(statement)) {
      return keptImport(compiler, previous, statement, importStays);
    }
    const { name } = statement as ts.DeclarationStatement;
    const meanings = MEANINGS[compiler.SyntaxKind[statement.kind] ?? ""];
    if (meanings === undefined || name === undefined || !compiler.isIdentifier(name)) return "";
    const [hasValue, hasType] = meanings;
    return stays(name.text, hasValue, hasType) ? whole : "";
  }

  const texts = previous.statements.map(keep).filter((text) => text !== "");
  return [...texts.map((text) => `${text.trim()}\n`), ...new Set(untyped)].join("");
}

/** What declarations declare: a value, a type. */
const MEANINGS: Readonly<Record<string, readonly [value: boolean, type: boolean]>> = {
  FunctionDeclaration: [true, false],
  ClassDeclaration: [true, true],
  EnumDeclaration: [true, true],
  InterfaceDeclaration: [false, true],
  TypeAliasDeclaration: [false, true],
  ModuleDeclaration: [true, false],
  ImportEqualsDeclaration: [true, true],
};

function keptImport(
  compiler: Compiler,
  file: ts.SourceFile,
  { importClause, moduleSpecifier, attributes }: ts.ImportDeclaration,
  stays: (name: ts.Identifier) => boolean,
): string {
  if (importClause === undefined) return "";
  const { name, namedBindings, isTypeOnly } = importClause;
  const parts: string[] = [];
  if (name !== undefined && stays(name)) parts.push(name.text);
  if (namedBindings !== undefined && compiler.isNamespaceImport(namedBindings)) {
    if (stays(namedBindings.name)) parts.push(namedBindings.getText(file));
  } else if (namedBindings !== undefined) {
    const elements = namedBindings.elements.filter((element) => stays(element.name));
    if (elements.length > 0) {
      parts.push(`{ ${elements.map((element) => element.getText(file)).join(", ")} }`);
    }
  }
  if (parts.length === 0) return "";
  const from = [moduleSpecifier, attributes].map((it) => it?.getText(file) ?? "").join(" ");
  return `import ${isTypeOnly ? "type " : ""}${parts.join(", ")} from ${from.trim()};`;
}
