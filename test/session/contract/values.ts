import assert from "node:assert/strict";
import type { Contract } from "./lab.ts";

export const values: Contract = {
  "the last value of a cell is its result": async ({ ok }) => {
    assert.equal((await ok("1 + 1")).value, 2);
    assert.equal((await ok("const two = 2\ntwo * 2")).value, 4);
    assert.equal((await ok("const three = 3")).value, undefined);
  },
  "an object alone is one, as at other prompts, and a block stays a block": async ({ ok }) => {
    await ok("const x = 3");
    const objects: Readonly<Record<string, unknown>> = {
      "{ a: 1, b: 2 }": { a: 1, b: 2 },
      "{}": {},
      "{ x }": { x: 3 },
      "// above\n{ x, y: [await Promise.resolve(x)] } // behind": { x: 3, y: [3] },
      '{ "big": 12345678901234567890 }': { big: 12345678901234567890n },
    };
    for (const [code, value] of Object.entries(objects)) {
      assert.deepEqual((await ok(code)).value, value, code);
    }
    for (const code of ["{ let y = x; y }", "{ x; }", "{ a: 1 };", "{ console.log(x) }"]) {
      assert.deepEqual((await ok(code)).outcome, { status: "ok" }, code);
    }
  },
  "null is a result and undefined is not": async ({ ok }) => {
    const nothing = await ok("undefined");
    assert.deepEqual(nothing.outcome, { status: "ok" });
    const { outcome } = await ok("null");
    assert.equal(outcome.status === "ok" && outcome.result?.value, null);
  },
  "a last value that is a promise is awaited": async ({ ok, fail }) => {
    assert.equal((await ok("Promise.resolve(7)")).value, 7);
    assert.equal((await ok("(async () => 'later')()")).value, "later");
    assert.equal((await fail("Promise.reject(new RangeError('no'))")).name, "RangeError");
  },
  "the response of fetch is shown as an exchange is, and can still be read": async ({
    base,
    ok,
  }) => {
    const code = `const got = await fetch("${base}/echo", { method: "POST", body: '[{"id":1}]', headers: { "content-type": "application/json" } }); got`;
    const { outcome } = await ok(code);
    assert.ok(outcome.status === "ok" && outcome.result !== undefined);
    const bundle = outcome.result.bundle();
    assert.match(bundle["text/plain"], /^200 .*POST http:.*\/echo/);
    assert.match(String(bundle["text/html"]), /<summary[^>]*>Response headers/);
    assert.match(String((await ok("(await got.text()).length > 0")).value), /true/);
    assert.match((await ok("got")).outcome.status, /ok/);
  },
  "await and for await work at the top level": async ({ ok }) => {
    assert.equal((await ok("const five = await Promise.resolve(5)\nfive")).value, 5);
    assert.equal((await ok("for (const p of [1, 2]) await Promise.resolve(p)\nfive")).value, 5);
    // As in `await (await fetch(url)).json()`.
    assert.equal((await ok("await (await Promise.resolve([[6]])).at(0)?.at(0)")).value, 6);
    const { stdout } = await ok(
      "for await (const piece of [Promise.resolve('a'), 'b']) console.log(piece)",
    );
    assert.equal(stdout(), "a\nb\n");
  },
  "state persists between cells and a const may be declared again": async ({ ok }) => {
    await ok("const name = 'Ada'\nlet count = 1\nfunction next() { return ++count }");
    assert.equal((await ok("next(); next(); count")).value, 3);
    await ok("const name = 42");
    assert.equal((await ok("name.toFixed(1)")).value, "42.0");
    await ok("class Point { constructor(readonly x: number) {} }\nenum Side { Left, Right }");
    assert.equal((await ok("new Point(3).x + Side.Right")).value, 4);
    await ok("interface User { id: number }\ntype Users = User[]");
    assert.equal((await ok("const users: Users = [{ id: 7 }]\nusers[0].id")).value, 7);
  },
  "the same cell may run again and again": async ({ ok }) => {
    for (let round = 0; round < 3; round++) {
      assert.equal((await ok("const again = { n: 1 }\nagain.n")).value, 1);
    }
  },
  "an unchanged cell that runs again repeats everything": async ({ session, ok, fail }) => {
    await ok("let count = 0");
    const again = "count++;\n[count, Symbol()]";
    const first = (await ok(again)).value as unknown[];
    const second = (await ok(again)).value as unknown[];
    assert.deepEqual([first[0], second[0]], [1, 2]);
    assert.notEqual(first[1], second[1]);
    // Looking at another text in between changes nothing.
    await session.complete("count.", 6);
    assert.deepEqual(((await ok(again)).value as unknown[])[0], 3);
    const broken = "\nthrow new RangeError(`no ${count}`)";
    const traces = [(await fail(broken)).trace, (await fail(broken)).trace];
    for (const trace of traces) assert.match(trace, /:2\b/);
    await ok("%strict on");
    const wrong = "const text: string = count";
    assert.equal((await fail(wrong)).message, (await fail(wrong)).message);
    await ok("let count = 'now a text'");
    assert.match((await fail(again)).message, /number/);
    const declares = "const twice = (count: number) => 2 * count\ntwice(4)";
    for (let time = 0; time < 3; time++) assert.equal((await ok(declares)).value, 8);
  },
  "export before a declaration is allowed": async ({ ok }) => {
    assert.equal((await ok("export const shared = 1\nshared")).value, 1);
    await ok("export default function main() { return 2 }");
    assert.equal((await ok("main() + shared")).value, 3);
  },
  "the declarations of a cell before its failure are kept": async ({ ok, fail }) => {
    await fail("const kept = 5\nthrow new Error('later')");
    assert.equal((await ok("kept")).value, 5);
  },
  "an empty cell and one of comments have no result": async ({ ok }) => {
    for (const code of ["", " \n\t\n", "# a heading", "// only\n# this", "/* block */"]) {
      assert.deepEqual((await ok(code)).outcome, { status: "ok" }, code);
    }
  },
  "# lines and %%ts may precede TypeScript": async ({ ok, fail }) => {
    assert.equal((await ok("# heading\n\n# more\n1 + 2")).value, 3);
    assert.equal((await ok("%%ts\nconst GET = 4, path = 2\nGET / path")).value, 2);
    const { name, trace } = await fail("%%python\n1");
    assert.equal(name, "UnknownMagicError");
    assert.match(trace, /"%%python"/);
  },
  "a result is rendered as a bundle, once": async ({ ok }) => {
    const { outcome } = await ok("[{ a: 1 }]");
    assert.ok(outcome.status === "ok" && outcome.result !== undefined);
    const bundle = outcome.result.bundle();
    assert.match(bundle["text/plain"], /a: 1/);
    assert.equal(outcome.result.bundle(), bundle);
  },
  "reset forgets variables and history": async ({ session, ok, fail }) => {
    await ok("const old = 1\nclient.setVar('v', 1)");
    await session.reset();
    assert.match((await fail("old")).message, /Cannot find name 'old'/);
    assert.equal((await ok("client.hasVar('v')")).value, false);
  },
  "reset forgets the last result before TypeScript is loaded": async ({
    session,
    base,
    ok,
    fail,
  }) => {
    await ok(`GET ${base}/first`);
    await session.reset();
    assert.match((await fail("_")).message, /Cannot find name '_'/);
  },
  "reset forgets the variables of scripts": async ({ session, base, ok }) => {
    await ok(`GET ${base}/x\n\n> {% client.global.set("id", "7") %}`);
    await session.reset();
    await ok(`GET ${base}/x\n\n> {% client.assert(client.global.isEmpty()) %}`);
  },
};
