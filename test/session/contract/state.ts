import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./lab.ts";

/** Declarations of a name `it`, the first with the value 1, the second with 2. */
const FORMS: Readonly<Record<string, readonly [first: string, second: string]>> = {
  let: ["let it: any = 1", "let it: any = 2"],
  "let without a value": ["let it: any; it = 1", "let it: any; it = 2"],
  const: ["const it: any = 1", "const it: any = 2"],
  var: ["var it: any = 1", "var it: any = 2"],
  "var in a block": ["if (true) { var it: any = 1 }", "{ { var it: any = 2 } }"],
  "var in the head of for": [
    "for (var it: any = 0; it < 1; it++) {}",
    "for (var it: any = 0; it < 2; it++) {}",
  ],
  "var in the head of for of": [
    "for (var it of [0, 1] as any[]) {}",
    "for (var it of [2] as any[]) {}",
  ],
  "var in the head of for await": [
    "for await (var it of [1] as any[]) {}",
    "for await (var it of [Promise.resolve(2)] as any[]) {}",
  ],
  "a pattern of an object": [
    "const { it = 0 }: any = { it: 1 }",
    "const { at: [it], ...others }: any = { at: [2] }",
  ],
  "a pattern of an array": [
    "let [, it = 1]: any = [0]",
    "let [...[, { it }]]: any = [0, { it: 2 }]",
  ],
  "several in a list": ["let before = 0, it: any = before + 1", "var it: any = 2, after = it"],
  "a value that is awaited": ["const it: any = await Promise.resolve(1)", "let it: any = await 2"],
  "an import": [
    'import { one as it } from "./numbers.ts"',
    'import { two as it } from "./numbers.ts"',
  ],
  "a default import": ['import it from "./one.ts"', 'import it from "./two.ts"'],
  "a member of a namespace": [
    "namespace One { export const value: any = 1 }\nimport it = One.value",
    "namespace Two { export const value: any = 2 }\nimport it = Two.value",
  ],
  using: ["using it: any = one", "await using it: any = two"],
  export: ["export let it: any = 1", "export const it: any = 2"],
};
/** The values of `using`: numbers cannot be disposed of. */
const DISPOSABLE =
  "class Held { constructor(readonly n: number) {} valueOf() { return this.n } [Symbol.dispose]() {} }\n" +
  "const one = new Held(1), two = new Held(2)";

/** Declarations of a name `It` with a `get()` that gives 1, or 2. */
const OBJECTS: Readonly<Record<string, readonly [first: string, second: string]>> = {
  function: [
    "function It() { return 1 }; It.get = () => 1",
    "function It(): any { return 2 }; It.get = () => 2",
  ],
  class: ["class It { static get() { return 1 } }", "class It { static get() { return 2 } }"],
  "class with a decorator": [
    "const same = (value: any, _: any) => value\n@same class It { static get() { return 1 } }",
    "@((value: any, _: any) => value) class It { static get() { return 2 } }",
  ],
  namespace: [
    "namespace It { export const get = () => 1 }",
    "namespace It { export function get() { return 2 } }",
  ],
  "enum and namespace": [
    "enum It { a = 1 }\nnamespace It { export const get = () => It.a }",
    "enum It { b = 2 }\nnamespace It { export const get = () => It.b }",
  ],
  "a constant enum and namespace": [
    "const enum Mine { a = 1 }\nconst It = { get: () => Mine.a }",
    "const enum Mine { b = 2 }\nconst It = { get: () => Mine.b }",
  ],
  "namespace of a module": ['import * as It from "./one.ts"', 'import It = require("./two.ts")'],
};

/** What cells declare has one place. */
export const state: Contract = {
  "a name has one place, however it is declared": async ({ directory, session, ok }) => {
    writeFileSync(join(directory, "numbers.ts"), "export const one: any = 1, two: any = 2");
    writeFileSync(join(directory, "one.ts"), "const value: any = 1; export default value");
    writeFileSync(join(directory, "two.ts"), "const value: any = 2; export default value");
    for (const [form, [first, second]] of Object.entries(FORMS)) {
      await ok(DISPOSABLE);
      const closures = "const read = () => Number(it), peek = { it: () => ({ it }) }";
      const read = async (): Promise<unknown[]> => [
        (await ok("Number(it)")).value,
        (await ok("read()")).value,
        (await ok("Number(peek.it().it)")).value,
      ];
      await ok(`${first}\n${closures}\nread()`);
      assert.deepEqual(await read(), [1, 1, 1], form);
      const isConstant = /const|import|using/.test(first);
      if (!isConstant) {
        await ok("const write = (to: number) => { it = to }, add = () => ++it");
        await ok("it = 5");
        assert.deepEqual(await read(), [5, 5, 5], form);
        assert.equal((await ok("write(6); add()")).value, 7, form);
        assert.deepEqual(await read(), [7, 7, 7], form);
        await ok("setTimeout(() => { it = 8 })\nawait new Promise((done) => setTimeout(done, 5))");
        assert.deepEqual(await read(), [8, 8, 8], form);
        await ok("for (it of [9]);\n[it] = [it + 1];\n({ it } = { it: it + 1 })");
        assert.deepEqual(await read(), [11, 11, 11], form);
      }
      await ok(second);
      assert.deepEqual(await read(), [2, 2, 2], form);
      if (!isConstant) {
        await ok("let it: any = 0");
        assert.equal((await ok("add(); write(it + 2); it")).value, 3, form);
        assert.deepEqual(await read(), [3, 3, 3], form);
      }
      await session.reset();
    }
  },
  "functions, classes, enums and namespaces have one place": async ({ directory, session, ok }) => {
    writeFileSync(join(directory, "one.ts"), "export const get = () => 1");
    writeFileSync(join(directory, "two.ts"), "export const get = () => 2");
    for (const [form, [first, second]] of Object.entries(OBJECTS)) {
      await ok(`${first}\nconst read = () => It.get(), kept = It`);
      const values = async (): Promise<unknown[]> => [
        (await ok("It.get()")).value,
        (await ok("read()")).value,
        (await ok("kept.get()")).value,
      ];
      assert.deepEqual(await values(), [1, 1, 1], form);
      await ok(second);
      assert.deepEqual(await values(), [2, 2, 1], form);
      await session.reset();
    }
  },
  "a function is there before its line, and is found by its name": async ({ ok }) => {
    assert.equal((await ok("const early = next()\nfunction next() { return 1 }\nearly")).value, 1);
    await ok(
      "function twice(): number { return next() * 2 }\nfunction count(n: number): number { return n && count(n - 1) }",
    );
    await ok("function next() { return 5 }\nfunction count(n: number) { return -n }");
    assert.equal((await ok("twice()")).value, 10);
    assert.equal((await ok("count(3)")).value, -3);
    // As JavaScript allows.
    await ok("next = () => 6");
    assert.equal((await ok("twice()")).value, 12);
  },
  "functions and classes keep their names, and are called on nothing": async ({ ok }) => {
    await ok(
      "const arrow = () => 1, plain = (function (this: any) { return this }), Type = class {}, named = function own() {}\n" +
        "let { given = () => 2 }: any = {}, [other = class {}]: any = []\nlet late: any; late = async () => 3; late &&= () => 4",
    );
    const names =
      "[arrow, plain, Type, named, given, other, late].map((it: any) => it.name).join()";
    assert.equal((await ok(names)).value, "arrow,plain,Type,own,given,other,late");
    assert.equal(
      (await ok("[plain(), (plain)(), plain!(), plain?.()].every((it) => it === undefined)")).value,
      true,
    );
    await ok("function tag(this: any, parts: any) { return [this === undefined, parts[0]] }");
    assert.deepEqual((await ok("tag`text`")).value, [true, "text"]);
  },
  "a constant stays one, and its own class is one within it": async ({ ok, fail }) => {
    await ok(
      "const fixed = 1\nconst enum Kind { a = 3 }\nclass Node1 { static make() { return new Node1() } n = 1 }",
    );
    assert.match((await fail("fixed = 2")).message, /constant/);
    assert.match((await fail("const inner = 1; (() => { inner = 2 })()")).message, /constant/);
    assert.equal((await ok("Kind.a")).value, 3);
    await ok("const make = Node1.make");
    await ok("class Node1 { n = 2 }");
    assert.deepEqual((await ok("[make().n, new Node1().n, fixed]")).value, [1, 2, 1]);
  },
  "what a function reads before it is there is an error, and a var is undefined": async (lab) => {
    const { ok, fail } = lab;
    const early = await fail("function read() { return later }\nread()\nlet later = 1");
    assert.equal(early.name, "ReferenceError");
    assert.match(early.message, /Cannot access 'later' before initialization/);
    assert.equal(
      (await ok("const typeOf = (() => typeof soon)()\nvar soon = 1\ntypeOf")).value,
      "undefined",
    );
    await ok("var soon: number");
    assert.equal((await ok("soon")).value, 1);
    const wrong = await fail("let size: any = 3\nsize()");
    assert.match(wrong.message, /^size is not a function/);
    assert.match((await fail("size.length()")).message, /^size\.length is not a function/);
  },
  "a local name hides that of a cell": async ({ ok }) => {
    await ok("let it = 1, exports = 2, require1 = 3");
    await ok("function hide(it: number, exports: number) { return it + exports + require1 }");
    assert.equal((await ok("hide(10, 20)")).value, 33);
    assert.equal(
      (await ok("for (const it of [7]) { let exports = it; exports++ }\nit + exports")).value,
      3,
    );
    assert.equal(
      (await ok("((exports: any) => { exports.a = it; return exports })({}).a")).value,
      1,
    );
    assert.equal(
      (await ok("class Own { it = it; static exports = exports }\nnew Own().it + Own.exports"))
        .value,
      3,
    );
  },
  "a cell that fails leaves what was, and declares nothing behind the failure": async (lab) => {
    const { base, ok, fail } = lab;
    await ok("const user = { id: 7 }, kept = 'old', other = 1\nclass Api { old() { return 1 } }");
    await fail('const user = (await client.send("GET http://127.0.0.1:1/")).json');
    assert.equal((await ok("user.id.toFixed(1)")).value, "7.0");
    const path = (await ok(`GET ${base}/{{user.id}}`)).value as { json: { path: string } };
    assert.equal(path.json.path, "/7");
    await fail(
      "const other = 'new'\nthrow new Error('here')\nconst kept = 5, late = 1\nclass Api { fresh() {} }\nenum Late { a }",
    );
    assert.equal(
      (await ok("kept.toUpperCase() + other.toUpperCase() + new Api().old()")).value,
      "OLDNEW1",
    );
    for (const name of ["late", "Late"]) {
      assert.match((await fail(name)).message, /Cannot find name/, name);
    }
    await fail("const { kept, late } = (() => { throw new Error('first') })()");
    await fail("let late = await Promise.reject(new Error('no'))");
    assert.equal((await ok("kept")).value, "old");
    assert.match((await fail("late")).message, /Cannot find name/);
    // What was refused, or failed, runs as soon as it can.
    const cell = "const late = makeLate()\nlate";
    await fail(cell);
    await ok(
      "let isReady = false\nfunction makeLate() { if (!isReady) throw new Error('wait'); return 9 }",
    );
    await fail(cell);
    await ok("isReady = true");
    assert.equal((await ok(cell)).value, 9);
    assert.equal((await ok("late.toFixed()")).value, "9");
  },
  "values keep the type that they had when its name is declared anew": async (lab) => {
    const { base, ok, fail } = lab;
    await ok(
      "class Api { get() { return 1 } }\ninterface User { id: number }\ntype Ids = number[]\nenum Side { Left = 3 }",
    );
    await ok("const makeApi = () => new Api()\nlet side = Side.Left as Side");
    await ok(
      "const api = makeApi(), user: User = { id: 2 }, ids: Ids = [4]\nconst url = new URL('http://a/b')",
    );
    await ok(
      "class Api { send() { return 5 } }\ninterface User { name: string }\ntype Ids = string\nenum Side { Right = 'r' }",
    );
    await ok("class URL { mine = true }");
    const old = "api.get() + user.id + ids.at(0)! + side.toFixed().length + url.pathname.length";
    const fresh =
      "const third: User = { name: 'C' }, text: Ids = 'D'\nnew Api().send() + third.name + text + Side.Right";
    const check = async (): Promise<void> => {
      const run = await ok(old);
      assert.deepEqual([run.value, run.stderr()], [10, ""]);
      const other = await ok(fresh);
      assert.deepEqual([other.value, other.stderr()], ["5CDr", ""]);
      const made = await ok("new URL().mine");
      assert.deepEqual([made.value, made.stderr()], [true, ""]);
      // What a function makes is of the new class, which its type cannot know.
      assert.equal((await ok("makeApi().send()")).value, 5);
    };
    await check();
    // The program of the compiler is made anew for what it has not read yet.
    await ok("expect(1).toBe(1)");
    await check();
    await ok(`# @name named\nGET ${base}/one`);
    await check();
    await ok("class Api { third() { return 6 } }\nconst newest = new Api()");
    await ok(`# @name other\nGET ${base}/two`);
    assert.equal((await ok("api.get() + newest.third()")).value, 7);
    await ok("const list = [{ id: 1 }], first = () => list[0]");
    await ok("const list = [{ name: 'A' }], text = () => list.join()");
    assert.equal((await ok("first().name")).value, "A");
    assert.match((await fail("text().nothing")).message, /nothing/);
    await ok("const list = { join: () => 7 }");
    assert.equal((await ok("text().toFixed(1)")).value, "7.0");
  },
  "the last result is that of a person's cell, unless a cell declares it": async (lab) => {
    const { ok, run } = lab;
    await ok("2 + 3");
    await run("7", { isSilent: true });
    assert.equal((await ok("_ * 2")).value, 10);
    await ok("const seen = () => _");
    await ok("'text'");
    assert.equal((await ok("seen()")).value, "text");
    await ok("let _ = 3");
    await ok("50");
    assert.deepEqual((await ok("[_, seen()]")).value, [3, 3]);
    await ok("_ += 1");
    assert.equal((await ok("_")).value, 4);
  },
};
