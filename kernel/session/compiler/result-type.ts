import type { CellFiles } from "./cell-transform.ts";
import type { Compiler } from "./files/mod.ts";

/** A longer type would make the cells after it slow to check. */
const LONGEST = 10_000;

/**
 * The type of the value of the last expression of a cell, once it is awaited, as a declaration after the cell can
 * write it; `any` if it cannot.
 */
export function typeOfResult(compiler: Compiler, { checker, cell }: CellFiles): string {
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
  return text.length > LONGEST || /\n|typeof /.test(text) ? "any" : text;
}
