import type { Compiler, SourceFile } from "../compiler/mod.ts";

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
