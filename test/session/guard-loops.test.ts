import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Compiler } from "../../kernel/session/compiler.ts";
import { CHECKPOINT, guardLoops } from "../../kernel/session/guard-loops.ts";

const require = createRequire(createRequire(import.meta.url).resolve("tslab/dist/converter.js"));
const compiler = require("@tslab/typescript-for-tslab") as Compiler;

/** Runs a function's body, guarded, with a checkpoint that throws from its n-th call on. */
function run(body: string, calls: number): unknown {
  const { text } = guardLoops(compiler, body);
  let seen = 0;
  const checkpoint = (): void => {
    seen += 1;
    if (seen >= calls) throw new RangeError("ended");
  };
  return runInNewContext(`(function () {${text}\n})()`, { [CHECKPOINT]: checkpoint });
}

test.each([
  "while (true) {}",
  "for (;;);",
  "for (;;) for (;;);",
  "do ; while (true)",
  "let n = 0; do n++; while (n >= 0)",
  "for (const n of (function* () { while (true) yield 1; })()) n;",
  "outer: while (true) { for (const key in { a: 1 }) { continue outer; } }",
  "while (true) { try { while (true) {} } catch {} }",
  "'use strict'; const f = () => { while (true) {} }; f()",
  "class A { static { for (;;) {} } }",
  "class A { #n = 0; constructor() { while (true) this.#n++; } } new A()",
  "if (true) while (true) ; else for (;;) ;",
])("ends %s", (body) => {
  expect(() => run(body, 3)).toThrow("ended");
});

test.each([
  ["let s = 0; for (let i = 0; i < 1000; i++) s += i; return s", 499_500],
  ["let s = ''; for (const c of 'abc') s = c + s; return s", "cba"],
  ["let n = 0; do { n++; if (n === 5) continue; } while (n < 9); return n", 9],
  ["let n = 0; a: for (;;) { for (;;) { n++; if (n > 600) break a; } } return n", 601],
  ["'use strict'; let n = 3; while (n > 0) n--; return [n, this === undefined].join()", "0,true"],
  ["const g = []; for (let i = 0; i < 2; i++) g.push(() => i); return g[0]() + g[1]()", 1],
  ["return `while (true) {} ${[1, 2].map((n) => n + 1)}`", "while (true) {} 2,3"],
])("leaves alone what %s comes to", (body, value) => {
  expect(run(body, Number.POSITIVE_INFINITY)).toBe(value);
});

test("a text without loops is not touched", () => {
  const body = "'use strict';\nconst a = [1].map((n) => n);\nreturn a";
  expect(guardLoops(compiler, body).text).toBe(body);
});

test("every place of the text is found again", () => {
  const body =
    "'use strict'; let n = 0;\nwhile (n < 5) { n++; for (;;) n = mark(); last(n) }\nend(n)";
  const { text, unguard } = guardLoops(compiler, body);
  const placeIn = (source: string, word: string): { line: number; column: number } => {
    const before = source.slice(0, source.indexOf(word));
    return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
  };
  expect(text).not.toBe(body);
  for (const word of ["let n", "while", "n++", "mark", "last", "end"]) {
    expect(unguard(placeIn(text, word))).toEqual(placeIn(body, word));
  }
});
