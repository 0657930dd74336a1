import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./lab.ts";

const GLOBALS = [
  ...["console", "setTimeout", "fetch", "URL", "Headers", "Response", "AbortController"],
  ...["Buffer", "process", "structuredClone", "TextEncoder", "performance", "queueMicrotask"],
  ...["Blob", "FormData", "client"],
];

/** Cells with what they come to, by the function of ES2023 to ES2025 that they need. */
const NEWER: Readonly<Record<string, readonly [code: string, value: unknown]>> = {
  "Array.prototype.toSorted": ["[3, 1].toSorted().at(0)!.toFixed(1)", "1.0"],
  "Uint8Array.prototype.toSorted": ["Uint8Array.of(3, 1).toSorted().with(0, 7)[0]", 7],
  "Array.prototype.findLast": ["[1, 2].findLast((n) => n < 2)!.toFixed(1)", "1.0"],
  "Array.prototype.toReversed": ["[1, 2].toReversed()[0].toFixed(1)", "2.0"],
  "Array.prototype.with": ["[1, 2].with(0, 5).toSpliced(1, 1).length", 1],
  structuredClone: ["structuredClone({ a: 1 }).a.toFixed(1)", "1.0"],
  "Object.groupBy": ["Object.groupBy([1, 2], (n) => (n % 2 ? 'odd' : 'even')).odd!.length", 1],
  "Map.groupBy": ["Map.groupBy([1, 2], (n) => n % 2).get(0)![0].toFixed(1)", "2.0"],
  "Promise.withResolvers": [
    "const d = Promise.withResolvers<number>()\nd.resolve(1);\n(await d.promise).toFixed(1)",
    "1.0",
  ],
  "Promise.try": ["(await Promise.try((n: number) => n + 1, 1)).toFixed(1)", "2.0"],
  "Array.fromAsync": ["(await Array.fromAsync([Promise.resolve(1)]))[0].toFixed(1)", "1.0"],
  "String.prototype.isWellFormed": ["'a'.isWellFormed() && 'a'.toWellFormed() === 'a'", true],
  "ArrayBuffer.prototype.transfer": ["new ArrayBuffer(8).transfer(4).byteLength", 4],
  "ArrayBuffer.prototype.resize": ["new ArrayBuffer(1, { maxByteLength: 2 }).resizable", true],
  "Set.prototype.union": ["new Set([1]).union(new Set(['a'])).size", 2],
  "RegExp.escape": ["RegExp.escape('.').length > 1", true],
};

function isThere(path: string): boolean {
  const found = path.split(".").reduce<unknown>((value, name) => Object(value)[name], globalThis);
  return typeof found === "function";
}

export const types: Contract = {
  "what the runtime has of the newer language is typed, and what it lacks is told": async ({
    ok,
    fail,
  }) => {
    for (const [path, [code, value]] of Object.entries(NEWER)) {
      if (isThere(path)) assert.equal((await ok(code)).value, value, path);
      else assert.match((await fail(code)).message, /TS2339|TS2550|TS2554/, path);
    }
    await ok("%strict on");
    assert.match((await fail("const text: string = [3, 1].toSorted()")).message, /number\[\]/);
  },
  "globals of the runtime and the client are typed in an empty folder": async ({ ok, fail }) => {
    await ok("%strict on");
    // What is typed `any` could be assigned to anything.
    for (const name of GLOBALS) {
      const { message } = await fail(`const typed: { nope: 1 } = ${name}`);
      assert.match(message, /TS2322|TS2741|TS2740|TS2739/, name);
    }
  },
  "the client's members are typed": async ({ ok, fail }) => {
    await ok("%strict on");
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
    await ok("%strict on");
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
