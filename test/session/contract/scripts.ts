import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AssertionResult, Exchange } from "../../../lib/mod.ts";
import { explore } from "../../support/explore.ts";
import type { Contract, Lab } from "./lab.ts";
import { pause } from "./lab.ts";

/** Runs a request cell with a handler, and gives the results of its assertions. */
async function results(
  { run, base }: Pick<Lab, "run" | "base">,
  script: string,
): Promise<readonly AssertionResult[]> {
  const { outcome } = await run(`POST ${base}/users?a=1\nX-A: {{$uuid}}\n\nbody\n\n${script}`);
  return outcome.assertions ?? [];
}

const passed = (all: readonly AssertionResult[]): unknown[] => all.map((one) => one.passed);

export const scripts: Contract = {
  "a handler tests the response, and a failed test fails the cell": async ({ base, run }) => {
    const text = `GET ${base}/one

> {%
  client.test("status", function () {
    client.assert(response.status === 200, "no");
  });
  client.test("path", function () {
    client.assert(response.body.path === "/two", "Path is " + response.body.path);
  });
  client.test("type", () => client.assert(response.contentType.mimeType === "application/json"));
%}
?? status == 200`;
    const { outcome, displayed } = await run(text);
    assert.ok(outcome.status === "error");
    assert.equal(outcome.error.name, "AssertionError");
    assert.match(outcome.error.message, /path failed: Path is \/one \(line 8, column 5\)/);
    assert.deepEqual(
      outcome.assertions?.map(({ text: name, passed: ok, location }) => [name, ok, location.line]),
      [
        ["status", true, 4],
        ["path", false, 8],
        ["type", true, 10],
        ["status == 200", true, 12],
      ],
    );
    const [shown] = displayed as Exchange[];
    assert.deepEqual(shown?.assertions, outcome.assertions);
  },
  "the documented objects are there": async (lab) => {
    const all = await results(
      lab,
      `> {%
  const is = (name, value) => client.test(name, () => client.assert(value, name));
  is("valueOf", response.headers.valueOf("Content-Type") === "application/json");
  is("valuesOf", response.headers.valuesOf("nothing").length === 0);
  is("missing header", response.headers.valueOf("nothing") === null);
  is("charset", response.contentType.charset === null);
  is("jsonPath", jsonPath(response.body, "$.method") === "POST");
  is("jsonPath list", jsonPath(response.body, "$..method").length === 1);
  is("jsonPath missing", jsonPath(response.body, "$.nothing") === null);
  is("method", request.method === "POST");
  is("url", request.url().endsWith("/users?a=1") && request.url.getRaw() === request.url());
  is("body", request.body() === "body" && request.body.tryGetSubstituted() === "body");
  is("headers", request.headers.all().length === 1);
  is("header", request.headers.findByName("x-a").getRawValue() === "{{$uuid}}");
  is("integer", [1, 2].includes($random.integer(1, 3)));
  is("alphabetic", /^[A-Za-z]{5}$/.test($random.alphabetic(5)));
  is("uuid", /^[0-9a-f-]{36}$/.test($random.uuid));
  is("float", typeof $random.float(1, 2) === "number");
  is("variables", request.variables.get("nothing") === null);
  is("global", client.global.get("nothing") === null && client.global.isEmpty());
  client.exit();
  is("not reached", false);
%}`,
    );
    assert.deepEqual(
      all.filter((one) => !one.passed),
      [],
    );
    assert.equal(all.length, 18);
  },
  "variables and headers that handlers set are those of the session": async ({ base, ok }) => {
    await ok(
      `GET ${base}/7\n\n> {% client.global.set("id", response.body.path.slice(1)); client.global.headers.set("X-B", "1") %}`,
    );
    const { value } = await ok(`GET ${base}/users/{{id}}`);
    const { json } = value as Exchange;
    assert.equal(explore(json).path, "/users/7");
    assert.equal(explore(json).headers["x-b"], "1");
    assert.equal((await ok("client.getVar('id')")).value, "7");
    await ok(
      `GET ${base}/7\n\n> {% client.global.clearAll(); client.global.headers.clear("X-B") %}`,
    );
    assert.equal((await ok("client.hasVar('id')")).value, false);
  },
  "a script before a request sets variables of that request only": async ({ base, ok, fail }) => {
    const text = `< {%\n  request.variables.set("term", "ada");\n%}\nGET ${base}/{{term}}\n\n?? js response.parsedBody.path == /ada`;
    const { value } = await ok(text);
    assert.equal(explore((value as Exchange).json).path, "/ada");
    assert.equal((await fail(`GET ${base}/{{term}}`)).name, "UnresolvedPlaceholderError");
    const { name, message } = await fail(`< {% throw new Error("no") %}\nGET ${base}/x`);
    assert.equal(name, "ScriptError");
    assert.match(message, /no/);
  },
  "a script in a file is run, with the positions of the file": async ({ directory, base, run }) => {
    const code = "// one\nclient.test('a', () => {\n  client.assert(false, 'no');\n});\n";
    writeFileSync(join(directory, "after.js"), code);
    const { outcome } = await run(`GET ${base}/x\n\n> ./after.js`);
    assert.deepEqual(
      outcome.assertions?.map(({ message, location }) => [message, location.file, location.line]),
      [["no", "after.js", 3]],
    );
  },
  "an expression sees the response and the variables": async ({ base, ok, run }) => {
    await ok("client.setVar('wanted', '/x')");
    const { outcome } = await ok(
      `GET ${base}/x\n?? js (response.parsedBody.path === wanted)\n?? js response.statusCode == 200\n?? js response.headers["content-type"] contains json\n?? body path.length == 2`,
    );
    assert.deepEqual(passed(outcome.assertions ?? []), [true, true, true, true]);
    const failed = await run(`GET ${base}/x\n?? js nobody.x == 1\n?? status == 200`);
    assert.deepEqual(passed(failed.outcome.assertions ?? []), [false, true]);
    assert.match(failed.outcome.assertions?.[0]?.message ?? "", /nobody/);
  },
  "what a script prints is captured, and masked": async ({ base, session, ok }) => {
    session.client.setVar("apiKey", "hush-hush-42", { secret: true });
    const text = `GET ${base}/x\n\n> {% client.log("key", client.global.get("apiKey")); console.error("e") %}`;
    const { stdout, stderr } = await ok(text);
    assert.equal(stdout(), "key {{apiKey}}\n");
    assert.equal(stderr(), "e\n");
  },
  "a script that throws, is not valid or prints megabytes fails its request only": async (lab) => {
    const { base, run, ok } = lab;
    for (const [script, message] of [
      ["\n\n  nothing.x\n", /nothing/],
      ["throw 3", /The script threw 3/],
      ["await Promise.reject(new RangeError('late'))", /late/],
      ["const a = ;", /Expression expected/],
    ] as const) {
      const { outcome } = await run(`GET ${base}/x\n\n> {% ${script} %}\n?? status == 200`);
      const [first, second] = outcome.assertions ?? [];
      assert.equal(first?.passed, false);
      assert.match(first?.message ?? "", message);
      assert.equal(second?.passed, true);
    }
    const loud = await ok(`GET ${base}/x\n\n> {% client.log("x".repeat(5_000_000)) %}`);
    assert.ok(loud.stdout().length >= 5_000_000);
  },
  "an interrupt and a limit end a script that waits or computes": async (lab) => {
    const { base, run, session, ok } = lab;
    const limit = { milliseconds: 1_500, reason: new RangeError("over") };
    for (const script of ["await new Promise(() => {})", "while (true) {}"]) {
      const { outcome } = await run(`GET ${base}/x\n\n> {% ${script} %}`, { limit });
      assert.ok(outcome.status === "error");
      assert.equal(outcome.error.message, "over");
    }
    const waiting = run(`GET ${base}/x\n\n> {% await new Promise(() => {}) %}`);
    for (let round = 0; round < 500 && session.client.pending.length > 0; round++) await pause(10);
    await pause(300);
    session.interrupt();
    const { outcome } = await waiting;
    assert.ok(outcome.status === "error");
    assert.equal(outcome.error.name, "InterruptedError");
    await ok(`GET ${base}/x\n\n?? status == 200`);
  },
  "a text that code sends runs no script": async ({ base, ok }) => {
    const code = `await client.send(\`GET ${base}/x\n\n> {% client.global.set("a", 1) %}\`); client.hasVar("a")`;
    assert.equal((await ok(code)).value, false);
    const expression = `await client.send(\`GET ${base}/x\n?? js 1 == 1\`).catch((e) => e.name)`;
    assert.equal((await ok(expression)).value, "AssertionError");
  },
};
