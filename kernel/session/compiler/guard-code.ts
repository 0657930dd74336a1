import type { Compiler, SyntaxNode } from "./compiler.ts";
import type { Position } from "./source-map.ts";

/** The global function that guarded code calls now and then. */
export const CHECKPOINT = "__restlab_checkpoint__";

/** Code that can be ended from within while it computes. */
export interface GuardedCode {
  readonly text: string;
  /** Where a place of the guarded text is in the text that was given. */
  unguard(position: Position): Position;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** It comes before what the statement that begins there is put into. */
  readonly isStatement?: true;
}

/** What holds the counter of loops: a function, or the code itself. */
interface Scope {
  readonly start: number;
  readonly isAsyncGenerator: boolean;
  hasCounter: boolean;
}

/** Turns are counted by function, which is faster than one count for all. */
const TURNS = "__restlab_turns__";
/** Calls are counted by the code: a function that calls itself begins anew with each call. */
const CALLS = "__restlab_calls__";

/**
 * A look at each turn would cost ten times as much as the loop. After one that threw, whatever comes
 * next looks again, so that no `catch` keeps it going.
 */
const guardOf = (count: string): string =>
  `(${count} = (${count} + 1) & 255) || (${count} = 255, ${CHECKPOINT}(), ${count} = 0)`;
/** What comes after an `await` looks at once, whether that threw or not. */
const AWAITING = `(${TURNS} = ${CALLS} = 255, ${CHECKPOINT}(`;
const AWAITED = "))";
const declare = (count: string): string => ` var ${count} = 0; `;

/**
 * Puts a call of the checkpoint into every 256th turn of each loop and into every 256th call of
 * functions that call something themselves: no runtime ends code from outside without risk, and two do
 * not at all. Behind each `await`, and in the first turn and call after it, the code looks as well: it
 * may have been ended while it waited. No line moves.
 *
 * @param code JavaScript, the body of a function.
 */
export function guardCode(compiler: Compiler, code: string): GuardedCode {
  const file = compiler.createSourceFile("cell.js", code, compiler.ScriptTarget["ES2022"], false);
  const kindsOf = (names: readonly string[]): ReadonlySet<number> =>
    new Set(names.map((name) => compiler.SyntaxKind[name] as number));
  const loops = kindsOf(LOOPS);
  const calls = kindsOf(CALLING);
  const insertions: Insertion[] = [];
  let hasCallCounter = false;

  /** Visits what a scope holds, and comes back to put in what that needs. */
  function inScope(owner: Parts, nodes: readonly SyntaxNode[], start: number): void {
    const isAsyncGenerator =
      has(owner.asteriskToken, "AsteriskToken") &&
      (owner.modifiers ?? []).some((modifier) => has(modifier, "AsyncKeyword"));
    const scope: Scope = { start: startOf(nodes, start), isAsyncGenerator, hasCounter: false };
    compiler.forEachChild(owner, (child) => visit(child, scope));
    if (scope.hasCounter)
      insertions.push({ at: scope.start, isStatement: true, text: declare(TURNS) });
    if (compiler.isFunctionLike(owner) && callsSomething(owner)) {
      hasCallCounter = true;
      insertions.push({ at: scope.start, isStatement: true, text: ` ${guardOf(CALLS)}; ` });
    }
  }

  const has = (node: SyntaxNode | undefined, kind: string): boolean =>
    node !== undefined && node.kind === compiler.SyntaxKind[kind];

  /** Directives count only where they come first. */
  function startOf(nodes: readonly SyntaxNode[], start: number): number {
    const other = nodes.findIndex((node) => !isDirective(node));
    return nodes.slice(0, other < 0 ? nodes.length : other).at(-1)?.end ?? start;
  }

  const isDirective = ({ kind, expression }: Parts): boolean =>
    kind === compiler.SyntaxKind["ExpressionStatement"] &&
    expression?.kind === compiler.SyntaxKind["StringLiteral"];

  /** What a function within it calls is that one's own. */
  const callsSomething = (owner: SyntaxNode): boolean =>
    compiler.forEachChild(
      owner,
      (child) =>
        calls.has(child.kind) || (!compiler.isFunctionLike(child) && callsSomething(child)),
    ) ?? false;

  function visit(node: Parts, scope: Scope): undefined {
    const { body, statement } = node;
    const isFunction = compiler.isFunctionLike(node);
    const isScope = isFunction || node.kind === compiler.SyntaxKind["ClassStaticBlockDeclaration"];
    if (isScope && body?.statements !== undefined) {
      inScope(node, body.statements, body.getStart(file) + 1);
      return;
    }
    if (has(node, "AwaitExpression") || (scope.isAsyncGenerator && has(node, "YieldExpression"))) {
      hasCallCounter = true;
      scope.hasCounter = true;
      return around(node, AWAITING, AWAITED, () => within(node, scope));
    }
    if (isFunction && body !== undefined && callsSomething(node)) {
      hasCallCounter = true;
      return around(body, `(${guardOf(CALLS)}, `, ")", () => within(node, scope));
    }
    if (!loops.has(node.kind) || statement === undefined) return within(node, scope);
    scope.hasCounter = true;
    const turn = has(node.awaitModifier, "AwaitKeyword")
      ? `${CHECKPOINT}(); `
      : `${guardOf(TURNS)}; `;
    if (statement.kind !== compiler.SyntaxKind["Block"]) {
      return around(statement, `{ ${turn}`, " }", () => within(node, scope));
    }
    insertions.push({ at: statement.getStart(file) + 1, text: ` ${turn}` });
    within(node, scope);
  }

  const within = (node: SyntaxNode, scope: Scope): undefined =>
    compiler.forEachChild(node, (child) => visit(child, scope));

  /** Where several end at one place, the inner one does so first. */
  function around(
    node: SyntaxNode,
    open: string,
    close: string,
    visitWithin: () => void,
  ): undefined {
    insertions.push({ at: node.getStart(file), text: open });
    visitWithin();
    insertions.push({ at: node.end, text: close });
  }

  inScope(file, file.statements, 0);
  if (hasCallCounter)
    insertions.push({ at: startOf(file.statements, 0), isStatement: true, text: declare(CALLS) });
  insertions.sort((left, right) => left.at - right.at || rank(left) - rank(right));
  return { text: insert(code, insertions), unguard: createUnguard(code, insertions) };
}

const rank = ({ isStatement }: Insertion): number => (isStatement ? 0 : 1);

const LOOPS = ["WhileStatement", "DoStatement", "ForStatement", "ForInStatement", "ForOfStatement"];
const CALLING = ["CallExpression", "NewExpression", "TaggedTemplateExpression"];

/** What the kinds of nodes that matter here have beside what all have. */
type Parts = SyntaxNode & {
  readonly body?: SyntaxNode & { readonly statements?: readonly SyntaxNode[] };
  readonly statement?: SyntaxNode;
  readonly expression?: SyntaxNode;
  readonly asteriskToken?: SyntaxNode;
  readonly awaitModifier?: SyntaxNode;
  readonly modifiers?: readonly SyntaxNode[];
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
  let line = 1;
  let start = 0;
  for (const { at, text } of insertions) {
    for (
      let end = code.indexOf("\n", start);
      end >= 0 && end < at;
      end = code.indexOf("\n", start)
    ) {
      line += 1;
      start = end + 1;
    }
    const inserted = { column: at - start + 1, length: text.length };
    const known = byLine.get(line);
    if (known === undefined) byLine.set(line, [inserted]);
    else known.push(inserted);
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
