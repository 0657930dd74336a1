import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { CHECKPOINT } from "../../kernel/session/cell/mod.ts";
import { guardCode } from "../../kernel/session/compiler/guard-code.ts";
import { type Compiler, findCompiler } from "../../kernel/session/compiler/mod.ts";

const compiler = createRequire(import.meta.url)(findCompiler()) as Compiler;

/** Runs a function's body, guarded, with a checkpoint that throws from its n-th call on. */
function run(body: string, calls: number): unknown {
  const { text } = guardCode(compiler, body);
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
  "const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2)); f(99)",
  "function f(n) { 'use strict'; return n < 2 ? n : f(n - 1) + f(n - 2); } f(99)",
  "function f(n) { try { if (n > 0) f(n - 1); } catch {} if (n > 0) f(n - 1); } f(99)",
  "const f = (n) => { if (n > 0) { new (class { constructor() { f(n - 1); f(n - 1); } })() } }; f(99)",
  "const o = { set n(n) { if (n > 0) { g(n); g(n); } } }; const g = (n) => (o.n = n - 1); g(99); ",
  "const f = (n) => n && [1, 2].map((m) => f`${n - 1}`); f(99)",
  "for (;;) (() => () => g())()\nfunction g() {}",
])("ends %s", (body) => {
  expect(() => run(body, 3)).toThrow("ended");
});

test.each([
  "const f = () => Promise.resolve().then(f); return f()",
  "const f = async () => { await 0; return f(); }; return f()",
])("ends %s, which leaves no turn to anything else", async (body) => {
  await expect(run(body, 3)).rejects.toThrow("ended");
});

test.each([
  ["let s = 0; for (let i = 0; i < 1000; i++) s += i; return s", 499_500],
  ["let s = ''; for (const c of 'abc') s = c + s; return s", "cba"],
  ["let n = 0; do { n++; if (n === 5) continue; } while (n < 9); return n", 9],
  ["let n = 0; a: for (;;) { for (;;) { n++; if (n > 600) break a; } } return n", 601],
  ["'use strict'; let n = 3; while (n > 0) n--; return [n, this === undefined].join()", "0,true"],
  ["const g = []; for (let i = 0; i < 2; i++) g.push(() => i); return g[0]() + g[1]()", 1],
  ["const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2)); return f(20)", 6765],
  ["const f = (n) => ({ n: g(n) }); const g = (n) => n + 1; return f(1).n", 2],
  [
    "const f = (a, b = g(a)) => a + b; function g(n) { return h(n); } const h = (n) => n; return f(1)",
    2,
  ],
  ["const f = () => () => g(); const g = () => 'g'\nreturn f()()", "g"],
  ["for (const n of [1, 2]) var f = () => () => g(n)\nfunction g(n) { return n; } return f()()", 2],
  [
    "const f = function () { 'use strict'; g(); return this === undefined; }, g = () => 1; return f()",
    true,
  ],
  [
    "class A { n = 1; } class B extends A { constructor() { super(); } get m() { return g(this.n); } } const g = (n) => n; return new B().m",
    1,
  ],
  ["return `while (true) {} ${[1, 2].map((n) => n + 1)}`", "while (true) {} 2,3"],
])("leaves alone what %s comes to", (body, value) => {
  expect(run(body, Number.POSITIVE_INFINITY)).toBe(value);
});

test.each([
  ["return await 1 + await 2", 3],
  ["let s = 0; for await (const n of [1, Promise.resolve(2)]) s += n; return s", 3],
  [
    "async function* g() { const n = yield 1; yield n; } const all = g(); await all.next(); return (await all.next(5)).value",
    5,
  ],
  ["const f = async (n) => -await n; return [await f(2), (await [f])[0] === f].join()", "-2,true"],
])("leaves alone what %s comes to", async (body, value) => {
  const checkpoint = (awaited: unknown): unknown => awaited;
  const { text } = guardCode(compiler, body);
  const context = { [CHECKPOINT]: checkpoint, Promise };
  expect(await runInNewContext(`(async function () {${text}\n})()`, context)).toBe(value);
});

test.each([
  "await 0; at(1)",
  "try { await Promise.reject() } catch {} for (;;) { at(1); break; }",
  "const f = () => at(at(1)); try { await Promise.reject() } catch {} f()",
  "for await (const n of [1]) at(n)",
  "async function* g() { yield 0; at(1); } for await (const n of g()) n",
])("%s looks behind the await, the first time that it goes on", async (body) => {
  const seen: unknown[] = [];
  const checkpoint = (): void => {
    throw new RangeError("ended");
  };
  const { text } = guardCode(compiler, body);
  const context = { [CHECKPOINT]: checkpoint, at: (it: unknown) => seen.push(it), Promise };
  const done = runInNewContext(`(async function () {${text}\n})()`, context);
  await expect(done).rejects.toThrow("ended");
  expect(seen).toEqual([]);
});

test("a text without loops and functions that call is not touched", () => {
  const body = "'use strict';\nconst a = [1].map((n) => n);\nreturn a";
  expect(guardCode(compiler, body).text).toBe(body);
});

test("every place of the text is found again", () => {
  const body =
    "'use strict'; let n = 0;\nwhile (n < 5) { n++; for (;;) n = mark(); last(n) }\n" +
    "const f = () => () => g(inner)\nend(n)";
  const { text, unguard } = guardCode(compiler, body);
  const placeIn = (source: string, word: string): { line: number; column: number } => {
    const before = source.slice(0, source.indexOf(word));
    return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
  };
  expect(text).not.toBe(body);
  for (const word of ["let n", "while", "n++", "mark", "last", "inner", "end"]) {
    expect(unguard(placeIn(text, word))).toEqual(placeIn(body, word));
  }
});
