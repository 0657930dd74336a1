import type ts from "typescript";
import type { Compiler, SourceFile } from "./load-compiler.ts";

/** How a cell is changed when it is compiled to JavaScript. */
interface CellTransform {
  readonly transformers: ts.CustomTransformers;
  /** The name under which the value of the last expression is exported; known once the cell is emitted. */
  resultName(): string | undefined;
}

/** The cell with what was declared before it. */
export interface CellFiles {
  readonly checker: ts.TypeChecker;
  readonly cell: SourceFile;
  /** The declarations of earlier cells. */
  readonly previous: SourceFile;
}

/**
 * Creates the transform of one cell: names of earlier cells become properties of `exports`, which all cells
 * share, and the last statement exports its value if it is an expression.
 */
export function createCellTransform(compiler: Compiler, files: CellFiles): CellTransform {
  let result: string | undefined;
  const before: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
    const { factory } = context;
    const visitor = createReferenceVisitor(compiler, files, context);
    const visited = compiler.visitEachChild(file, visitor, context);
    const at = visited.statements.findLastIndex((it) => !compiler.isExportDeclaration(it));
    const last = visited.statements[at];
    if (last === undefined || !compiler.isExpressionStatement(last)) return visited;
    result = freeName(files.cell);
    const declaration = factory.createVariableDeclaration(
      result,
      undefined,
      undefined,
      last.expression,
    );
    const exported = factory.createVariableStatement(
      [factory.createModifier(compiler.SyntaxKind.ExportKeyword)],
      factory.createVariableDeclarationList([declaration], compiler.NodeFlags.Const),
    );
    const statements = visited.statements.with(at, compiler.setTextRange(exported, last));
    return factory.updateSourceFile(visited, statements);
  };
  return {
    transformers: { before: [before], afterDeclarations: [withoutExportLists(compiler)] },
    resultName: () => result,
  };
}

/** Names are declared without `export`: the list at the end of the cell exports them. */
function withoutExportLists(compiler: Compiler): ts.TransformerFactory<ts.SourceFile | ts.Bundle> {
  return ({ factory }) =>
    (file) =>
      compiler.isSourceFile(file)
        ? factory.updateSourceFile(
            file,
            file.statements.filter((it) => !compiler.isExportDeclaration(it)),
          )
        : file;
}

function freeName({ locals }: SourceFile): string {
  let name = RESULT;
  for (let count = 1; locals?.has(name) === true; count++) name = `${RESULT}${count}`;
  return name;
}

/** What a name means that a file declares at its top level. */
export function localOf(compiler: Compiler, file: SourceFile, name: string): ts.Symbol | undefined {
  // The compiler marks names that begin with two underscores.
  return file.locals?.get(compiler.escapeLeadingUnderscores(name).toString());
}

const RESULT = "restlabResult";

function createReferenceVisitor(
  compiler: Compiler,
  { checker, previous }: CellFiles,
  context: ts.TransformationContext,
): ts.Visitor {
  const { factory } = context;
  const isPrevious = (symbol: ts.Symbol | undefined, { text }: ts.Identifier): boolean => {
    const known = localOf(compiler, previous, text)?.declarations ?? [];
    return symbol?.declarations?.some((declaration) => known.includes(declaration)) === true;
  };
  const exported = (name: ts.Identifier): ts.Expression =>
    compiler.setTextRange(
      factory.createPropertyAccessExpression(factory.createIdentifier("exports"), name.text),
      name,
    );
  const isReference = (node: ts.Node): node is ts.Identifier =>
    compiler.isIdentifier(node) && isPrevious(checker.getSymbolAtLocation(node), node);

  function visit(node: ts.Node): ts.Node {
    if (isReference(node)) return exported(node);
    if (isOnlyType(compiler, node)) return node;
    if (compiler.isShorthandPropertyAssignment(node)) {
      return isPrevious(checker.getShorthandAssignmentValueSymbol(node), node.name)
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
