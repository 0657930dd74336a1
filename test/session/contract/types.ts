import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./lab.ts";

const GLOBALS = [
  ...["console", "setTimeout", "fetch", "URL", "Headers", "Response", "AbortController"],
  ...["Buffer", "process", "structuredClone", "TextEncoder", "performance", "queueMicrotask"],
  ...["Blob", "FormData", "client"],
];

export const types: Contract = {
  "globals of the runtime and the client are typed in an empty folder": async ({ fail }) => {
    // What is typed `any` could be assigned to anything.
    for (const name of GLOBALS) {
      const { message } = await fail(`const typed: { nope: 1 } = ${name}`);
      assert.match(message, /TS2322|TS2741|TS2740|TS2739/, name);
    }
  },
  "the client's members are typed": async ({ ok, fail }) => {
    assert.match((await fail("const n: number = client.version")).message, /'string'/);
    assert.match((await fail("client.setVarr('a', 1)")).message, /'setVar'/);
    await ok("const read = () => client.last.json.anything.at.all");
    const wrong = "import type { Exchange } from 'restlab'\nconst f = (e: Exchange) => e.statuss";
    assert.match((await fail(wrong)).message, /'status'/);
  },
  "a cell may declare a client of its own": async ({ ok }) => {
    assert.equal((await ok("const client = { mine: true }\nclient.mine")).value, true);
    assert.equal((await ok("client.mine")).value, true);
  },
  "globals that only this runtime has are no type errors": async ({ ok }) => {
    const own = ["Deno", "Bun"].filter((name) => name in globalThis);
    for (const name of own) await ok(`typeof ${name}.version`);
    assert.match((await ok("typeof process.version")).value as string, /string/);
  },
  "types of node in the user's folder do not replace ours": async ({ directory, ok, fail }) => {
    const folder = join(directory, "node_modules/@types/node");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"name":"@types/node","types":"index.d.ts"}');
    writeFileSync(join(folder, "index.d.ts"), "syntax error of some later compiler <<<");
    await ok("setTimeout(() => undefined, 0)\nimport fs from 'node:fs'\nfs.existsSync('.')");
    assert.match((await fail("const n: number = process.version")).message, /'string'/);
  },
  "type errors name line, column and code and are drawn": async ({ fail }) => {
    const { name, trace, cause } = await fail("const a = 1\n\n  const b: string = a\nnowhere()");
    assert.equal(name, "TypeScriptError");
    const { faults } = cause as { faults: { line: number; column: number; message: string }[] };
    assert.deepEqual(
      faults.map(({ line, column }) => [line, column]),
      [
        [3, 9],
        [4, 1],
      ],
    );
    assert.match(trace, /3 │ {3}const b: string = a\n {2}│ {9}\^/);
    assert.match(trace, /Cannot find name 'nowhere'\. \(TS2304\)/);
  },
  "syntax errors stay within the cell": async ({ fail }) => {
    for (const code of ["let 1x =", "if (true) {", "const a = `abc", "foo(", "const = 3", "}}"]) {
      const { name, cause } = await fail(code);
      assert.equal(name, "SyntaxError", code);
      const { faults } = cause as { faults: { line: number; span: { end: number } }[] };
      assert.ok(faults.length > 0, code);
      for (const { line, span } of faults) assert.ok(line === 1 && span.end <= code.length, code);
    }
  },
  "a type error stops the cell before it runs": async ({ ok, fail }) => {
    await ok("let ran = false");
    await fail("ran = true\nran.nope");
    assert.equal((await ok("ran")).value, false);
  },
  "implicit any and what is unused do not complain": async ({ ok }) => {
    await ok("function f(a, b) { const unused = 1; return a }\nf(1, 2)");
  },
};
