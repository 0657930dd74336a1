import type ts from "typescript";
import type { Compiler } from "./load-compiler.ts";

/** What cells, and the files that they import, are compiled with. */
export function cellOptions(compiler: Compiler): ts.CompilerOptions {
  return {
    target: compiler.ScriptTarget.ES2024,
    module: compiler.ModuleKind.Preserve,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    // A cell without an import is a module all the same: its names are its own.
    moduleDetection: compiler.ModuleDetectionKind.Force,
    customConditions: ["node"],
    allowImportingTsExtensions: true,
    allowJs: true,
    // Without it `import "no-such-package"` is found missing when the lines above have run.
    noUncheckedSideEffectImports: true,
    resolveJsonModule: true,
    esModuleInterop: true,
    jsx: compiler.JsxEmit.React,
    libReplacement: false,
    types: [],
    typeRoots: [],
    skipLibCheck: true,
    sourceMap: true,
    newLine: compiler.NewLineKind.LineFeed,
  };
}

/** What a compiled module becomes, so that it can run as the body of a function. */
export function commonJsOptions(compiler: Compiler): ts.CompilerOptions {
  return {
    module: compiler.ModuleKind.CommonJS,
    target: compiler.ScriptTarget.ES2024,
    esModuleInterop: true,
    jsx: compiler.JsxEmit.React,
    sourceMap: true,
    newLine: compiler.NewLineKind.LineFeed,
  };
}

/**
 * Parts of the language's library, each with what a runtime that implements it has. What the running
 * runtime lacks stays undeclared, so that a cell that uses it is refused before it runs.
 */
const LIBRARY_PARTS: Readonly<Record<string, string>> = {
  "es2024.arraybuffer": "ArrayBuffer.prototype.transfer",
  "es2024.collection": "Map.groupBy",
  "es2024.object": "Object.groupBy",
  "es2024.promise": "Promise.withResolvers",
  "es2024.regexp": "RegExp.prototype.unicodeSets",
  "es2024.sharedmemory": "Atomics.waitAsync",
  "es2024.string": "String.prototype.isWellFormed",
  "esnext.array": "Array.fromAsync",
  "esnext.collection": "Set.prototype.union",
  "esnext.error": "Error.isError",
  "esnext.float16": "Float16Array",
  "esnext.iterator": "Iterator.prototype.map",
  "esnext.promise": "Promise.try",
  "esnext.sharedmemory": "Atomics.pause",
};

/** The compiler translates `using` and decorators for runtimes without them. */
const TRANSLATED_PARTS = ["esnext.decorators", "esnext.disposable"];

/** The files of the language's library, in parts that take some 100 ms to read. */
export function libraryParts(): string[][] {
  const parts = Object.keys(LIBRARY_PARTS).filter((part) => isThere(LIBRARY_PARTS[part] ?? ""));
  return [["es5"], ["es2015"], ["es2023"], [...TRANSLATED_PARTS, ...parts]].map((names) =>
    names.map((name) => `lib.${name}.d.ts`),
  );
}

/** Whether the runtime has what a path names; a getter is not called. */
function isThere(path: string): boolean {
  const names = path.split(".");
  const last = names.pop() ?? "";
  const owner = names.reduce<unknown>(
    (value, name) => Reflect.get(Object(value), name),
    globalThis,
  );
  return Reflect.has(Object(owner), last);
}
