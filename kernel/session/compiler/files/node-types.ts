import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Compiler } from "./load-compiler.ts";

/** The types of Node, of which half are of modules that few cells import. */
export interface NodeTypes {
  /** The files that declare globals, and those that they import. */
  readonly files: readonly string[];
  /**
   * The file to read for a built-in module.
   *
   * @param importing The file that imports it.
   */
  fileOf(name: string, importing: string): string | undefined;
  /** Whether a file is one of them. */
  has(path: string): boolean;
}

/**
 * Finds the types of Node that belong to this package: those in the user's folder may be of another
 * version, and after hoisting there may be none.
 */
export function findNodeTypes(compiler: Compiler): NodeTypes | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve("@types/node/package.json"));
    const index = indexOf(compiler, folder);
    return index === undefined ? undefined : createNodeTypes(compiler, folder, index);
  } catch {
    return undefined; // They are not installed: cells see Node's globals untyped.
  }
}

/** The index for the version of the compiler. */
function indexOf(compiler: Compiler, folder: string): string | undefined {
  const { resolvedTypeReferenceDirective: found } = compiler.resolveTypeReferenceDirective(
    "node",
    join(folder, "__restlab__.ts"),
    { typeRoots: [dirname(folder)] },
    compiler.sys,
  );
  return found?.resolvedFileName;
}

function createNodeTypes(compiler: Compiler, folder: string, index: string): NodeTypes {
  const fileNamed = (name: string): string | undefined => {
    const file = join(folder, `${name.replace(/^node:/, "")}.d.ts`);
    return existsSync(file) ? file : undefined;
  };
  const { referencedFiles } = compiler.preProcessFile(readFileSync(index, "utf8"), false);
  const files = new Set<string>();
  for (const { fileName } of referencedFiles) {
    const file = join(dirname(index), fileName);
    if (declaresGlobals(readFileSync(file, "utf8"))) files.add(file);
  }
  // What is added while this runs is looked at as well.
  for (const file of files) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(IMPORTED)) {
      const imported = fileNamed(name);
      if (imported !== undefined) files.add(imported);
    }
  }
  const has = (path: string): boolean => path.startsWith(`${folder}/`);
  return {
    files: [...files],
    has,
    // Some modules are declared in a file of another name, which those that import them read anyway.
    fileOf: (name, importing) => fileNamed(name) ?? (has(importing) ? undefined : index),
  };
}

function declaresGlobals(text: string): boolean {
  return !/^declare module ["']/m.test(text) || GLOBALS.test(text);
}

const GLOBALS = /^\s*(?:declare )?global \{|^(?:declare (?!module\b)|interface )/m;
/** Examples in comments have single quotes. */
const IMPORTED = /\bfrom "([^"]+)";/g;
