import { createRequire } from "node:module";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { type Compiler, findCompiler } from "../../kernel/session/compiler/mod.ts";
import { findNodeTypes } from "../../kernel/session/compiler/module-resolution.ts";

const compiler = createRequire(import.meta.url)(findCompiler()) as Compiler;
const names = findNodeTypes(compiler)?.files.map((file) => basename(file)) ?? [];

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
