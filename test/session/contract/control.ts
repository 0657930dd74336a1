import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./lab.ts";
import { pause, until } from "./lab.ts";

export const control: Contract = {
  "a request cell sends its requests and returns the last response": async ({
    base,
    session,
    ok,
  }) => {
    session.client.setVar("base", base);
    const { value, displayed } = await ok("GET {{base}}/one\n\n###\nPOST {{base}}/two\n\n{}");
    assert.deepEqual(
      displayed.map((shown) => (shown as { json: { path: string } }).json.path),
      ["/one"],
    );
    assert.equal((value as { json: { method: string } }).json.method, "POST");
    assert.equal((await ok("client.last.json.path")).value, "/two");
    assert.equal((await ok("%%http\nGET {{base}}/three")).outcome.status, "ok");
    assert.deepEqual((await ok("@name = value")).outcome, { status: "ok" });
    assert.equal((await ok("client.getVar('name')")).value, "value");
  },
  "a request cell that fails shows the responses before the failure": async ({ base, run }) => {
    const { outcome, displayed } = await run(`GET ${base}/one\n\n###\nGET http://127.0.0.1:1/`);
    assert.equal(displayed.length, 1);
    assert.ok(outcome.status === "error");
    assert.equal(outcome.error.name, "NoResponseError");
    assert.doesNotMatch(outcome.error.traceback.join("\n"), /session|node_modules/);
  },
  "errors of a request cell are shown with carets": async ({ fail }) => {
    const { name, trace } = await fail("# head\nGET http://localhost/{{nope}}");
    assert.equal(name, "UnresolvedPlaceholderError");
    assert.match(trace, /2 │ GET http:\/\/localhost\/\{\{nope\}\}\n {2}│ {22}\^{8}/);
  },
  "cells run one after the other, in order": async ({ run }) => {
    const runs = await Promise.all([
      run("const order: number[] = []; await new Promise((r) => setTimeout(r, 50)); order.push(1)"),
      run("order.push(2)"),
      run("await 0; order.push(3)"),
      run("order.join()"),
    ]);
    assert.equal(runs[3]?.value, "1,2,3");
  },
  "an interrupt ends a cell that waits and aborts the queue, and state is kept": async (lab) => {
    const { session, run, ok } = lab;
    await ok("let kept = 1");
    const waiting = run("kept = 2\nawait new Promise(() => {})");
    const queued = run("kept = 3");
    await pause(100);
    session.interrupt();
    const { outcome } = await waiting;
    assert.ok(outcome.status === "error");
    assert.equal(outcome.error.name, "InterruptedError");
    assert.deepEqual((await queued).outcome, { status: "aborted" });
    assert.equal((await ok("kept")).value, 2);
    session.interrupt();
    assert.equal((await ok("kept")).value, 2, "an interrupt while nothing runs does no harm");
  },
  "an interrupt ends a promise that is the last value": async ({ session, run }) => {
    const waiting = run("new Promise(() => {})");
    await pause(100);
    session.interrupt();
    assert.equal((await waiting).outcome.status, "error");
  },
  "an interrupt ends requests in flight, of both kinds of cell": async ({ base, session, run }) => {
    for (const code of [`GET ${base}/never`, `await client.send("GET ${base}/never")`]) {
      const waiting = run(code);
      await until(() => session.client.pending.length > 0);
      session.interrupt();
      const { outcome } = await waiting;
      assert.ok(outcome.status === "error");
      assert.equal(outcome.error.name, "InterruptedError");
      await until(() => session.client.pending.length === 0);
    }
  },
  "a signal ends only its own cell": async ({ run, ok }) => {
    const end = new AbortController();
    const waiting = run("await new Promise(() => {})", { signal: end.signal });
    const next = run("'next'");
    await pause(50);
    end.abort();
    assert.equal((await waiting).outcome.status, "error");
    assert.equal((await next).value, "next");
    const { outcome } = await run("1", { signal: AbortSignal.abort() });
    assert.deepEqual(outcome, { status: "aborted" });
    assert.equal((await ok("2")).value, 2);
  },
  "a limit ends a cell that waits and one that computes, with its reason": async (lab) => {
    const { run, ok, base } = lab;
    const limit = { milliseconds: 300, reason: new RangeError("over") };
    await ok("let kept = 1");
    for (const code of [
      "kept = 2; await new Promise(() => {})",
      "kept = 3; while (true) {}",
      `GET ${base}/never`,
    ]) {
      const { outcome } = await run(code, { limit });
      assert.ok(outcome.status === "error");
      assert.equal(outcome.error.message, "over");
    }
    assert.equal((await ok("kept")).value, 3);
  },
  "code that computes ends by itself, also in files that a cell imports": async (lab) => {
    const { directory, fail, ok } = lab;
    const loop = "export function loop(): void {\n  while (true) {}\n}\n";
    const calls = "export const calls = (n: number): number => n && calls(n - 1) + calls(n - 1);\n";
    writeFileSync(join(directory, "slow.ts"), loop + calls);
    await ok("import { calls, loop } from './slow.ts'\nlet kept = 1");
    for (const code of ["while (true) {}", "loop()", "await 0; calls(99)"]) {
      const { name } = await fail(`kept += 1; (globalThis as any).mustEnd = true; ${code}`);
      assert.equal(name, "InterruptedError");
      await ok("delete (globalThis as any).mustEnd");
    }
    assert.equal((await ok("kept")).value, 4);
  },
  "built-in functions that a cell replaces are given back, and named": async ({ run, ok }) => {
    const thrower = "() => { throw new Error('mine') }";
    const cases: Readonly<Record<string, string>> = {
      [`Array.prototype.map = ${thrower}`]: "Array.prototype.map",
      [`Promise.prototype.then = ${thrower}`]: "Promise.prototype.then",
      [`Function.prototype.call = ${thrower}`]: "Function.prototype.call",
      [`Object.keys = JSON.stringify = ${thrower}`]: "Object.keys, JSON.stringify",
      "globalThis.Promise = globalThis.Map = class {} as any": "Promise, Map",
      "delete (String.prototype as any).split": "String.prototype.split",
      [`await 1; Array.prototype[Symbol.iterator] = ${thrower}; await 2`]:
        "Array.prototype.Symbol(Symbol.iterator)",
      [`Object.defineProperty(Reflect, 'get', { get: ${thrower} })`]: "Reflect.get",
      [`setTimeout(() => { Array.prototype.push = ${thrower}; throw new Error('late') })`]: "",
    };
    for (const [code, names] of Object.entries(cases)) {
      const { stderr } = await run(`${code}; 1`);
      if (names !== "") assert.match(stderr(), /^Warning: The cell replaced [^:]+: /m, code);
      for (const name of names.split(", ")) assert.ok(stderr().includes(name), stderr());
      const { value } = await ok(
        "[[1, 2].map((n) => n + 1), JSON.stringify({ a: 'b c'.split(' ') })]",
      );
      assert.deepEqual(value, [[2, 3], '{"a":["b","c"]}'], code);
    }
    // What a cell adds stays.
    await ok("(Array.prototype as any).second = function () { return this[1] }");
    assert.equal(
      (
        await ok(
          "const two = ([1, 2] as any).second(); delete (Array.prototype as any).second; two",
        )
      ).value,
      2,
    );
  },
  "process.exit in a cell ends the cell and is passed to the front end": async (lab) => {
    const { fail, ok, exits } = lab;
    assert.equal((await fail("process.exit(3)")).name, "CellExit");
    await ok("setTimeout(() => process.exit(4), 5)");
    await until(() => exits.length > 1);
    assert.deepEqual(exits, [3, 4]);
    assert.equal((await ok("1")).value, 1);
  },
  "a closed session runs nothing": async ({ session, run }) => {
    const running = run("await new Promise(() => {})");
    await pause(50);
    await session.close();
    assert.equal((await running).outcome.status, "error");
    assert.deepEqual((await run("1")).outcome, { status: "aborted" });
    await session.close();
  },
};
