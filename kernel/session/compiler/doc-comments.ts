import type ts from "typescript";
import type { Compiler } from "./load-compiler.ts";

/**
 * Puts the doc comments of a file into the tree that was parsed without them: most of what there is to
 * parse in declarations are such comments, and few cells look at any.
 */
export function restoreDocs(compiler: Compiler, file: ts.SourceFile): void {
  if (documented.has(file)) return;
  documented.add(file);
  const { fileName, text, languageVersion } = file;
  copyDocs(compiler, compiler.createSourceFile(fileName, text, { languageVersion }, true), file);
}

const documented = new WeakSet<ts.SourceFile>();

/** A node with its doc comments, which the package does not declare. */
type Documented = ts.Node & { jsDoc?: readonly { parent: ts.Node }[] };

/** Both trees are of one shape: nothing but comments differs. */
function copyDocs(compiler: Compiler, from: Documented, to: Documented): void {
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

function childrenOf(compiler: Compiler, node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  compiler.forEachChild(node, (child) => void children.push(child));
  return children;
}
