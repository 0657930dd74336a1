import assert from "node:assert/strict";
import { CLIENT_MEMBERS } from "../../../kernel/session/cell/mod.ts";
import type { Contract } from "./lab.ts";

export const help: Contract = {
  "completions of TypeScript know earlier cells and the client": async ({ session, ok }) => {
    await ok("const user = { name: 'Ada', nickname: 'A' }");
    const names = async (code: string): Promise<string[]> =>
      (await session.complete(code, code.length)).candidates.map(({ text }) => text);
    assert.deepEqual(await names("user.n"), ["name", "nickname"]);
    assert.ok((await names("client.setV")).includes("setVar"));
    assert.ok((await names("/* 😀 */ consol")).includes("console"));
    const { start, end } = await session.complete("/* 😀 */ user.na", 16);
    assert.deepEqual([start, end], [14, 16]);
  },
  "completions of the client come by use, and know names, requests and signatures": async ({
    session,
    ok,
  }) => {
    const at = (code: string) => session.complete(code, code.length);
    const { candidates } = await at("client.");
    const known = candidates.filter(({ kind }) => kind !== "keyword").map(({ text }) => text);
    assert.deepEqual(known.slice(0, 4), ["send", "last", "setVar", "getVar"]);
    assert.deepEqual(known.toSorted(), Object.keys(CLIENT_MEMBERS).sort());
    assert.match(candidates[0]?.detail ?? "", /^sends a request text/);
    assert.match((await at("client.setVar(")).signature ?? "", /setVar\(name: string, value: /);
    assert.match((await session.inspect("client.setVar(", 14))?.signature ?? "", /setVar\(name/);
    await ok("client.setVar('base', 'http://localhost')");
    await ok("function pick(mode: 'fast' | 'slow', users: unknown) {}\nconst users = [1]");
    for (const [code, texts] of [
      ["client.setVar(", ['"base"', '"users"']],
      ["client.getVar( ", ['"base"', '"users"']],
      ["pick(", ['"fast"', '"slow"', "pick", "users"]],
      ["const mine = 2\npick('fast', ", ["mine", "pick", "users"]],
    ] as const) {
      const { candidates, signature } = await at(code);
      assert.match(signature ?? "", /^\w+\(/);
      assert.deepEqual(
        candidates.map(({ text }) => text),
        texts,
      );
    }
    for (const [code, text] of [
      ['client.getVar("ba', "base"],
      ["await client.send(`\nGET {{ba", "base}}"],
      ["client.render('GET {{ba", "base}}"],
      ["client.send(`GET {{base}}/\nConten", "Content-Type: "],
    ] as const) {
      const found = await at(code);
      assert.deepEqual(
        found.candidates.map((one) => one.text),
        [text],
      );
      assert.equal(found.end, code.length);
    }
  },
  "an unknown placeholder is inspected as unknown, with the names that are near": async ({
    session,
  }) => {
    session.client.setVar("token", "abc");
    const code = "@base = http://a.test\nGET {{base}}/users\nX-Id: {{tokn}}";
    const found = await session.inspect(code, code.indexOf("tokn") + 2);
    assert.match(
      found?.signature ?? "",
      /^Cannot resolve "\{\{tokn\}\}": there is no variable "tokn"$/,
    );
    assert.equal(found?.documentation, 'Did you mean "token"?');
    const known = await session.inspect(code, code.indexOf("{{base") + 4);
    assert.match(known?.signature ?? "", /^GET http:\/\/a\.test\/users/);
  },
  "completions of a value that is known as any are its members, whose getters are not called":
    async ({ session, base, ok }) => {
      await ok("let calls = 0\nconst one: any = { size: 1, get next() { return ++calls } }");
      const names = async (code: string): Promise<string[]> =>
        (await session.complete(code, code.length)).candidates.map(({ text }) => text);
      assert.deepEqual(await names("one."), ["size", "next"]);
      assert.deepEqual(await names("one.next."), []);
      assert.deepEqual(await names("one.size.toFi"), ["toFixed"]);
      await ok(`const answer = await client.send("GET ${base}/x")`);
      assert.ok((await names("answer.")).includes("status"));
      assert.deepEqual(await names("answer.json.me"), ["method"]);
      assert.equal((await ok("calls")).value, 0);
    },
  "_ is the last result, with its type, unless a cell declares it": async ({ base, ok, fail }) => {
    await ok("%strict on\ninterface User { name: string }\nconst user: User = { name: 'Ada' }");
    await ok("Promise.resolve([user])");
    assert.equal((await ok("_[0].name.at(-1)")).value, "a");
    assert.equal((await ok("const kept = _\nconst more = 1")).value, undefined);
    assert.equal((await ok("_ + kept")).value, "aa");
    await ok(`GET ${base}/x`);
    assert.match((await fail("const n: number = _")).message, /Exchange/);
    assert.equal((await ok("_.status + 1")).value, 201);
    await ok("const _ = { mine: true }\n5");
    assert.equal((await ok("_.mine")).value, true);
  },
  "inspection shows type and docstring": async ({ session, ok }) => {
    await ok("/** Twice as much. */\nfunction twice(n: number) { return 2 * n }\ntwice(1)");
    const found = await session.inspect("client.setVar('a', 1)", 10);
    assert.match(found?.signature ?? "", /setVar\(name: string/);
    assert.match(found?.documentation ?? "", /[a-z]/);
    assert.equal(await session.inspect("   ", 1), undefined);
  },
  "docstrings of the library, the runtime and the language are found, though cells run without them":
    async ({ session, ok }) => {
      await ok("const text: string = 'a'; text.length");
      const cases = [
        ["client.setVar('a', 1)", "setVar", /to a copy of a value/],
        ["[1].map(Number)", "map", /Calls a defined callback function/],
        ["URL.canParse('a')", "canParse", /parsed/],
        ['import * as path from "node:path"; path.basename("a")', "basename", /last portion/],
      ] as const;
      for (const [code, name, expected] of cases) {
        const found = await session.inspect(code, code.lastIndexOf(name) + 1);
        assert.match(found?.documentation ?? "", expected, code);
      }
      await ok("const after: number = text.length; after");
    },
  "whole, unfinished and broken texts are told apart": async ({ session }) => {
    const cases: Readonly<Record<string, readonly string[]>> = {
      complete: [
        ...["1 + 1", "", "const a = {\n}", "# heading", "GET http://localhost/", "f()\n"],
        ...["{ a: 1, b: 2 }", "{ a: 1, b: 2 } // c", "x = y // c", "declare function f(): void"],
      ],
      incomplete: [
        ...["if (x) {", "f(", "[1,", "`abc", "/* a", "let x =", "class A {\n  b() {"],
        // A comment at the end, and a brace on the next line.
        ...["const total = // euros", "(x) => // c", "a && // and", "a ? b : /* c */", "a +\n// c"],
        ...["a. // c", "import { a } from // b", "type A = | // c", "new // c", "if (x) // c"],
        ...["function sum(a, b)", "async function* f()", "export function f(): number", "class A"],
        ...["{ a: 1,", "{ a: 1, b: {", "({ a: 1 // c"],
      ],
      invalid: ["let 1x =", ")", "'abc", "%%nope", "const = 3"],
    };
    for (const [status, codes] of Object.entries(cases)) {
      for (const code of codes) {
        assert.equal((await session.isComplete(code)).status, status, JSON.stringify(code));
      }
    }
    assert.deepEqual(await session.isComplete("  if (x) {"), {
      status: "incomplete",
      indent: "    ",
    });
  },
};
