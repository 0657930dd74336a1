import type ts from "typescript";
import { IMPORT_META, SCOPE } from "../cell/mod.ts";
import type { DeclaredNames } from "./declared-names.ts";
import type { Compiler, SourceFile } from "./load-compiler.ts";

/** A cell with what is known of it. */
export interface CheckedCell {
  readonly checker: ts.TypeChecker;
  readonly cell: SourceFile;
  /** What the cells before it have declared. */
  readonly names: DeclaredNames;
}

/** The expression that a cell ends with, if it does. */
export function lastExpression(compiler: Compiler, cell: ts.SourceFile): ts.Expression | undefined {
  const last = cell.statements.findLast((it) => !compiler.isExportDeclaration(it));
  return last && compiler.isExpressionStatement(last) ? last.expression : undefined;
}

/**
 * Creates the transform of one cell. What a cell declares at its top level has one place, a property of the scope that
 * all cells share: every use of such a name, in this cell and in closures too, reads and writes that property, and a
 * declaration assigns to it. The last statement returns its value, in an array, if it is an expression.
 *
 * @example
 * // let count = 0; function next() { return ++count }; next()
 * // scope.next = next; scope.count = 0; function next() { return ++scope.count }; return [(0, scope.next)()];
 */
export function createCellTransform(
  compiler: Compiler,
  checked: CheckedCell,
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (file) => new CellTransform(compiler, checked, context).transform(file);
}

class CellTransform {
  readonly #compiler: Compiler;
  readonly #checked: CheckedCell;
  readonly #context: ts.TransformationContext;
  readonly #factory: ts.NodeFactory;
  /** What is declared before the first statement runs. */
  readonly #hoisted: ts.Statement[] = [];
  /** The class, enum or namespace that is being visited: within it, its name is a constant of its own. */
  readonly #inner = new Set<ts.Symbol>();
  readonly #visit = (node: ts.Node): ts.VisitResult<ts.Node> => this.#visitNode(node);

  constructor(compiler: Compiler, checked: CheckedCell, context: ts.TransformationContext) {
    this.#compiler = compiler;
    this.#checked = checked;
    this.#context = context;
    this.#factory = context.factory;
  }

  transform(file: ts.SourceFile): ts.SourceFile {
    const compiler = this.#compiler;
    const last = lastExpression(compiler, file)?.parent;
    const imports: ts.Statement[] = [];
    const body: ts.Statement[] = [];
    for (const statement of file.statements) {
      if (compiler.isImportDeclaration(statement) || isRequired(compiler, statement)) {
        imports.push(statement, ...this.#importedNames(statement).map((it) => this.#share(it)));
      } else if (statement === last) {
        const value = this.#visitExpression((statement as ts.ExpressionStatement).expression);
        // The value alone would be a tail call, of which JavaScriptCore's stacks have no frame.
        const returned = this.#factory.createArrayLiteralExpression([value]);
        body.push(compiler.setTextRange(this.#factory.createReturnStatement(returned), statement));
      } else body.push(...this.#visitTopLevel(statement));
    }
    const statements = [...imports, ...this.#hoisted, ...body];
    return this.#factory.updateSourceFile(
      file,
      compiler.setTextRange(this.#factory.createNodeArray(statements), file.statements),
    );
  }

  #visitTopLevel(statement: ts.Statement): readonly ts.Statement[] {
    const compiler = this.#compiler;
    // The list of what the cell declares is there for the types of the cells after it.
    if (compiler.isExportDeclaration(statement))
      return statement.moduleSpecifier ? [statement] : [];
    if (isAmbient(compiler, statement)) return [statement];
    if (compiler.isImportEqualsDeclaration(statement)) return this.#visitAlias(statement);
    const visited = this.#visit(statement) as ts.Statement;
    if (compiler.isFunctionDeclaration(statement)) {
      if (statement.body && statement.name) this.#hoisted.push(this.#share(statement.name));
      return [visited];
    }
    if (!isNamedBody(compiler, statement)) return [visited];
    const { name } = statement;
    const isShared = name && compiler.isIdentifier(name) && this.#isDeclared(name);
    return isShared ? [visited, this.#share(name)] : [visited];
  }

  #visitNode(node: ts.Node): ts.Node {
    const compiler = this.#compiler;
    if (compiler.isIdentifier(node)) return this.#isShared(node) ? this.#member(node) : node;
    if (isOnlyType(compiler, node)) return node;
    if (isImportMeta(compiler, node)) return this.#factory.createIdentifier(IMPORT_META);
    if (compiler.isShorthandPropertyAssignment(node)) return this.#visitShorthand(node);
    if (compiler.isCallExpression(node) || compiler.isTaggedTemplateExpression(node)) {
      return this.#visitCall(node);
    }
    if (compiler.isFunctionDeclaration(node)) return this.#visitFunction(node);
    if (compiler.isBinaryExpression(node)) return this.#visitBinary(node);
    if (compiler.isVariableStatement(node)) return this.#visitVariables(node);
    if (compiler.isVariableDeclarationList(node) && this.#isSharedList(node)) {
      return this.#assignments(node) ?? this.#factory.createVoidZero();
    }
    return isNamedBody(compiler, node) ? this.#visitNamedBody(node) : this.#visitChildren(node);
  }

  #visitChildren<T extends ts.Node>(node: T): T {
    return this.#compiler.visitEachChild(node, this.#visit, this.#context);
  }

  #visitExpression(node: ts.Expression): ts.Expression {
    return this.#visit(node) as ts.Expression;
  }

  /** In a pattern that is assigned to, a shorthand may have a default value. */
  #visitShorthand(node: ts.ShorthandPropertyAssignment): ts.Node {
    const { name, objectAssignmentInitializer: initial } = node;
    const symbol = this.#checked.checker.getShorthandAssignmentValueSymbol(node);
    if (!this.#isSharedSymbol(name.text, symbol)) return this.#visitChildren(node);
    const value = this.#member(name);
    const assigned = initial && this.#factory.createAssignment(value, this.#named(name, initial));
    return this.#factory.createPropertyAssignment(name, assigned ?? value);
  }

  /** As an `import` is called: what a function was found on is not its `this`. */
  #visitCall(node: ts.CallExpression | ts.TaggedTemplateExpression): ts.Node {
    const compiler = this.#compiler;
    const factory = this.#factory;
    const written = compiler.isCallExpression(node) ? node.expression : node.tag;
    const name = withoutWrapping(compiler, written);
    const visited = this.#visitChildren(node);
    if (!compiler.isIdentifier(name) || !this.#isShared(name)) return visited;
    const value = factory.createComma(factory.createNumericLiteral(0), this.#member(name));
    const callee = compiler.setTextRange(factory.createParenthesizedExpression(value), written);
    if (compiler.isTaggedTemplateExpression(visited)) {
      return factory.updateTaggedTemplateExpression(visited, callee, undefined, visited.template);
    }
    const { arguments: given } = visited;
    return compiler.isCallChain(visited)
      ? factory.updateCallChain(visited, callee, visited.questionDotToken, undefined, given)
      : factory.updateCallExpression(visited, callee, undefined, given);
  }

  /** The name of a function is no use of it. */
  #visitFunction(node: ts.FunctionDeclaration): ts.Node {
    const visit = (child: ts.Node): ts.VisitResult<ts.Node> =>
      child === node.name ? child : this.#visitNode(child);
    return this.#compiler.visitEachChild(node, visit, this.#context);
  }

  #visitBinary(node: ts.BinaryExpression): ts.Node {
    const compiler = this.#compiler;
    const { left, operatorToken, right } = node;
    const isNaming =
      NAMING.has(compiler.tokenToString(operatorToken.kind) ?? "") &&
      compiler.isIdentifier(left) &&
      this.#isShared(left);
    if (!isNaming) return this.#visitChildren(node);
    const value = this.#named(left, right);
    return this.#factory.updateBinaryExpression(node, this.#member(left), operatorToken, value);
  }

  #visitVariables(node: ts.VariableStatement): ts.Node {
    const compiler = this.#compiler;
    const { declarationList: list } = node;
    if (!this.#isSharedList(list)) return this.#visitChildren(node);
    if (isUsing(compiler, list)) {
      const declarations = list.declarations.map((it) => this.#alsoShare(it));
      const updated = this.#factory.updateVariableDeclarationList(list, declarations);
      return this.#factory.updateVariableStatement(node, undefined, updated);
    }
    const value = this.#assignments(list);
    const statement =
      value === undefined
        ? this.#factory.createEmptyStatement()
        : this.#factory.createExpressionStatement(value);
    return compiler.setTextRange(statement, node);
  }

  /** What is disposed of at the cell's end is a variable of the cell, too. */
  #alsoShare(declaration: ts.VariableDeclaration): ts.VariableDeclaration {
    const { name, initializer } = declaration;
    if (initializer === undefined) return declaration;
    const value = this.#factory.createAssignment(
      this.#target(name),
      this.#visitExpression(initializer),
    );
    return this.#factory.updateVariableDeclaration(declaration, name, undefined, undefined, value);
  }

  /**
   * The assignments that a list of declarations stands for, or the target alone in the head of a `for … of` or
   * `for … in`; nothing if there are none.
   */
  #assignments(list: ts.VariableDeclarationList): ts.Expression | undefined {
    const compiler = this.#compiler;
    const factory = this.#factory;
    const isHead = compiler.isForInStatement(list.parent) || compiler.isForOfStatement(list.parent);
    const isVar = (list.flags & compiler.NodeFlags.BlockScoped) === 0;
    const parts = list.declarations.flatMap(({ name, initializer, pos, end }): ts.Expression[] => {
      if (isVar) for (const one of namesOf(compiler, name)) this.#hoistVariable(one);
      const target = this.#target(name);
      if (isHead) return [target];
      if (initializer === undefined && isVar) return [];
      const value = initializer ? this.#named(name, initializer) : factory.createVoidZero();
      return [compiler.setTextRange(factory.createAssignment(target, value), { pos, end })];
    });
    const [first, ...rest] = parts;
    return first && rest.reduce((left, right) => factory.createComma(left, right), first);
  }

  /** A `var` is `undefined` before its line has run, unless an earlier cell has given it a value. */
  #hoistVariable(name: ts.Identifier): void {
    const factory = this.#factory;
    const isThere = factory.createBinaryExpression(
      factory.createStringLiteral(name.text),
      this.#compiler.SyntaxKind.InKeyword,
      factory.createIdentifier(SCOPE),
    );
    const declared = factory.createAssignment(this.#member(name), factory.createVoidZero());
    const condition = factory.createLogicalOr(isThere, declared);
    this.#hoisted.push(factory.createExpressionStatement(condition));
  }

  /** What a declaration assigns to: a property, or a pattern of them. */
  #target(name: ts.BindingName): ts.Expression {
    const compiler = this.#compiler;
    const factory = this.#factory;
    if (compiler.isIdentifier(name)) return this.#member(name);
    if (compiler.isArrayBindingPattern(name)) {
      const elements = name.elements.map((element) => {
        if (compiler.isOmittedExpression(element)) return element;
        const target = this.#targetWithDefault(element);
        return element.dotDotDotToken ? factory.createSpreadElement(target) : target;
      });
      return compiler.setTextRange(factory.createArrayLiteralExpression(elements), name);
    }
    const properties = name.elements.map((element) => {
      const target = this.#targetWithDefault(element);
      if (element.dotDotDotToken) return factory.createSpreadAssignment(target);
      const key = element.propertyName
        ? this.#visitChildren(element.propertyName)
        : factory.createIdentifier((element.name as ts.Identifier).text);
      return factory.createPropertyAssignment(key, target);
    });
    return compiler.setTextRange(factory.createObjectLiteralExpression(properties), name);
  }

  #targetWithDefault({ name, initializer }: ts.BindingElement): ts.Expression {
    const target = this.#target(name);
    return initializer
      ? this.#factory.createAssignment(target, this.#named(name, initializer))
      : target;
  }

  /**
   * A value that is given to a name. A function or class without a name takes that of its variable, and that of a
   * property in an object literal, but none from an assignment to a property.
   */
  #named(name: ts.BindingName, value: ts.Expression): ts.Expression {
    const compiler = this.#compiler;
    const factory = this.#factory;
    const visited = this.#visitExpression(value);
    if (!compiler.isIdentifier(name) || !takesName(withoutWrapping(compiler, value))) {
      return visited;
    }
    const key = factory.createComputedPropertyName(factory.createStringLiteral(name.text));
    const property = factory.createPropertyAssignment(key, visited);
    const object = factory.createObjectLiteralExpression([property]);
    return factory.createElementAccessExpression(object, factory.createStringLiteral(name.text));

    function takesName(node: ts.Expression): boolean {
      if (compiler.isArrowFunction(node)) return true;
      const isNameless = compiler.isFunctionExpression(node) || compiler.isClassExpression(node);
      return isNameless && node.name === undefined;
    }
  }

  #visitNamedBody(node: NamedBody): ts.Node {
    const compiler = this.#compiler;
    const factory = this.#factory;
    const symbol = node.name && this.#checked.checker.getSymbolAtLocation(node.name);
    const isOuter = symbol !== undefined && !this.#inner.has(symbol);
    if (isOuter) this.#inner.add(symbol);
    const visited = this.#visitChildren(node);
    if (isOuter) this.#inner.delete(symbol);
    if (!compiler.isEnumDeclaration(visited)) return visited;
    // A `const enum` has no value, which a later cell may ask for.
    const modifiers = visited.modifiers?.filter(
      ({ kind }) => kind !== compiler.SyntaxKind.ConstKeyword,
    );
    return factory.updateEnumDeclaration(visited, modifiers, visited.name, visited.members);
  }

  /** `import Short = Namespace.Member`. */
  #visitAlias(node: ts.ImportEqualsDeclaration): readonly ts.Statement[] {
    const compiler = this.#compiler;
    const factory = this.#factory;
    const { name, moduleReference } = node;
    if (!this.#isDeclared(name) || compiler.isExternalModuleReference(moduleReference)) return [];
    const toExpression = (entity: ts.EntityName): ts.Expression =>
      compiler.isIdentifier(entity)
        ? this.#visitExpression(entity)
        : factory.createPropertyAccessExpression(toExpression(entity.left), entity.right);
    const assigned = factory.createAssignment(this.#member(name), toExpression(moduleReference));
    return [compiler.setTextRange(factory.createExpressionStatement(assigned), node)];
  }

  /** The names of values that an import declares. */
  #importedNames(node: ts.ImportDeclaration | ts.ImportEqualsDeclaration): ts.Identifier[] {
    const compiler = this.#compiler;
    if (compiler.isImportEqualsDeclaration(node)) return [node.name].filter(this.#isDeclared);
    const { name, namedBindings } = node.importClause ?? {};
    const bound =
      namedBindings === undefined
        ? []
        : compiler.isNamespaceImport(namedBindings)
          ? [namedBindings.name]
          : namedBindings.elements.map((element) => element.name);
    return [...(name === undefined ? [] : [name]), ...bound].filter(this.#isDeclared);
  }

  /** Assigns a local name to the variable that all cells see. */
  #share(name: ts.Identifier): ts.Statement {
    const local = this.#factory.createIdentifier(name.text);
    // The compiler writes what is imported as a property of its module.
    const value = this.#compiler.setOriginalNode(local, name);
    return this.#factory.createExpressionStatement(
      this.#factory.createAssignment(this.#member(name), value),
    );
  }

  #member({ text, pos, end }: ts.Identifier): ts.Expression {
    const scope = this.#factory.createIdentifier(SCOPE);
    const member = this.#factory.createPropertyAccessExpression(scope, text);
    return this.#compiler.setTextRange(member, { pos, end });
  }

  #isSharedList({ declarations }: ts.VariableDeclarationList): boolean {
    const names = declarations.flatMap(({ name }) => namesOf(this.#compiler, name));
    return names.some(this.#isDeclared);
  }

  #isShared(name: ts.Identifier): boolean {
    const { checker, cell, names } = this.#checked;
    const isCandidate =
      names.mayHave(name.text) || cell.locals?.has(keyOf(this.#compiler, name.text));
    return (
      isCandidate === true && this.#isSharedSymbol(name.text, checker.getSymbolAtLocation(name))
    );
  }

  #isSharedSymbol(text: string, symbol: ts.Symbol | undefined): boolean {
    if (symbol === undefined || this.#inner.has(symbol)) return false;
    return this.#isOwn(text, symbol) || this.#checked.names.has(text, symbol);
  }

  /** Whether a name is that of a value that the cell declares at its top level. */
  readonly #isDeclared = (name: ts.Identifier): boolean =>
    this.#isOwn(name.text, this.#checked.checker.getSymbolAtLocation(name));

  #isOwn(text: string, symbol: ts.Symbol | undefined): boolean {
    const { checker, cell } = this.#checked;
    return (
      symbol !== undefined &&
      cell.locals?.get(keyOf(this.#compiler, text)) === symbol &&
      hasValue(this.#compiler, checker, symbol)
    );
  }
}

/** Whether a name that a cell declares has a value there: it is no type, and not one that is said to exist elsewhere. */
export function hasValue(compiler: Compiler, checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const { Alias, Value } = compiler.SymbolFlags;
  const { declarations = [] } = symbol;
  if ((symbol.flags & Alias) !== 0) {
    const isType = declarations.some((it) => compiler.isTypeOnlyImportOrExportDeclaration(it));
    return !isType && (checker.getAliasedSymbol(symbol).flags & Value) !== 0;
  }
  return (symbol.flags & Value) !== 0 && !declarations.every((it) => isAmbient(compiler, it));
}

/** The key of a name in the compiler's tables. */
export const keyOf = (compiler: Compiler, name: string): string =>
  compiler.escapeLeadingUnderscores(name).toString();

/** Assignments that give a function its name. */
const NAMING = new Set(["=", "&&=", "||=", "??="]);

type NamedBody = ts.ClassDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration;

function isNamedBody(compiler: Compiler, node: ts.Node): node is NamedBody {
  return (
    compiler.isClassDeclaration(node) ||
    compiler.isEnumDeclaration(node) ||
    compiler.isModuleDeclaration(node)
  );
}

/** Replaces `import.meta`, which exists in modules alone, by a parameter. */
export function createMetaTransform(compiler: Compiler): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (file) => {
    const visit = (node: ts.Node): ts.Node =>
      isImportMeta(compiler, node)
        ? context.factory.createIdentifier(IMPORT_META)
        : compiler.visitEachChild(node, visit, context);
    return compiler.visitEachChild(file, visit, context);
  };
}

function isImportMeta(compiler: Compiler, node: ts.Node): boolean {
  return compiler.isMetaProperty(node) && node.keywordToken === compiler.SyntaxKind.ImportKeyword;
}

/** `import name = require("module")`. */
function isRequired(compiler: Compiler, node: ts.Node): node is ts.ImportEqualsDeclaration {
  return (
    compiler.isImportEqualsDeclaration(node) &&
    compiler.isExternalModuleReference(node.moduleReference)
  );
}

/** Whether a declaration of a cell, or what it is a part of, is a `declare`. */
function isAmbient(compiler: Compiler, node: ts.Node): boolean {
  // There all are, of values that cells have.
  if (node.getSourceFile().isDeclarationFile) return false;
  for (let it = node; it !== undefined && !compiler.isSourceFile(it); it = it.parent) {
    if (!compiler.canHaveModifiers(it)) continue;
    if (it.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.DeclareKeyword)) return true;
  }
  return false;
}

/** Whether what is declared is disposed of at the end: `using`, `await using`. */
function isUsing({ NodeFlags }: Compiler, { flags }: ts.VariableDeclarationList): boolean {
  const kind = flags & NodeFlags.BlockScoped;
  return kind === NodeFlags.Using || kind === NodeFlags.AwaitUsing;
}

function namesOf(compiler: Compiler, name: ts.BindingName): readonly ts.Identifier[] {
  if (compiler.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    compiler.isOmittedExpression(element) ? [] : namesOf(compiler, element.name),
  );
}

/** What an expression is without parentheses and assertions of its type. */
function withoutWrapping(compiler: Compiler, node: ts.Expression): ts.Expression {
  const isWrapping =
    compiler.isParenthesizedExpression(node) ||
    compiler.isAsExpression(node) ||
    compiler.isSatisfiesExpression(node) ||
    compiler.isTypeAssertionExpression(node) ||
    compiler.isNonNullExpression(node);
  return isWrapping ? withoutWrapping(compiler, node.expression) : node;
}

/** Types leave no trace in JavaScript; what a class extends is an expression all the same. */
function isOnlyType(compiler: Compiler, node: ts.Node): boolean {
  return (
    (compiler.isTypeNode(node) && !compiler.isExpressionWithTypeArguments(node)) ||
    compiler.isInterfaceDeclaration(node) ||
    compiler.isTypeAliasDeclaration(node)
  );
}
