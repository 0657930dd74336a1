import type ts from "typescript";
import type { DeclaredNames } from "./declared-names.ts";
import type { Compiler, SourceFile } from "./load-compiler.ts";

/** A cell with what is known of it. */
export interface CheckedCell {
  readonly checker: ts.TypeChecker;
  readonly cell: SourceFile;
  /** What the cells before it have declared. */
  readonly names: DeclaredNames;
}

/** The property of `exports` that gets the value of the last expression; no variable can have this name. */
export const LAST_VALUE = "last value";

/** The expression that a cell ends with, if it does. */
export function lastExpression(compiler: Compiler, cell: ts.SourceFile): ts.Expression | undefined {
  const last = cell.statements.findLast((it) => !compiler.isExportDeclaration(it));
  return last && compiler.isExpressionStatement(last) ? last.expression : undefined;
}

/**
 * Creates the transform of one cell: names of earlier cells become properties of `exports`, which all cells
 * share, and the last statement exports its value if it is an expression.
 */
export function createCellTransform(
  compiler: Compiler,
  checked: CheckedCell,
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (file) => {
    const { factory } = context;
    const visitor = createReferenceVisitor(compiler, checked, context);
    const visited = compiler.visitEachChild(file, visitor, context);
    const at = visited.statements.findLastIndex((it) => !compiler.isExportDeclaration(it));
    const last = visited.statements[at];
    if (last === undefined || !compiler.isExpressionStatement(last)) return visited;
    const target = factory.createElementAccessExpression(
      factory.createIdentifier("exports"),
      factory.createStringLiteral(LAST_VALUE),
    );
    const exported = factory.createExpressionStatement(
      factory.createAssignment(target, last.expression),
    );
    const statements = visited.statements.with(at, compiler.setTextRange(exported, last));
    return factory.updateSourceFile(visited, statements);
  };
}

function createReferenceVisitor(
  compiler: Compiler,
  { checker, names }: CheckedCell,
  context: ts.TransformationContext,
): ts.Visitor {
  const { factory } = context;
  const exported = (name: ts.Identifier): ts.Expression =>
    compiler.setTextRange(
      factory.createPropertyAccessExpression(factory.createIdentifier("exports"), name.text),
      name,
    );
  const isReference = (node: ts.Node): node is ts.Identifier =>
    compiler.isIdentifier(node) && names.has(node.text, checker.getSymbolAtLocation(node));

  function visit(node: ts.Node): ts.Node {
    if (isReference(node)) return exported(node);
    if (isOnlyType(compiler, node)) return node;
    if (compiler.isShorthandPropertyAssignment(node)) {
      return names.has(node.name.text, checker.getShorthandAssignmentValueSymbol(node))
        ? factory.createPropertyAssignment(node.name, withDefault(node))
        : visitChildren(node);
    }
    if (compiler.isCallExpression(node) && isReference(node.expression)) {
      // As an `import` is called: what a function was found on is not its `this`.
      const called = factory.createComma(
        factory.createNumericLiteral(0),
        exported(node.expression),
      );
      const callee = compiler.setTextRange(
        factory.createParenthesizedExpression(called),
        node.expression,
      );
      const given = compiler.visitNodes(node.arguments, visit, compiler.isExpression);
      return node.questionDotToken === undefined
        ? factory.updateCallExpression(node, callee, undefined, given)
        : visitChildren(node);
    }
    return visitChildren(node);
  }

  const visitChildren = (node: ts.Node): ts.Node => compiler.visitEachChild(node, visit, context);

  /** In a pattern that is assigned to, a shorthand may have a default value. */
  function withDefault({ name, objectAssignmentInitializer }: ts.ShorthandPropertyAssignment) {
    const value = exported(name);
    return objectAssignmentInitializer === undefined
      ? value
      : factory.createAssignment(value, visit(objectAssignmentInitializer) as ts.Expression);
  }

  return visit;
}

/** Types leave no trace in JavaScript; what a class extends is an expression all the same. */
function isOnlyType(compiler: Compiler, node: ts.Node): boolean {
  return (
    (compiler.isTypeNode(node) && !compiler.isExpressionWithTypeArguments(node)) ||
    compiler.isInterfaceDeclaration(node) ||
    compiler.isTypeAliasDeclaration(node) ||
    compiler.isImportDeclaration(node) ||
    compiler.isExportDeclaration(node)
  );
}
