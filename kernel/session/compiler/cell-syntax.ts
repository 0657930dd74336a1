import type { Fault, SourceText } from "../../../lib/mod.ts";
import type { IsComplete } from "../cell/mod.ts";
import { isAugmentation } from "./declared-names.ts";
import type { Compiler, SourceFile } from "./load-compiler.ts";
import { createCellFault, withRequestHint } from "./type-faults.ts";

/** What can be said of a cell without its types. */
export interface CellSyntax {
  faults(text: SourceText): readonly Fault[];
  /** The names that the cell declares at its top level. */
  declaredNames(code: string): readonly string[];
  /** Those of them that may have a value with a text form: no types, functions and classes. */
  declaredVariables(code: string): readonly string[];
  /** The modules that it imports. */
  imports(code: string): readonly string[];
  /** Whether the cell awaits outside of functions. */
  hasTopLevelAwait(code: string): boolean;
  /** The same text with the word `export` blanked out before declarations. */
  withoutExports(code: string): string;
  /** The same text in parentheses if it may be an object: to the compiler it is a block, to other prompts an object. */
  asExpression(code: string): string;
  isComplete(code: string): IsComplete;
}

/** Reads cells with the compiler's parser. */
export function createCellSyntax(compiler: Compiler): CellSyntax {
  let last: { code: string; file: SourceFile } | undefined;
  const parse = (code: string): SourceFile => {
    if (last?.code !== code) last = { code, file: parseCell(compiler, code) };
    return last.file;
  };
  return {
    faults: (text) => faultsOf(compiler, text, parse(text.source)),
    declaredNames: (code) => declaredNames(compiler, parse(code)),
    declaredVariables: (code) => {
      const { Variable, Enum, Alias } = compiler.SymbolFlags;
      return declaredNames(compiler, parse(code), Variable | Enum | Alias);
    },
    imports: (code) => importedNames(compiler, parse(code)),
    hasTopLevelAwait: (code) => hasTopLevelAwait(compiler, parse(code)),
    withoutExports: (code) => withoutExports(compiler, code, parse(code)),
    asExpression: (code) => {
      const inParentheses = `(${code}\n)`;
      return isObject(compiler, code, () => parse(inParentheses)) ? inParentheses : code;
    },
    isComplete: (code) => {
      const asStatements = isComplete(compiler, code, parse(code));
      if (asStatements.status !== "invalid" || !BRACE_FIRST.test(code)) return asStatements;
      if (isObject(compiler, code, () => parse(`(${code}\n)`))) return { status: "complete" };
      return isComplete(compiler, code, parse(`(${code}`));
    },
  };
}

/** The `SourceFile` of a cell, which is a module with or without an import. */
function parseCell(compiler: Compiler, code: string): SourceFile {
  const setExternalModuleIndicator = (file: object): void => {
    Object.assign(file, { externalModuleIndicator: true });
  };
  const languageVersion = compiler.ScriptTarget.ES2024;
  const options = { languageVersion, setExternalModuleIndicator };
  return compiler.createSourceFile("cell.ts", code, options) as SourceFile;
}

function faultsOf(compiler: Compiler, text: SourceText, file: SourceFile): readonly Fault[] {
  const faults = file.parseDiagnostics
    .toSorted((left, right) => left.start - right.start)
    .map(({ start, length, messageText, code: number }) => {
      const message = compiler.flattenDiagnosticMessageText(messageText, "\n");
      return createCellFault(text, start, start + length, `${message} (TS${number})`);
    });
  return withRequestHint(text.source, faults);
}

/** @param kinds The flags of symbols, one of which a name must have. */
function declaredNames(compiler: Compiler, file: SourceFile, kinds = -1): readonly string[] {
  if (file.locals === undefined) compiler.bindSourceFile(file, {});
  return [...(file.locals?.values() ?? [])]
    .filter(({ flags }) => (flags & kinds) !== 0)
    .map(({ escapedName }) => compiler.unescapeLeadingUnderscores(escapedName))
    .filter((name) => !isAugmentation(name));
}

function importedNames(compiler: Compiler, file: SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    const isImport = compiler.isImportDeclaration(statement);
    if (!isImport && !compiler.isExportDeclaration(statement)) return [];
    if (isImport ? statement.importClause?.isTypeOnly : statement.isTypeOnly) return [];
    const { moduleSpecifier } = statement;
    return moduleSpecifier && compiler.isStringLiteral(moduleSpecifier)
      ? [moduleSpecifier.text]
      : [];
  });
}

function withoutExports(compiler: Compiler, code: string, file: SourceFile): string {
  const { ExportKeyword, DefaultKeyword } = compiler.SyntaxKind;
  let text = code;
  for (const statement of file.statements) {
    if (!compiler.canHaveModifiers(statement)) continue;
    for (const { kind, end } of statement.modifiers ?? []) {
      if (kind !== ExportKeyword && kind !== DefaultKeyword) continue;
      const { length } = kind === ExportKeyword ? "export" : "default";
      text = text.slice(0, end - length) + " ".repeat(length) + text.slice(end);
    }
  }
  return text;
}

/** Comments and blanks, and then a brace. */
const BRACE_FIRST = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*\{/;

/** @param parse Parses it in parentheses. */
function isObject(compiler: Compiler, code: string, parse: () => SourceFile): boolean {
  if (!BRACE_FIRST.test(code)) return false;
  const { parseDiagnostics, statements } = parse();
  const [only, ...others] = statements;
  if (parseDiagnostics.length > 0 || others.length > 0 || only === undefined) return false;
  if (!compiler.isExpressionStatement(only)) return false;
  const { expression } = only;
  return (
    compiler.isParenthesizedExpression(expression) &&
    compiler.isObjectLiteralExpression(expression.expression)
  );
}

/** A text is incomplete if its first syntax error is at its end, or if it ends with a function that has no body yet. */
function isComplete(compiler: Compiler, code: string, file: SourceFile): IsComplete {
  const { parseDiagnostics: faults, endOfFileToken, statements } = file;
  const [first] = faults.toSorted((left, right) => left.start - right.start);
  if (first === undefined) {
    const last = statements.at(-1);
    const isOpen =
      last !== undefined &&
      compiler.isFunctionDeclaration(last) &&
      last.body === undefined &&
      !last.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.DeclareKeyword) &&
      !last.getText(file).endsWith(";");
    return isOpen ? { status: "incomplete", indent: "" } : { status: "complete" };
  }
  // A string cannot continue on the next line, although its error is at the end.
  if (first.code === UNTERMINATED_STRING) return { status: "invalid" };
  // A comment at the end is a part of the last token.
  const isUnfinished = UNTERMINATED.has(first.code) || first.start >= endOfFileToken.pos;
  return isUnfinished ? { status: "incomplete", indent: indentAfter(code) } : { status: "invalid" };
}

const UNTERMINATED_STRING = 1002;
/** Unterminated template literal, and `*​/` expected. */
const UNTERMINATED = new Set([1160, 1010]);

function indentAfter(code: string): string {
  const line = code.trimEnd().split("\n").at(-1) ?? "";
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return /[{([]\s*(\/\/.*)?$|=>\s*$/.test(line) ? `${indent}  ` : indent;
}

type Node = SourceFile["statements"][number] | SourceFile;

/** Whether a file awaits outside of functions: by `await`, `for await` or `await using`. */
export function hasTopLevelAwait(compiler: Compiler, file: SourceFile): boolean {
  return /\bawait\b/.test(file.text) && awaits(compiler, file);
}

function awaits(compiler: Compiler, node: Node): boolean {
  if (compiler.isAwaitExpression(node)) return true;
  if (compiler.isForOfStatement(node) && node.awaitModifier !== undefined) return true;
  if (compiler.isVariableDeclarationList(node) && isAwaitUsing(compiler, node.flags)) return true;
  if (compiler.isFunctionLike(node)) return false;
  return compiler.forEachChild(node, (child) => awaits(compiler, child as Node)) ?? false;
}

/** The flag is that of `using` and that of `const` together. */
function isAwaitUsing({ NodeFlags }: Compiler, flags: number): boolean {
  return (flags & NodeFlags.AwaitUsing) === NodeFlags.AwaitUsing;
}
