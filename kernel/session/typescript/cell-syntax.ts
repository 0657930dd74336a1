import type { Fault } from "../../../lib/mod.ts";
import type { IsComplete } from "../cell/mod.ts";
import type { Compiler, RawDiagnostic, SourceFile, SyntaxNode } from "../compiler/mod.ts";
import { createFault } from "./type-faults.ts";

/** What can be said of a cell without its types. */
export interface CellSyntax {
  faults(code: string): readonly Fault[];
  /** How many names the cell declares. */
  declaredNames(code: string): number;
  /** The modules that it imports. */
  imports(code: string): readonly string[];
  /**
   * Whether an `await` stands outside of functions. tslab does not see `for await`, nor
   * `await (await fetch(url)).json()`.
   */
  hasTopLevelAwait(code: string): boolean;
  /** The same text with the word `export` blanked out before declarations. */
  withoutExports(code: string): string;
  isComplete(code: string): IsComplete;
}

/** As tslab does, so that a cell is parsed as a module. */
const PREFIX = "export {};\n";

/** Reads cells with the compiler's parser. */
export function createCellSyntax(compiler: Compiler): CellSyntax {
  let last: { code: string; file: SourceFile } | undefined;

  function parse(code: string): SourceFile {
    if (last?.code === code) return last.file;
    const file = compiler.createSourceFile(
      "cell.ts",
      PREFIX + code,
      compiler.ScriptTarget.ES2022,
      false,
    );
    last = { code, file };
    return file;
  }

  function faults(code: string): readonly Fault[] {
    const inOrder = [...parse(code).parseDiagnostics].sort((a, b) => startOf(a) - startOf(b));
    return inOrder.map((diagnostic) => {
      const from = startOf(diagnostic) - PREFIX.length;
      const message = compiler.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
      const to = from + (diagnostic.length ?? 0);
      return createFault(code, from, to, `${message} (TS${diagnostic.code})`);
    });
  }

  function withoutExports(code: string): string {
    let text = code;
    for (const statement of parse(code).statements) {
      for (const modifier of statement.modifiers ?? []) {
        if (!isWord(modifier, "ExportKeyword") && !isWord(modifier, "DefaultKeyword")) continue;
        const end = modifier.end - PREFIX.length;
        const word = isWord(modifier, "ExportKeyword") ? "export" : "default";
        text = text.slice(0, end - word.length) + " ".repeat(word.length) + text.slice(end);
      }
    }
    return text;
  }

  function holdsAwait(node: SyntaxNode): boolean {
    if (node.awaitModifier !== undefined || isWord(node, "AwaitExpression")) return true;
    if (compiler.isFunctionLike(node)) return false;
    return compiler.forEachChild(node, (child) => holdsAwait(child) || undefined) === true;
  }

  const isWord = (node: SyntaxNode, name: string): boolean =>
    node.kind === compiler.SyntaxKind[name];

  return {
    faults,
    withoutExports,
    declaredNames: (code) => {
      const file = parse(code);
      if (file.locals === undefined) compiler.bindSourceFile(file, {});
      return file.locals?.size ?? 0;
    },
    hasTopLevelAwait: (code) => /\bawait\b/.test(code) && holdsAwait(parse(code)),
    imports: (code) => importedNames(compiler, parse(code)),
    isComplete: (code) => isComplete(code, parse(code)),
  };
}

function importedNames(compiler: Compiler, file: SourceFile): string[] {
  const { ImportDeclaration, ExportDeclaration } = compiler.SyntaxKind;
  return file.statements.flatMap((statement) => {
    if (statement.kind !== ImportDeclaration && statement.kind !== ExportDeclaration) return [];
    const { moduleSpecifier, importClause } = statement as SyntaxNode & {
      moduleSpecifier?: { text: string };
      importClause?: { isTypeOnly?: boolean };
    };
    if (moduleSpecifier === undefined || importClause?.isTypeOnly === true) return [];
    return [moduleSpecifier.text];
  });
}

/** A text is incomplete where the parser found fault only with its end. */
function isComplete(code: string, file: SourceFile): IsComplete {
  const faults = file.parseDiagnostics;
  if (faults.length === 0) return { status: "complete" };
  const end = PREFIX.length + code.trimEnd().length;
  const first = faults.reduce((a, b) => (startOf(a) <= startOf(b) ? a : b));
  // A string cannot go on in the next line, though its fault lies at the end.
  if (first.code === 1002) return { status: "invalid" };
  const unfinished = UNTERMINATED.has(first.code) || startOf(first) >= end;
  if (!unfinished) return { status: "invalid" };
  return { status: "incomplete", indent: indentAfter(code) };
}

const startOf = (diagnostic: RawDiagnostic): number => diagnostic.start ?? 0;

/** Unterminated template literal, and `*​/` expected. */
const UNTERMINATED = new Set([1160, 1010]);

function indentAfter(code: string): string {
  const line = code.trimEnd().split("\n").at(-1) ?? "";
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return /[{([]\s*(\/\/.*)?$|=>\s*$/.test(line) ? `${indent}  ` : indent;
}
