import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AssertionResult } from "../../../lib/mod.ts";
import type { Contract, Lab } from "./lab.ts";
import { until } from "./lab.ts";

/** Runs a cell whose assertions fail, and gives the results, the error and the forms of the table. */
async function failing(lab: Pick<Lab, "run">, code: string) {
  const { outcome, bundles } = await lab.run(code);
  assert.ok(outcome.status === "error", code);
  const forms = bundles().at(-1) ?? { "text/plain": "" };
  return { results: outcome.assertions ?? [], error: outcome.error, forms };
}

const summary = (results: readonly AssertionResult[]): unknown[] =>
  results.map(({ name, passed, location }) => [name, passed, location.line]);

export const tests: Contract = {
  "the library of expect is loaded when a cell uses it": async ({ ok }) => {
    const isLoaded = (): boolean => Reflect.has(globalThis, Symbol.for("expect-global"));
    await ok("test('a', () => {})");
    assert.equal(isLoaded(), false);
    await ok("expect(1).toBe(1)");
    assert.equal(isLoaded(), true);
  },
  "the example of the reference passes": async ({ ok }) => {
    const page = readFileSync("notebooks/reference-test.md", "utf8");
    const [, example = ""] = /^```typescript\n([\s\S]*?)^```/m.exec(page) ?? [];
    await ok("%demo\nGET {{base}}/users/1");
    assert.equal((await ok(example)).outcome.assertions?.length, 3);
  },
  "assertions without a request are about the last answer": async (lab) => {
    const before = await failing(lab, "?? status == 404");
    assert.match(before.error.message, /no request has been answered yet/);
    await lab.ok(`@wanted = 200\nGET ${lab.base}/json`);
    const { error, results, forms } = await failing(
      lab,
      "# why\n?? status == {{wanted}}\n?? js response.statusCode == 404",
    );
    assert.equal(error.name, "AssertionError");
    assert.match(error.message, /js response.statusCode == 404 failed: expected 404, found 200/);
    assert.deepEqual(
      results.map(({ passed, location }) => [passed, location.line]),
      [
        [true, 2],
        [false, 3],
      ],
    );
    assert.match(forms["text/plain"], /1 of 2 assertions failed/);
    const passed = await lab.ok("?? status == 200");
    assert.match(String(passed.bundles().at(-1)?.["text/plain"]), /1 assertion passed/);
    const typo = await failing(lab, "?? status == 200\nconst a = 1");
    assert.match(typo.error.message, /"const a = 1" is not an assertion/);
    assert.equal((await lab.session.isComplete("?? status == 200")).status, "complete");
  },
  "expect fails the cell at its line": async (lab) => {
    const { results, error, forms } = await failing(
      lab,
      "const user = { name: 'Ada' };\nexpect(user.name).toBe('Ada');\nexpect(user.name).toBe('Ben');",
    );
    assert.equal(error.name, "AssertionError");
    assert.match(error.message, /^expected 'Ada' to be 'Ben'/);
    assert.match(error.traceback.join("\n"), /\n\s+at cell 1:3:\d+$/);
    const [result] = results;
    assert.equal(results.length, 1);
    assert.equal(result?.text, "expect(user.name).toBe('Ben');");
    assert.deepEqual([result?.expected, result?.actual], ["Ben", "Ada"]);
    assert.equal(result?.location.line, 3);
    assert.equal(forms["text/plain"], "Error: 1 of 1 assertion failed");
    assert.doesNotMatch(String(forms["text/html"]), /Ben/);
  },
  "a test that is skipped is in the results, and is not run": async ({ ok }) => {
    const { outcome, bundles } = await ok(
      `test("one", () => expect(1).toBe(1));
test.skip("two", () => expect(1).toBe(2));
test("outer", () => { test.skip("inner") });`,
    );
    assert.deepEqual(
      outcome.assertions?.map(({ name, passed, skipped, location }) => [
        name,
        passed ? "passed" : skipped === true && "skipped",
        location.line,
      ]),
      [
        ["one", "passed", 1],
        ["two", "skipped", 2],
        ["outer", "passed", 3],
        ["outer › inner", "skipped", 3],
      ],
    );
    assert.match(String(bundles().at(-1)?.["text/plain"]), /^2 tests passed, 2 skipped$/m);
  },
  "a test that fails does not end the others": async (lab) => {
    const { results, error, forms } = await failing(
      lab,
      `test("one", () => expect(1).toBe(1));
test("two", () => {
  expect({ id: 1, tags: ["a", "b"] }).toEqual({ id: 1, tags: ["a", "c"] });
});
test("three", async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  throw new RangeError("late");
});
test("four", () => undefined);`,
    );
    assert.deepEqual(summary(results), [
      ["one", true, 1],
      ["two", false, 3],
      ["three", false, 7],
      ["four", true, 9],
    ]);
    const [, two, three] = results;
    assert.deepEqual([two?.path, two?.expected, two?.actual], ["$.tags[1]", "c", "b"]);
    assert.equal(three?.message, "late");
    assert.equal(error.name, "AssertionError");
    assert.match(error.message, /^two: expect\(.* failed: expected c, found b; at \$\.tags\[1\]/);
    assert.match(error.message, /three: throw new RangeError\("late"\); failed: late/);
    assert.equal(forms["text/plain"], "Error: 2 of 4 tests failed");
    assert.match(String(forms["text/html"]), /2 of 4 tests failed/);
    assert.match(String(forms["text/markdown"]), /2 of 4 tests failed/);
  },
  "tests that pass are counted, and the result is shown": async ({ ok }) => {
    const { outcome, value, bundles } = await ok(
      'test("a", () => expect([1, 2]).toHaveLength(2));\nawait test("b", async () => {});\n7',
    );
    assert.equal(value, 7);
    assert.deepEqual(summary(outcome.assertions ?? []), [
      ["a", true, 1],
      ["b", true, 2],
    ]);
    assert.equal(bundles().at(-1)?.["text/plain"], "2 tests passed");
    await ok("42");
    const { outcome: silent, bundles: none } = await ok("expect(1).toBe(1)");
    assert.deepEqual([silent, none()], [{ status: "ok" }, []]);
    assert.deepEqual((await ok("expect(_).to.equal(42)")).outcome, { status: "ok" });
    assert.equal((await ok("_")).value, 42);
  },
  "tests run one after another, and may contain others": async ({ ok }) => {
    const { outcome, stdout } =
      await ok(`const wait = () => new Promise((end) => setTimeout(end, 5));
test("a", async () => { console.log("a1"); await wait(); console.log("a2"); });
test("b", () => { console.log("b"); });
test("c", async () => {
  await test("d", async () => { await wait(); console.log("d"); });
  test("e", async () => { await wait(); console.log("e"); });
});
test("f", () => console.log("f"));`);
    assert.equal(stdout(), "a1\na2\nb\nd\ne\nf\n");
    assert.deepEqual(
      outcome.assertions?.map(({ name }) => name),
      ["a", "b", "c", "f", "c › d", "c › e"],
    );
  },
  "the results of tests are kept if the code of the cell fails": async (lab) => {
    const { results, error } = await failing(lab, 'test("a", () => {});\nnull.x;');
    assert.equal(error.name, "TypeError");
    assert.deepEqual(summary(results), [["a", true, 1]]);
    const both = await failing(lab, 'test("a", () => expect(1).toBe(2));\nnull.x;');
    assert.match(both.forms["text/plain"], /failed .* 2 +1 +line 1/);
    const outside = await failing(lab, 'test("a", () => {});\nexpect(1).toBe(2);');
    assert.deepEqual(summary(outside.results), [
      ["a", true, 1],
      [undefined, false, 2],
    ]);
    assert.match(outside.forms["text/plain"], /1 of 2 assertions failed/);
    assert.equal((await lab.ok("try { expect(1).toBe(2) } catch {}")).bundles().length, 0);
  },
  "a test that does not end is interrupted": async ({ run, session, ok }) => {
    const waiting = run(`test("a", () => {});
test("b", () => new Promise(() => setInterval(() => {}, 1000)));
test("c", () => {});
(globalThis as any).hasStarted = true;`);
    await until(() => Reflect.get(globalThis, "hasStarted") === true);
    session.interrupt();
    const { outcome, bundles } = await waiting;
    assert.ok(outcome.status === "error");
    assert.equal(outcome.error.name, "InterruptedError");
    assert.deepEqual(
      outcome.assertions?.map(({ passed, message }) => [passed, message]),
      [
        [true, undefined],
        [false, "The test has not ended"],
        [false, "The test has not started"],
      ],
    );
    assert.match(bundles().at(-1)?.["text/plain"] ?? "", /2 of 3 tests failed/);
    const limit = { milliseconds: 300, reason: new RangeError("over") };
    const computing = await run('test("a", () => { for (;;) {} })', { limit });
    assert.ok(computing.outcome.status === "error");
    assert.equal(computing.outcome.error.message, "over");
    await ok("1");
  },
  "a test without a function, and a test outside of a cell, are errors": async ({
    fail,
    run,
    ok,
  }) => {
    assert.match((await fail("test('a', 3 as any)")).message, /test "a": it has no function/);
    const late = await ok("setTimeout(() => test('late', () => {}), 1)");
    await until(() => late.stderr() !== "");
    assert.match(late.stderr(), /Cannot run the test "late": the code that contains it has ended/);
    const { outcome } = await run("process.exit(3); test('a', () => {})");
    assert.ok(outcome.status === "error" && outcome.error.name === "CellExit");
  },
  "a helper of another cell or file fails at the line of the cell": async (lab) => {
    writeFileSync(
      join(lab.directory, "helper.ts"),
      "export function one(x) {\n\n\n\n  expect(x).toBe(1);\n}\n",
    );
    await lab.ok("function two(x) {\n\n\n  expect(x).toBe(2);\n}");
    const { results, error } = await failing(
      lab,
      'import { one } from "./helper.ts";\ntest("file", () => one(3));\ntest("cell", () => two(3));',
    );
    assert.deepEqual(summary(results), [
      ["file", false, 2],
      ["cell", false, 3],
    ]);
    assert.match(error.message, /line 2/);
  },
  "no secret is in a result": async (lab) => {
    const secret = "hush-hush-42-hush-hush-42-hush-hush-42-hush-hush-42";
    lab.session.client.setVar("token", secret, { secret: true });
    for (const code of [
      'expect(client.getVar("token")).toBe("x")',
      'expect("x".repeat(30) + client.getVar("token")).toBe("x".repeat(30) + "other-text-43")',
      'expect({ a: { b: client.getVar("token") } }).toEqual({ a: { b: 1 } })',
      'expect([client.getVar("token")]).toContain("x")',
      'test("t", () => expect(client.getVar("token")).toMatch(/^x/))',
      'test(client.getVar("token"), () => { throw new Error(client.getVar("token")) })',
    ]) {
      const { outcome, bundles } = await lab.run(code);
      assert.ok(outcome.status === "error", code);
      const { name, message, traceback } = outcome.error;
      const shown = JSON.stringify([bundles(), name, message, traceback]);
      assert.ok(!shown.includes("hush-h"), shown);
    }
  },
  "large and hostile values are cut": async (lab) => {
    const { results, error } = await failing(
      lab,
      "const text = 'x'.repeat(50_000_000);\nexpect(text + 'a'.repeat(50_000_000)).toBe(text + 'b');",
    );
    assert.ok(error.message.length < 10_000);
    assert.ok(JSON.stringify(results).length < 20_000);
    assert.match(results[0]?.expected ?? "", /^…x+b$/);
    const many = await failing(
      lab,
      "const list = Array.from({ length: 300_000 }, (_, id) => ({ id }));\nexpect(list).toEqual([...list.slice(0, -1), { id: 'last' }]);",
    );
    assert.equal(many.results[0]?.path, "$[299999].id");
    assert.ok(JSON.stringify(many.results).length < 20_000);
    const thrown = await failing(
      lab,
      "expect({ get a(): number { throw new Error('getter') } }).toEqual({ a: 1 })",
    );
    assert.match(thrown.error.message, /getter/);
    const inside = await failing(
      lab,
      "test('g', () => expect(new Proxy({}, { get() { throw new Error('proxy') }, ownKeys() { throw new Error('proxy') } })).toBe(1))",
    );
    assert.equal(inside.results[0]?.passed, false);
    assert.match(inside.error.message, /proxy/);
  },
  "an asynchronous assertion that nothing awaits is not lost": async (lab) => {
    const wait = "const later = (value) => new Promise((end) => setTimeout(end, 5, value));\n";
    const outside = await failing(lab, `${wait}expect(later(1)).resolves.toBe(2);\n3`);
    assert.match(outside.error.message, /^expected 1 to be 2/);
    assert.equal(outside.results[0]?.location.line, 2);
    const inside = await failing(
      lab,
      `test("a", () => { expect(later(1)).resolves.toBe(1); });
test("b", () => {
  expect(later(1)).not.resolves.toBe(1);
});
test("c", async () => {
  await later(1);
  expect(later(1)).rejects.toThrow();
});`,
    );
    assert.deepEqual(summary(inside.results), [
      ["a", true, 1],
      ["b", false, 3],
      ["c", false, 7],
    ]);
    const { outcome, stderr } = await lab.ok(`test("caught", async () => {
  await expect(later(1)).resolves.toBe(2).catch(() => {});
  try { await expect(later(1)).resolves.toBe(2); } catch {}
  expect([1]).to.include(1).and.to.be.an("array").that.is.not.empty;
});`);
    assert.deepEqual(summary(outcome.assertions ?? []), [["caught", true, 1]]);
    assert.equal(stderr(), "");
  },
  "a message of the person is kept": async (lab) => {
    const { results, error } = await failing(lab, 'expect(1, "the count").toBe(2)');
    assert.match(error.message, /^the count: expected 1 to be 2/);
    assert.match(results[0]?.message ?? "", /^the count: /);
  },
  "no terminal code is in a message": async (lab) => {
    const { error, forms, results } = await failing(
      lab,
      `expect.extend({
  toBeRed() { return { pass: false, message: () => "\\u001b[31mis red\\u001b[39m" }; },
});
(expect(1) as any).toBeRed();`,
    );
    assert.equal(error.message, "is red");
    assert.equal(error.name, "AssertionError");
    assert.equal(results[0]?.message, "is red");
    assert.ok(!JSON.stringify([forms, error.traceback]).includes("[31m"));
  },
  "cells know the types of expect and of test": async ({ session, fail, ok }) => {
    assert.match((await fail("expect(1).toBee(1)")).message, /toBee/);
    assert.match((await fail("tests('a', () => {})")).message, /tests/);
    assert.match((await ok('expect(1).toBeGreaterThan("0")').catch(String)) as string, /./);
    const { candidates } = await session.complete("expect(client.last).toHave", 26);
    const names = candidates.map(({ text }) => text);
    for (const name of ["toHaveStatus", "toHaveHeader", "toHaveLength"]) {
      assert.ok(names.includes(name), name);
    }
    const { candidates: globals } = await session.complete("exp", 3);
    assert.ok(globals.some(({ text }) => text === "expect"));
    const own = await ok("const expect = 3, test = 4;\nexpect + test");
    assert.equal(own.value, 7);
    assert.equal((await ok("expect * test")).value, 12);
  },
  "the assertions of the requests that a cell sends are results of the cell": async (lab) => {
    const { ok, run } = lab;
    await ok("%demo\nGET {{base}}/users/1");
    const user = (...assertions: string[]): string =>
      `client.send(${JSON.stringify(`GET {{base}}/users/1\n${assertions.join("\n")}`)})`;
    const rows = (results: readonly AssertionResult[] = []): unknown[] =>
      results.map(({ text, passed, location }) => [text, passed, location.line]);

    const passed = await run(`\nconst sent = await ${user("?? status == 200")};\nundefined`);
    assert.deepEqual(rows(passed.outcome.assertions), [["status == 200", true, 2]]);
    assert.match(passed.bundles().at(-1)?.["text/plain"] ?? "", /1 assertion passed/);

    // The exchange that is the result shows its own.
    const shown = await run(`await ${user("?? status == 200")}`);
    assert.equal(shown.outcome.assertions?.length, 1);
    assert.deepEqual(shown.bundles(), []);
    assert.ok(shown.outcome.status === "ok");
    assert.match(shown.outcome.result?.bundle()["text/plain"] ?? "", /1 assertion passed/);

    const failed = await failing(lab, `\n\nawait ${user("?? status == 404", "?? status == 200")}`);
    assert.deepEqual(rows(failed.results), [
      ["status == 404", false, 3],
      ["status == 200", true, 3],
    ]);
    assert.match(failed.forms["text/plain"], /1 of 2 assertions failed/);

    // What the code catches is no failure of the cell.
    const caught = await run(`await ${user("?? status == 404")}.catch(() => undefined); undefined`);
    assert.equal(caught.outcome.status, "ok");
    assert.equal(caught.outcome.assertions, undefined);
  },
};
