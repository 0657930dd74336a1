import type ts from "typescript";
import type { Compiler } from "./files/mod.ts";

/** In characters. Every later cell reads it, and a type of a megabyte is of use to nobody. */
const LONGEST = 50_000;

/** The same declarations, with `any` for the type of each that is too long. */
export function shortenDeclarations(compiler: Compiler, text: string): string {
  if (text.length <= LONGEST) return text;
  const file = compiler.createSourceFile("cell.d.ts", text, compiler.ScriptTarget.ES2024);
  return file.statements
    .map((statement) =>
      statement.end - statement.pos <= LONGEST
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
