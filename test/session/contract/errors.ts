import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Contract, until } from "./lab.ts";

const OWN = /node_modules|tslab|kernel\/session|restlab-cell|node:|ext:|evalmachine|\/lib\//;

export const errors: Contract = {
  "a stack names cells and lines of the source": async ({ run, ok }) => {
    await ok("// first");
    await ok(
      "interface Gone { x: 1 }\nfunction deep(n: number) {\n\n  throw new TypeError('n ' + n)\n}",
    );
    const { outcome } = await run("type AlsoGone = 1\n\ndeep(1)");
    assert.ok(outcome.status === "error");
    assert.equal(outcome.error.name, "TypeError");
    assert.equal(outcome.error.message, "n 1");
    const trace = outcome.error.traceback.join("\n");
    assert.match(trace, /at deep \(cell 2:4:\d+\)\n\s+at cell 3:3:\d+$/);
    assert.doesNotMatch(trace, OWN);
  },
  "a stack has the right lines after an await and in a method": async ({ ok, fail }) => {
    await ok(
      "class Lab {\n  async work() {\n    await 0\n    throw new Error('in method')\n  }\n}",
    );
    const { trace } = await fail("\n\nawait new Lab().work()");
    assert.match(trace, /cell 1:4:\d+/);
    assert.doesNotMatch(trace, OWN);
  },
  "a front end may name a cell": async ({ run }) => {
    const { outcome } = await run("throw new Error('x')", { name: "In [7]" });
    assert.ok(outcome.status === "error");
    assert.match(outcome.error.traceback.join("\n"), /In \[7\]:1:\d+/);
  },
  "a stack names the lines of local files": async ({ directory, ok, fail }) => {
    const text =
      "interface A { a: 1 }\n\nexport function broken(): never {\n  throw new Error('local')\n}\n";
    writeFileSync(join(directory, "broken.ts"), text);
    await ok("import { broken } from './broken.ts'");
    const { trace } = await fail("broken()");
    assert.match(trace, /broken\.ts:4:\d+\)\n\s+at cell 2:1:\d+$/);
  },
  "a stack names the lines of files in a folder with spaces and parentheses": async (lab) => {
    const folder = join(lab.directory, "my (own) files");
    mkdirSync(folder);
    const text =
      "interface A { a: 1 }\n\nexport const broken = () => { throw new Error('local') }\n";
    writeFileSync(join(folder, "broken.ts"), text);
    const { trace } = await lab.fail(
      "import { broken } from './my (own) files/broken.ts'\nbroken()",
    );
    assert.ok(trace.includes(`(${join(folder, "broken.ts")}:3:`), trace);
  },
  "lines of a message that look like frames are shown once": async ({ fail }) => {
    const { trace } = await fail("throw new Error('no user ada@example.com\\n  at home')");
    assert.match(trace, /^Error: no user ada@example\.com\n {2}at home\n\s+at cell 1:1:\d+$/);
  },
  "causes are shown with their own stacks": async ({ fail }) => {
    const { trace } = await fail("throw new Error('outer',\n { cause: new RangeError('inner') })");
    assert.match(trace, /Error: outer\n\s+at cell 1:1/);
    assert.match(trace, /RangeError: inner\n\s+at cell 1:2/);
  },
  "a thrown value that is not an error is shown": async ({ fail }) => {
    const cases = { "'x'": "'x'", undefined: "undefined", null: "null", "{ a: 1 }": "{ a: 1 }" };
    for (const [code, message] of Object.entries(cases)) {
      const error = await fail(`throw ${code}`);
      assert.equal(error.name, "Thrown");
      assert.equal(error.message, message);
      assert.equal(error.trace, `Thrown: ${message}`);
    }
  },
  "errors with getters that throw are shown as well": async ({ fail, ok }) => {
    await fail("throw Object.freeze(new Error('frozen'))");
    await fail("const e = new Error('no stack'); delete e.stack; throw e");
    await fail("const c: any = new Error('circle'); c.cause = c; throw c");
    await fail("throw Object.create(null)");
    await fail("throw new Proxy({}, { get() { throw new Error('trap') } })");
    assert.equal((await ok("1")).value, 1);
  },
  "what is thrown is shown, whatever it does": async ({ fail, ok }) => {
    const setUp =
      "const revoked = (() => { const one = Proxy.revocable({}, {}); one.revoke(); return one.proxy })();" +
      "const boom = { get() { throw new Error('boom') } };" +
      "const thrower = { toString() { throw new Error('boom') } };" +
      "const change = (properties: object): any => Object.assign(new Error('x'), properties);" +
      "const define = (name: string): any => Object.defineProperty(new Error('x'), name, boom)";
    const cases: Readonly<Record<string, RegExp>> = {
      revoked: /^Thrown: <Revoked Proxy>$/,
      "new Proxy({ a: 1 }, { getPrototypeOf() { throw 1 } })": /^Thrown: \{ a: 1 \}$/,
      "define('name')": /^\[Thrown: boom\]: x/,
      "define('message')": /^Error: \[Thrown: boom\]/,
      "define('stack')": /^Error: x$/,
      "define('cause')": /^Error: x/,
      "change({ name: { a: 1 } })": /x/,
      "change({ name: thrower, message: thrower })": /toString/,
      "change({ message: Symbol('s') })": /Symbol\(s\)/,
      "change({ stack: thrower })": /^Error: x$/,
      "change({ cause: revoked })": /Caused by\nThrown: <Revoked Proxy>$/,
      "new AggregateError([revoked, 1], 'both')":
        /Thrown: <Revoked Proxy>\nTogether with\nThrown: 1$/,
      "change({ code: 'E_ONE', get late() { return 1 } })": /code +E_ONE\nlate +1/,
      "Object.defineProperty(define('stack'), 'late', { ...boom, enumerable: true })":
        /late +\[Getter\]/,
    };
    for (const [code, trace] of Object.entries(cases)) {
      const error = await fail(`${setUp}; throw ${code}`);
      assert.match(error.trace, trace, code);
      assert.doesNotMatch(error.trace, OWN, code);
    }
    const { stderr } = await ok(
      `${setUp}; setTimeout(() => { throw revoked }); void Promise.reject(revoked)`,
    );
    await until(() => stderr().match(/<Revoked Proxy>/g)?.length === 2);
  },
  "a stack that a cell reads or prints has the lines of the cell, and no frame but its own":
    async ({ ok }) => {
      const make = "function make() {\n  return new TypeError('seen')\n}\n";
      const frames = /^ +at make \(cell \d+:2:\d+\)\n +at cell \d+:4:\d+\n? *$/;
      const cases: Readonly<Record<string, RegExp>> = {
        "console.log(make().stack)": frames,
        "console.log({ inside: make() })": frames,
        "display(make())": frames,
        "display({ inside: make() })": frames,
        "console.trace('seen')": /^ +at cell \d+:4:\d+\n$/,
        "const held: any = {}; Error.captureStackTrace(held); console.log(held.stack)":
          /^ +at cell \d+:4:\d+\n$/,
        "try { JSON.parse('seen') } catch (e: any) { console.log(e.stack) }":
          /^ +at cell \d+:4:\d+\n$/,
        "try { client.render('GET {{seen}}') } catch (e: any) { console.log(e.stack) }":
          /^ +at cell \d+:4:\d+\n$/,
        "await (async () => { await 1; throw new Error('seen') })().catch((e) => console.log(e.stack))":
          /^ +at cell \d+:4:\d+\n( +at cell \d+:4:\d+\n)?$/,
      };
      for (const [code, expected] of Object.entries(cases)) {
        const { stdout, stderr, bundles } = await ok(make + code);
        const shown = bundles().map((bundle) => bundle["text/plain"]);
        const lines = [stdout(), stderr(), ...shown].join("").split(/(?<=\n)/);
        // Those of the bundle of this test, which is no folder of restlab.
        const traced = lines.filter((line) => /^ +at (?!.*restlab-bundle)/.test(line));
        assert.match(traced.join(""), expected, code);
        assert.match(lines.join(""), /seen|captureStackTrace|Error/, code);
      }
    },
  "an error that is printed names the lines of its cell": async ({ ok }) => {
    const { stdout } = await ok("\nconst e = new Error('seen')\nconsole.log(e)");
    assert.match(stdout(), /cell 1:2:\d+/);
    assert.doesNotMatch(stdout(), OWN);
  },
  "an error that is a result names the lines of its cell": async ({ ok }) => {
    const { outcome } = await ok("\nconst f = new Error('seen')\nf");
    assert.ok(outcome.status === "ok");
    const text = JSON.stringify(outcome.result?.bundle());
    assert.match(text, /cell 1:2:\d+/);
    assert.doesNotMatch(text, OWN);
  },
  "JSON.stringify of a bigint says what to do": async ({ fail, session }) => {
    session.client.setVar("large", 2n ** 60n);
    const { name, trace } = await fail("JSON.stringify(client.getVar('large'))");
    assert.equal(name, "TypeError");
    assert.match(trace, /use exchange\.text/);
  },
  "a missing module says what to install, or suggests a name": async (lab) => {
    const { directory, fail } = lab;
    writeFileSync(join(directory, "helper.ts"), "export const a = 1");
    const cases = {
      "no-such-package/part": `run "npm install no-such-package" in ${directory} (TS2307)`,
      "@no-such/package/part": 'run "npm install @no-such/package" in',
      "./hepler.ts": 'did you mean "./helper.ts"? (TS2307)',
      "node:fss": 'did you mean "node:fs"?',
      "npm:no-such-package@5": 'write "no-such-package"',
      "https://example.test/x.ts": "cells import packages of node_modules",
    };
    for (const [module, words] of Object.entries(cases)) {
      for (const cell of [`import x from "${module}"\nx`, `import "${module}"`]) {
        const { name, message } = await fail(`client.setVar("ran", true)\n${cell}`);
        assert.equal(name, "TypeScriptError");
        assert.ok(message.startsWith("2:") && message.includes(words), message);
      }
      assert.ok(!lab.session.client.hasVar("ran"));
    }
  },
  "later cells work after an error": async ({ ok, fail }) => {
    await fail("throw new Error('one')");
    await fail("(function recurse(): void { recurse() })()");
    assert.equal((await ok("'fine'")).value, "fine");
  },
};
