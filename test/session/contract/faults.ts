import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Contract } from "./lab.ts";

/** Cells with types that nobody who explores writes, and what they come to. */
const WARNED: Readonly<Record<string, unknown>> = {
  'new Map([["a", 1], ["b", { c: 2 }]]).size': 2,
  "const n: number = 'text' as any as string\nn": "text",
  "[1, 'a'].map((it) => it * 2).length": 2,
  "Math.max('1' as string, 2)": 2,
  "new Set([1]).has('a')": false,
  "if ({}) 1\n'truthy'": "truthy",
  "(() => { const o: { a: number } = { a: 1, b: 2 }; return Object.keys(o).length })()": 2,
  "JSON.stringify({ a: 1 }, null, 0, 'more')": '{"a":1}',
  "const body = await new Response('{\"a\":1}').json()\nbody.a": 1,
  "const o: object = { b: 2 }\no.b": 2,
  // Plain JavaScript.
  "class Plain { constructor(n) { this.n = n } }\nnew Plain(3).n": 3,
  "const open = { a: 1 }\nopen.b = open.a + 1\nopen.b": 2,
  "function later() { return 1 }\nlater = () => 2\nlater()": 2,
  "({ a: 1, a: 2 }).a": 2,
  "if (console.log()) 1\n'void'": "void",
};

/** Cells with faults that stop them, by the number of the first. */
const STOPPED: Readonly<Record<string, number>> = {
  "nowhere()": 2304,
  "let it: Nothing": 2304,
  "consol.log(1)": 2552,
  "client.sendd('GET /')": 2551,
  "[1].b": 2339,
  "({ missing })": 18004,
  "import { nope } from 'node:fs'": 2305,
  "import x from 'no-such-package'": 2307,
  "type T = string\nT.length": 2693,
  "const once = 1\nonce = 2": 2588,
  "let twice = 1\nlet twice = 2": 2451,
  "early\nconst early = 1": 2448,
  "function f() { await 0 }": 1308,
  "/(/": 1005,
};

/** Cells whose declarations, were they those of a package, could not be written. */
const UNDECLARABLE: Readonly<Record<string, unknown>> = {
  "const Mixed = (Base: new () => object) => class extends Base { private hidden = 1; protected n = 2 }\ntypeof Mixed":
    "function",
  "const Made = class { private hidden = 1; shown = 2 }\nnew Made().shown": 2,
  "import { hide } from './hidden.ts'\nexport const found = hide()\nfound.inner.n": 1,
  "import { hide } from './hidden.ts'\nexport class Keeps { kept = hide() }\nnew Keeps().kept.inner.n": 1,
  "import { hide } from './hidden.ts'\nexport const twice = () => [hide(), hide()]\ntwice().length": 2,
  "import { outer } from 'outer'\nconst inner = outer()\ninner.n": 1,
  // A type that would be a megabyte long.
  [`const both = <T>(it: T) => ({ it, again: { it }, later: () => it })
const many = ${"both(".repeat(13)}{ n: 1 }${")".repeat(13)}
many.it.it.it.again.it.later().it.it.it.it.it.it.it.it.n`]: 1,
};

const HIDDEN = `interface Hidden { inner: { n: number } }
const unique: unique symbol = Symbol("unique");
export const hide = (): Hidden & { [unique]?: 1 } => ({ inner: { n: 1 } });`;

/** A package that gives out a type of a package that only it can import. */
const OUTER = {
  "node_modules/outer/package.json": '{ "main": "index.js", "types": "index.d.ts" }',
  "node_modules/outer/index.js": "exports.outer = () => ({ n: 1 })",
  "node_modules/outer/index.d.ts":
    'import type { Inner } from "inner"\nexport declare function outer(): Inner',
  "node_modules/outer/node_modules/inner/package.json":
    '{ "exports": { ".": { "types": "./private/index.d.ts" } } }',
  "node_modules/outer/node_modules/inner/private/index.d.ts":
    "export interface Inner { n: number; self: Inner }",
};

export const faults: Contract = {
  "a type error is a warning with the result": async ({ ok }) => {
    for (const [code, value] of Object.entries(WARNED)) {
      const run = await ok(code);
      assert.equal(run.value, value, code);
      assert.match(run.stderr(), /^TypeScriptWarning: (line \d, column \d+|\d faults)/, code);
      assert.match(run.stderr(), /\(TS\d{4,5}\)/, code);
    }
    const { stderr } = await ok("const a = 1\n\nconst b: string = a");
    assert.match(stderr(), /line 3, column 7\n3 │ const b: string = a\n {2}│ {7}\^/);
    // Run again, unchanged, it warns again.
    for (let round = 0; round < 2; round++) {
      assert.match((await ok("const c: string = 1")).stderr(), /TS2322/);
    }
    assert.equal((await ok("const fine: number = 1\nfine")).stderr(), "");
  },
  "an error of a name, or of syntax, stops the cell before it runs": async ({ ok, fail }) => {
    await ok("let ran = false");
    for (const [code, number] of Object.entries(STOPPED)) {
      const { message } = await fail(`ran = true; {}\n${code}`);
      assert.match(message, new RegExp(`TS${number}\\b`), code);
    }
    assert.equal((await ok("ran")).value, false);
    // What it warns of besides is told with it.
    const { message } = await fail("const n: number = 'a'\nnowhere()");
    assert.match(message, /TS2322[\s\S]*TS2304/);
  },
  "%strict on makes every type error stop, until it is off": async ({ session, ok, fail }) => {
    const code = 'new Map([["a", 1], ["b", { c: 2 }]])';
    assert.match((await ok("%strict")).stdout(), /^%strict is off/);
    await ok("%strict on");
    assert.match((await ok("%strict")).stdout(), /^%strict is on/);
    assert.equal((await fail(code)).name, "TypeScriptError");
    await ok(`%strict off\n\n${code}`);
    assert.match((await fail(`%strict on\n${code}`)).message, /TS2769/);
    assert.match((await fail("%strict maybe\n1")).message, /write "%strict on" or "%strict off"/);
    await session.reset();
    await ok(code);
  },
  "checks that are for declaration files refuse no cell, and warn of none": async (lab) => {
    const { directory, ok } = lab;
    for (const [name, text] of Object.entries({ "hidden.ts": HIDDEN, ...OUTER })) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    for (const [code, value] of Object.entries(UNDECLARABLE)) {
      const run = await ok(code);
      assert.equal(run.value, value, code);
      assert.equal(run.stderr(), "", code);
    }
    assert.equal((await ok("found.inner.n.toFixed(1) + new Keeps().kept.inner.n")).value, "1.01");
    assert.equal(
      (await ok("inner.n + many.it.it.it.again.it.later().it.it.it.it.it.it.it.it.n")).value,
      2,
    );
  },
  "what a runtime lacks is said to be missing there": async ({ fail }) => {
    for (const name of ["document", "XMLHttpRequest"]) {
      const { message } = await fail(`${name}.title`);
      assert.match(message, /Cannot find name '\w+'\. This runtime does not have it\. \(TS\d+\)$/);
    }
  },
  "fetch with a placeholder says what to write": async ({ fail }) => {
    const { name, message } = await fail('fetch("{{base}}/x")');
    assert.equal(name, "TypeError");
    assert.match(message, /client\.send\(`GET \{\{base\}\}\/x`\)/);
  },
  "a name that means nothing is not found by inspection": async ({ session, ok }) => {
    await ok("const known: any = 1");
    for (const code of ["nowhere", "nowhere.at.all", "known.anything", "({}).nope"]) {
      assert.equal(await session.inspect(code, code.length - 1), undefined, code);
    }
    assert.match((await session.inspect("known", 2))?.signature ?? "", /const known: any/);
  },
  "names of earlier cells are what they are, wherever they stand": async ({ ok, fail }) => {
    await ok("let count = 1, name = 'Ada'\nconst user = { name: 'Bob', count: 5 }");
    await ok("function bare(this: unknown) { return this === undefined }\nclass Base { n = 1 }");
    await ok("namespace Space { export const inner = 'in'; export type Text = string }");
    await ok("enum Side { Left, Right }\ninterface Shape { side: Side }\nconst __dunder = 1");
    const cases: Readonly<Record<string, unknown>> = {
      "({ count, name }).count": 1,
      "const { name: other, count: five = 0 } = user\nother + five": "Bob5",
      "[count, name] = [7, 'Eve'];\n({ count, name = 'none' } = { count: 8 } as typeof user);\n`${count}${name}`":
        "8none",
      "bare()": true,
      "new (class extends Base { m = this.n + count })().m": 9,
      "`${count}` + ((count: number) => count)(3)": "83",
      "const shape: Shape = { side: Side.Right }\nSpace.inner + shape.side": "in1",
      "const text: Space.Text = 'still'\ntext + __dunder": "still1",
      "label: for (const count of [1]) { break label }\ncount": 8,
    };
    for (const [code, value] of Object.entries(cases)) {
      const run = await ok(code);
      assert.equal(run.value, value, code);
      assert.equal(run.stderr(), "", code);
    }
    await ok("type Base = string");
    assert.equal((await ok("new Base().n")).value, 1, "a value stays where its type is replaced");
    await ok("import { join, basename as base } from 'node:path'");
    await ok("const join = 1");
    assert.equal((await ok("base('/a/b') + join")).value, "b1");
    await fail("join('a')\nnowhere");
  },
  "a file that awaits at its top level is refused, and says what to do": async (lab) => {
    const { directory, fail } = lab;
    writeFileSync(join(directory, "waits.ts"), "export const late = await Promise.resolve(1)");
    assert.match(
      (await fail("import { late } from './waits'\nlate")).message,
      /waits\.ts.*export a function/,
    );
  },
};
