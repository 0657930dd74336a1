import type { Compiler, SyntaxNode } from "./compiler.ts";
import type { Position } from "./source-map.ts";

/** The global function that guarded loops call now and then. */
export const CHECKPOINT = "__restlab_loops__";

/** Code whose loops can be ended from within. */
export interface GuardedCode {
  readonly text: string;
  /** Where a place of the guarded text is in the text that was given. */
  unguard(position: Position): Position;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** What holds the variables of loops: a function, or the code itself. */
interface Scope {
  readonly start: number;
  isUsed: boolean;
}

const COUNTER = "__restlab_count__";
/**
 * A call in each turn would cost ten times as much as the loop. After a call that threw, the next turn
 * of whatever loop calls again, so that no `catch` in a loop keeps it going.
 */
const GUARD =
  `(${COUNTER} = (${COUNTER} + 1) & 255) || ` +
  `(${COUNTER} = 255, ${CHECKPOINT}(), ${COUNTER} = 0); `;

/**
 * Puts a call of the checkpoint into every 256th turn of each loop, for runtimes that offer no way to
 * end a loop from outside. No line moves.
 *
 * @param code JavaScript, the body of a function.
 */
export function guardLoops(compiler: Compiler, code: string): GuardedCode {
  const file = compiler.createSourceFile("cell.js", code, compiler.ScriptTarget["ES2022"], false);
  const loops = new Set(LOOPS.map((name) => compiler.SyntaxKind[name]));
  const insertions: Insertion[] = [];

  function inScope(nodes: readonly SyntaxNode[], owner: SyntaxNode, start: number): void {
    const other = nodes.findIndex((node) => !isDirective(node));
    const prologue = nodes.at(other < 0 ? -1 : other - 1);
    const scope: Scope = {
      start: other === 0 || prologue === undefined ? start : prologue.end,
      isUsed: false,
    };
    compiler.forEachChild(owner, (child) => visit(child, scope));
    if (scope.isUsed) insertions.push({ at: scope.start, text: ` var ${COUNTER} = 0; ` });
  }

  const isDirective = ({ kind, expression }: Parts): boolean =>
    kind === compiler.SyntaxKind["ExpressionStatement"] &&
    expression?.kind === compiler.SyntaxKind["StringLiteral"];

  function visit(node: Parts, scope: Scope): undefined {
    const { body, statement } = node;
    const isOwnScope =
      compiler.isFunctionLike(node) ||
      node.kind === compiler.SyntaxKind["ClassStaticBlockDeclaration"];
    if (isOwnScope && body?.statements !== undefined) {
      inScope(body.statements, node, body.getStart(file) + 1);
      return;
    }
    if (loops.has(node.kind) && statement !== undefined) {
      scope.isUsed = true;
      guard(statement);
    }
    compiler.forEachChild(node, (child) => visit(child, scope));
  }

  function guard(statement: Parts): void {
    const start = statement.getStart(file);
    if (statement.kind === compiler.SyntaxKind["Block"]) {
      insertions.push({ at: start + 1, text: ` ${GUARD}` });
    } else {
      insertions.push({ at: start, text: `{ ${GUARD}` }, { at: statement.end, text: " }" });
    }
  }

  inScope(file.statements, file, 0);
  insertions.sort((left, right) => left.at - right.at);
  return { text: insert(code, insertions), unguard: createUnguard(code, insertions) };
}

const LOOPS = ["WhileStatement", "DoStatement", "ForStatement", "ForInStatement", "ForOfStatement"];

/** What the kinds of nodes that matter here have beside what all have. */
type Parts = SyntaxNode & {
  readonly body?: SyntaxNode & { readonly statements?: readonly SyntaxNode[] };
  readonly statement?: SyntaxNode;
  readonly expression?: SyntaxNode;
};

function insert(code: string, insertions: readonly Insertion[]): string {
  let text = "";
  let from = 0;
  for (const { at, text: added } of insertions) {
    text += code.slice(from, at) + added;
    from = at;
  }
  return text + code.slice(from);
}

function createUnguard(code: string, insertions: readonly Insertion[]): GuardedCode["unguard"] {
  const byLine = new Map<number, { column: number; length: number }[]>();
  for (const { at, text } of insertions) {
    const before = code.slice(0, at);
    const line = before.split("\n").length;
    const column = at - before.lastIndexOf("\n");
    byLine.set(line, [...(byLine.get(line) ?? []), { column, length: text.length }]);
  }
  return ({ line, column }) => {
    let shift = 0;
    for (const inserted of byLine.get(line) ?? []) {
      const past = column - shift - inserted.column;
      if (past > 0) shift += Math.min(past, inserted.length);
    }
    return { line, column: column - shift };
  };
}
