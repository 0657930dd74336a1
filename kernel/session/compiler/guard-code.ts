import type ts from "typescript";
import { CHECKPOINT } from "../cell/mod.ts";
import type { Compiler, Mapping } from "./load-compiler.ts";

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

/** What declares the counter of loops: a function, or the code itself. */
interface Scope {
  readonly isAsyncGenerator: boolean;
  hasCounter: boolean;
}

/** Iterations are counted by function, which is faster than one count for all. */
const ITERATIONS = "__restlab_iterations__";
/** Calls are counted by the code: the counter of a function that calls itself would start again with each call. */
const CALLS = "__restlab_calls__";

/**
 * A check on every iteration would take ten times as long as the loop. After a check that threw, the next one is not
 * skipped, so that no `catch` keeps the code going.
 */
const guardOf = (count: string): string =>
  `(${count} = (${count} + 1) & 255) || (${count} = 255, ${CHECKPOINT}(), ${count} = 0)`;
/** After an `await` the code checks at once, whether that threw or not. */
const AWAITING = `(${ITERATIONS} = ${CALLS} = 255, ${CHECKPOINT}(`;
const AWAITED = "))";
const ITERATION_COUNT = ` var ${ITERATIONS} = 0; `;
const CALL_COUNT = ` var ${CALLS} = 0; `;

/**
 * Puts a call of the checkpoint into every 256th iteration of each loop and into every 256th call of
 * functions that call something themselves: no runtime can end code from outside without risk, and two
 * cannot end it at all. The code also checks after each `await`, and in the first iteration and call after it:
 * it may have been ended while it waited. No line moves.
 *
 * @param code JavaScript, the body of a function.
 */
export function guardCode(compiler: Compiler, code: string): GuardedCode {
  const insertions = new GuardPlacer(compiler, code).place();
  insertions.sort((left, right) => left.at - right.at || rank(left) - rank(right));
  return { text: insert(code, insertions), unguard: createUnguard(code, insertions) };
}

/** Finds where to insert the checks. */
class GuardPlacer {
  readonly #compiler: Compiler;
  readonly #file: ts.SourceFile;
  readonly #insertions: Insertion[] = [];
  #hasCallCounter = false;

  constructor(compiler: Compiler, code: string) {
    this.#compiler = compiler;
    this.#file = compiler.createSourceFile("cell.js", code, compiler.ScriptTarget.ES2024, false);
  }

  place(): Insertion[] {
    const file = this.#file;
    this.#visitScope(file, file.statements, 0);
    if (this.#hasCallCounter) this.#insertStatement(this.#startOf(file.statements, 0), CALL_COUNT);
    return this.#insertions;
  }

  /** Visits what a scope contains, and then inserts the counters that it needs. */
  #visitScope(owner: Parts, statements: readonly ts.Node[], from: number): void {
    const isAsyncGenerator =
      owner.asteriskToken !== undefined &&
      (owner.modifiers ?? []).some((it) => this.#is(it, "AsyncKeyword"));
    const start = this.#startOf(statements, from);
    const scope: Scope = { isAsyncGenerator, hasCounter: false };
    this.#visitChildren(owner, scope);
    if (scope.hasCounter) this.#insertStatement(start, ITERATION_COUNT);
    if (this.#compiler.isFunctionLike(owner) && this.#callsSomething(owner)) {
      this.#hasCallCounter = true;
      this.#insertStatement(start, ` ${guardOf(CALLS)}; `);
    }
  }

  #visitChildren(node: ts.Node, scope: Scope): void {
    this.#compiler.forEachChild(node, (child) => this.#visit(child, scope));
  }

  #visit(node: Parts, scope: Scope): void {
    const { body } = node;
    const isFunction = this.#compiler.isFunctionLike(node);
    const isScope = isFunction || this.#is(node, "ClassStaticBlockDeclaration");
    if (isScope && body?.statements !== undefined) {
      this.#visitScope(node, body.statements, body.getStart(this.#file) + 1);
    } else if (this.#waits(node, scope)) {
      this.#hasCallCounter = true;
      scope.hasCounter = true;
      this.#around(node, [AWAITING, AWAITED], node, scope);
    } else if (isFunction && body !== undefined && this.#callsSomething(node)) {
      this.#hasCallCounter = true;
      this.#around(body, [`(${guardOf(CALLS)}, `, ")"], node, scope);
    } else if (LOOPS.has(this.#kindOf(node))) this.#visitLoop(node, scope);
    else this.#visitChildren(node, scope);
  }

  #visitLoop(node: Parts, scope: Scope): void {
    const { statement, awaitModifier } = node;
    scope.hasCounter = true;
    const check = awaitModifier === undefined ? `${guardOf(ITERATIONS)}; ` : `${CHECKPOINT}(); `;
    if (statement !== undefined && this.#is(statement, "Block")) {
      this.#insertions.push({ at: statement.getStart(this.#file) + 1, text: ` ${check}` });
      this.#visitChildren(node, scope);
    } else this.#around(statement ?? node, [`{ ${check}`, " }"], node, scope);
  }

  /** Encloses a node. If several end at the same place, the inner one is closed first. */
  #around(
    node: ts.Node,
    [open, close]: readonly [string, string],
    visited: ts.Node,
    scope: Scope,
  ): void {
    this.#insertions.push({ at: node.getStart(this.#file), text: open });
    this.#visitChildren(visited, scope);
    this.#insertions.push({ at: node.end, text: close });
  }

  #insertStatement(at: number, text: string): void {
    this.#insertions.push({ at, isStatement: true, text });
  }

  #waits(node: ts.Node, { isAsyncGenerator }: Scope): boolean {
    return (
      this.#is(node, "AwaitExpression") || (isAsyncGenerator && this.#is(node, "YieldExpression"))
    );
  }

  /** Directives count only where they come first. */
  #startOf(statements: readonly ts.Node[], from: number): number {
    const other = statements.findIndex((node) => !this.#isDirective(node));
    return statements.slice(0, other < 0 ? statements.length : other).at(-1)?.end ?? from;
  }

  #isDirective(node: Parts): boolean {
    const { expression } = node;
    return (
      this.#is(node, "ExpressionStatement") &&
      expression !== undefined &&
      this.#is(expression, "StringLiteral")
    );
  }

  /** Whether it calls anything outside of the functions within it. */
  #callsSomething(owner: ts.Node): boolean {
    const calls = (child: ts.Node): boolean =>
      CALLING.has(this.#kindOf(child)) ||
      (!this.#compiler.isFunctionLike(child) && this.#callsSomething(child));
    return this.#compiler.forEachChild(owner, (child) => calls(child) || undefined) ?? false;
  }

  #is(node: ts.Node, kind: keyof typeof ts.SyntaxKind): boolean {
    return node.kind === this.#compiler.SyntaxKind[kind];
  }

  #kindOf(node: ts.Node): string {
    return this.#compiler.SyntaxKind[node.kind] ?? "";
  }
}

const rank = ({ isStatement }: Insertion): number => (isStatement ? 0 : 1);

const LOOPS: ReadonlySet<string> = new Set([
  ...["WhileStatement", "DoStatement", "ForStatement", "ForInStatement", "ForOfStatement"],
]);
const CALLING: ReadonlySet<string> = new Set([
  ...["CallExpression", "NewExpression", "TaggedTemplateExpression"],
]);

/** What the kinds of nodes that matter here have beside what all have. */
type Parts = ts.Node & {
  readonly body?: ts.Node & { readonly statements?: readonly ts.Node[] };
  readonly statement?: ts.Node;
  readonly expression?: ts.Node;
  readonly asteriskToken?: ts.Node;
  readonly awaitModifier?: ts.Node;
  readonly modifiers?: readonly ts.Node[];
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

/** A place in a text, line and column from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Leads from a place in generated text to the place in the text that was written. */
export type PositionMap = (position: Position) => Position | undefined;

/** Reads a source map (JSON text) when it is first asked, because few cells ever fail. */
export function createPositionMap(compiler: Compiler, json: string): PositionMap {
  let lines: Map<number, Mapping[]> | undefined;
  return ({ line, column }) => {
    lines ??= readMappings(compiler, json);
    const entry = lines
      .get(line - 1)
      ?.findLast((mapping) => mapping.generatedCharacter <= column - 1);
    if (entry?.sourceLine === undefined || entry.sourceCharacter === undefined) return undefined;
    return { line: entry.sourceLine + 1, column: entry.sourceCharacter + 1 };
  };
}

function readMappings(compiler: Compiler, json: string): Map<number, Mapping[]> {
  const { mappings } = JSON.parse(json) as { mappings: string };
  const lines = new Map<number, Mapping[]>();
  const decoder = compiler.decodeMappings(mappings);
  for (let next = decoder.next(); next.done !== true; next = decoder.next()) {
    const { value } = next;
    if (value.sourceIndex === undefined) continue;
    const line = lines.get(value.generatedLine);
    if (line === undefined) lines.set(value.generatedLine, [value]);
    else line.push(value);
  }
  return lines;
}
