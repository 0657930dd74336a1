import { createRequire } from "node:module";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { libraryParts } from "../../kernel/session/compiler/compiler-options.ts";
import { type Compiler, findCompiler } from "../../kernel/session/compiler/mod.ts";
import { findNodeTypes } from "../../kernel/session/compiler/module-resolution.ts";

const compiler = createRequire(import.meta.url)(findCompiler()) as Compiler;
const names =
  findNodeTypes(compiler)
    ?.files()
    .map((file) => basename(file)) ?? [];

test.each(["globals.d.ts", "process.d.ts", "buffer.d.ts", "crypto.d.ts", "url.d.ts", "fs.d.ts"])(
  "%s declares globals, or types that they use, and belongs to every program",
  (name) => {
    expect(names).toContain(name);
  },
);

test.each(["inspector.generated.d.ts", "http2.d.ts", "sqlite.d.ts", "repl.d.ts"])(
  "%s declares modules alone, and is read when a cell imports one",
  (name) => {
    expect(names).not.toContain(name);
  },
);

test("the types that most cells need lack no name but those that they import", () => {
  const near = findNodeTypes(compiler)?.near ?? [];
  const options = {
    noResolve: true,
    types: [],
    target: compiler.ScriptTarget.ES2024,
    lib: libraryParts().flat(),
  };
  const program = compiler.createProgram({ rootNames: [...near], options });
  const missing = new Set([2304, 2503, 2694]);
  const found = near.flatMap((path) => {
    const file = program.getSourceFile(path);
    return program.getSemanticDiagnostics(file).filter(({ code }) => missing.has(code));
  });
  expect(near.length).toBeGreaterThan(10);
  // That of `process.mainModule`, which is deprecated.
  expect(found.map(({ messageText }) => messageText)).toEqual(["Cannot find name 'Module'."]);
});
