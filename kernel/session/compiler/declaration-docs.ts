import type { Compiler, SourceFile, SyntaxNode } from "./compiler.ts";

/** The compiler parses a comment that begins so, and two thirds of its parsing are such comments. */
const OPENING = /\/\*\*(?=\s)/g;

/**
 * The same text with doc comments made plain ones, all positions kept. Types do not depend on them;
 * for looking names up they are put back by `restoreDocs`.
 */
export function withoutDocs(text: string): string {
  return text.replace(OPENING, "/*!");
}

/** Puts the doc comments of a text into the tree that was parsed without them. */
export function restoreDocs(compiler: Compiler, file: SourceFile, text: string): void {
  const documented = compiler.createSourceFile(file.fileName, text, file.languageVersion, true);
  copyDocs(compiler, documented, file);
}

/** Both trees are of one shape: nothing but comments differs. */
function copyDocs(compiler: Compiler, from: SyntaxNode, to: SyntaxNode): void {
  if (from.jsDoc !== undefined) {
    for (const comment of from.jsDoc) comment.parent = to;
    to.jsDoc = from.jsDoc;
  }
  const targets = childrenOf(compiler, to);
  childrenOf(compiler, from).forEach((child, index) => {
    const target = targets[index];
    if (target !== undefined) copyDocs(compiler, child, target);
  });
}

function childrenOf(compiler: Compiler, node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  compiler.forEachChild(node, (child) => void children.push(child));
  return children;
}
