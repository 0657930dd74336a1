import assert from "node:assert/strict";
import type { Contract } from "./lab.ts";
import { until } from "./lab.ts";

export const output: Contract = {
  "what a cell prints is its output": async ({ ok }) => {
    const { stdout, stderr } = await ok(
      "console.log('a %d', 1, { b: [2] }); console.info('i'); console.error('e'); console.warn('w')",
    );
    assert.equal(stdout(), "a 1 { b: [ 2 ] }\ni\n");
    assert.equal(stderr(), "e\nw\n");
  },
  "tables, groups, dir, counts and timers of the console work": async ({ ok }) => {
    const { stdout } = await ok(
      "console.group('g'); console.log('in'); console.groupEnd(); console.dir({ a: 1 })\n" +
        "console.count(); console.count('n'); console.time('t'); console.table([{ a: 1 }])",
    );
    assert.match(stdout(), /^g\n {2}in\n\{ a: 1 \}\ndefault: 1\nn: 1\n┌/);
    assert.match((await ok("console.timeEnd('t')")).stdout(), /^t: [\d.]+ ?ms/);
    assert.match((await ok("console.assert(Boolean(0), 'odd')")).stderr(), /odd/);
  },
  "writes to the process's streams belong to the cell, with characters whole": async ({ ok }) => {
    const { stdout, stderr } = await ok(
      "process.stdout.write('raw ')\nfor (const b of Buffer.from('ä€😀')) process.stdout.write(Buffer.of(b))\n" +
        "process.stderr.write('656565', 'hex')\nawait new Promise<void>((done) => process.stdout.write('!', () => done()))",
    );
    assert.equal(stdout(), "raw ä€😀!");
    assert.equal(stderr(), "eee");
  },
  "output after a cell has ended goes to the cell that started it": async ({ ok }) => {
    const first = await ok(
      "setTimeout(() => console.log('timer'), 30)\nnew Promise((r) => setTimeout(r, 40)).then(() => console.error('promise'))\n1",
    );
    const second = await ok("await new Promise((r) => setTimeout(r, 120))\nconsole.log('second')");
    await until(() => first.stderr() !== "");
    assert.equal(first.stdout(), "timer\n");
    assert.equal(first.stderr(), "promise\n");
    assert.equal(second.stdout(), "second\n");
  },
  "a function prints to the cell that calls it": async ({ ok }) => {
    const first = await ok("const say = () => console.log('said')");
    const second = await ok("say()");
    assert.equal(first.stdout(), "");
    assert.equal(second.stdout(), "said\n");
  },
  "nothing of restlab hangs on promises and timers, and a function has no name of its own": async ({
    ok,
  }) => {
    const { stdout } = await ok(
      "const made = Promise.resolve(1)\nconsole.log(made, { nested: [new Promise(() => 0)] })\n" +
        "const timer = setTimeout(() => 0, 1e6)\nconsole.log(timer, setImmediate(() => 0))\nclearTimeout(timer)",
    );
    assert.doesNotMatch(stdout(), /kResourceStore|async_id|secrets|owner\b/);
    const { outcome } = await ok("[made, Promise.reject(1).catch(() => 2)]");
    assert.ok(outcome.status === "ok" && outcome.result !== undefined);
    assert.doesNotMatch(outcome.result.bundle()["text/plain"], /Symbol/);
    for (const code of ["() => 1", "(function () {})", "(class {})"]) {
      assert.equal(((await ok(code)).value as { name: string }).name, "", code);
    }
    // A person's own way of being inspected still counts.
    const own = await ok(
      "const mine: any = Promise.resolve(1)\nmine[Symbol.for('nodejs.util.inspect.custom')] = () => 'MINE'\nconsole.log(mine)",
    );
    assert.equal(own.stdout(), "MINE\n");
  },
  "output of other code is not captured": async ({ session, ok }) => {
    const original = process.stdout.write;
    let seen = "";
    const sink = {
      stream: (_name: string, text: string): void => {
        // A front end that prints what it gets must not get it again.
        console.error(`(front end: ${text.trim()})`);
        seen += text;
      },
      display: (): void => undefined,
    };
    await session.execute("console.log('once')", sink);
    assert.equal(seen, "once\n");
    await ok("1");
    await session.close();
    assert.notEqual(process.stdout.write, original);
  },
  "unhandled rejections and uncaught exceptions are shown by their cell": async ({ ok }) => {
    const ended = await ok(
      "setTimeout(() => {\n  throw new Error('in a timer')\n}, 5)\nPromise.reject(new Error('unhandled'))\n1",
    );
    await until(() => ended.stderr().split("Uncaught").length > 2);
    assert.match(ended.stderr(), /Uncaught Error: unhandled\n\s+at cell 1:4:\d+/);
    assert.match(ended.stderr(), /Uncaught Error: in a timer\n\s+at .*cell 1:2:\d+/);
    assert.equal((await ok("2")).value, 2);
  },
  "a sink may receive uncaught errors": async ({ session }) => {
    const errors: string[] = [];
    let text = "";
    await session.execute("void Promise.reject(new RangeError('late'))\n1", {
      stream: (_name, piece) => {
        text += piece;
      },
      display: () => undefined,
      uncaught: ({ name, message }) => errors.push(`${name}: ${message}`),
    });
    await until(() => errors.length > 0);
    assert.deepEqual([errors, text], [["RangeError: late"], ""]);
  },
  "many lines arrive complete and in order": async ({ ok }) => {
    const { stdout } = await ok("for (let i = 0; i < 20000; i++) console.log(i)");
    assert.equal(stdout().split("\n").length, 20_001);
    assert.ok(stdout().endsWith("\n19999\n"));
  },
};
