import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, RUNTIMES, type RuntimeName, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { endWithTests } from "../support/processes.ts";
import { RUNS_ALL, RUNTIME } from "../support/runtime.ts";
import { notebook } from "./notebook.ts";

/** What a cell may start and not await: the code, what is written then, and the exit status. */
const STARTED: Readonly<Record<string, readonly [code: string, written: RegExp, status: number]>> =
  {
    "a timer": ["setTimeout(() => console.log('late'), 100); 'now'", /now\n[\s\S]*late\n/, 0],
    "a chain of timers": [
      "let n = 0; const next = () => { console.log('turn', ++n); if (n < 3) setTimeout(next, 20) }; next()",
      /turn 3\n/,
      0,
    ],
    "an interval that ends": [
      "let n = 0; const timer = setInterval(() => { if (++n === 3) { clearInterval(timer); console.log('third') } }, 10)",
      /third\n/,
      0,
    ],
    "an async function": [
      "(async () => { await new Promise((done) => setTimeout(done, 50)); console.log('done') })(); 'now'",
      /now\n[\s\S]*done\n/,
      0,
    ],
    "a request": [
      "client.send('POST {{base}}/slow').then(({ status }) => console.log('got', status)); 'sent'",
      /sent\n[\s\S]*got 200\n/,
      0,
    ],
    "a fetch": [
      "fetch(`${client.getVar('base')}/slow`).then(({ status }) => console.log('got', status)); 'sent'",
      /sent\n[\s\S]*got 200\n/,
      0,
    ],
    "a file": [
      "import { readFile } from 'node:fs/promises'\nreadFile('text.txt', 'utf8').then((text) => console.log(text)); 'now'",
      /content\n/,
      0,
    ],
    "a child process": [
      "import { execFile } from 'node:child_process'\nexecFile('sh', ['-c', 'sleep 0.1; echo child'], (_, text) => console.log(text)); 'now'",
      /child\n/,
      0,
    ],
    "a server that is closed": [
      "import { createServer } from 'node:http'\nconst server = createServer().listen(0)\nsetTimeout(() => server.close(() => console.log('closed')), 50)",
      /closed\n/,
      0,
    ],
    "an exit": ["setTimeout(() => process.exit(7), 50); setInterval(() => 0, 10)", /(?:)/, 7],
    "a rejection": ["Promise.reject(new RangeError('floating')); 'now'", /RangeError: floating/, 1],
    "a rejection later": [
      "(async () => { await new Promise((done) => setTimeout(done, 50)); throw new TypeError('floating') })(); 'now'",
      /TypeError: floating/,
      1,
    ],
    "a rejected request": [
      "client.send('GET http://127.0.0.1:2222/'); 'sent'",
      /NoResponseError[\s\S]*refused/,
      1,
    ],
    "an error in a timer": [
      "setTimeout(() => { throw new RangeError('thrown') }, 50); setInterval(() => 0, 10); 'now'",
      /RangeError: thrown/,
      1,
    ],
    "an error of another kind in a timer": ["setTimeout(() => { throw 'text' }, 50)", /text/, 1],
  };
/** What is the same code on every runtime. */
const SAME = ["a chain of timers", "an interval that ends", "a file", "a child process"];
const CASES = Object.entries(STARTED).filter(([name]) => RUNS_ALL || !SAME.includes(name));
const SECOND = "'second'";

/** At their end -e, standard input and `run` wait for what was started, as a program does. */
function describeNotAwaited(runtime: RuntimeName): void {
  describe(`what no cell awaits on ${runtime}`, () => {
    const api = createServer((_request, response) => {
      setTimeout(() => response.end("{}"), 100);
    });
    let base = "";
    let cwd = "";
    beforeAll(async () => {
      await new Promise<void>((done) => api.listen(0, "127.0.0.1", done));
      base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
      cwd = makeFolder("not-awaited");
      writeFileSync(join(cwd, "text.txt"), "content");
      for (const [name, [code]] of Object.entries(STARTED)) {
        writeFileSync(join(cwd, `${name}.ipynb`), notebook(code, SECOND));
      }
    });
    afterAll(() => void api.close());
    const run = (args: readonly string[], input = ""): Promise<Ended> =>
      restlab(runtime, args, { cwd, input });

    test.each(CASES)("%s", async (name, [code, written, status]) => {
      const variable = ["--var", `base=${base}`];
      const isError = status === 1;
      const ended: Ended[] = [];
      if (RUNS_ALL || !isError) ended.push(await run([...variable, "-e", code]));
      if (RUNS_ALL && (isError || name === "a timer")) ended.push(await run(variable, code));
      if (RUNS_ALL || isError) ended.push(await run(["run", ...variable, `${name}.ipynb`]));
      for (const one of ended) {
        expect(one.output).toMatch(written);
        expect(one.status).toBe(status);
      }
      if (!isError) return;
      // The cell that comes later has nothing to do with it.
      const { output, stderr } = ended.at(-1) as Ended;
      expect(output).toMatch(/\[1\/2\][\s\S]*1 failed/);
      expect(stderr).not.toContain("[2/2]:");
    });

    test("an error ends -e before its next entry", async () => {
      const late =
        "setTimeout(() => { throw new Error('thrown') }); await new Promise((done) => setTimeout(done, 100))";
      const { stdout, stderr, status } = await run(["-e", late, "-e", "'next'"]);
      expect([stdout, status]).toEqual(["", 1]);
      expect(stderr).toContain("thrown");
    });

    test("the demo API keeps nothing alive, and a cell that failed is not waited for", async () => {
      const demo = await run(["-e", "%demo 0\nGET {{base}}/users/1", "-e", "client.last.status"]);
      expect([demo.status, demo.stderr]).toEqual([0, ""]);
      const cells = notebook("setInterval(() => 0, 10); 1", "throw new Error('stop')");
      writeFileSync(join(cwd, "failing.ipynb"), cells);
      expect((await run(["run", "failing.ipynb"])).status).toBe(1);
      expect((await run(["-e", "setInterval(() => 0, 10); throw 1"])).status).toBe(1);
    });

    test("--timeout also limits what no cell awaits", async () => {
      writeFileSync(join(cwd, "timer.ipynb"), notebook("setInterval(() => 0, 10); 1"));
      const { status, output } = await run(["run", "--timeout", "2", "timer.ipynb"]);
      expect(output).toContain("1 cell run");
      expect(status).toBe(0);
    });

    const server =
      "import { createServer } from 'node:http'\ncreateServer().listen(0)\nconsole.log('begun')";
    const endless: Readonly<Record<string, string>> = {
      ...(RUNS_ALL && { "a server": server }),
      "an interval": "setInterval(() => 0, 10)\nconsole.log('begun')",
      "a loop in a timer": "setTimeout(() => { console.log('begun'); for (;;); })",
    };
    test.each(Object.entries(endless))("%s is waited for until Ctrl-C", async (name, code) => {
      writeFileSync(join(cwd, "endless.ipynb"), notebook(code));
      const [program, ...before] = RUNTIMES[runtime];
      for (const args of [
        ["-e", code],
        ["run", "endless.ipynb"],
      ]) {
        const child = spawn(program, [...before, ...args], { cwd });
        child.stdin.end();
        endWithTests(child);
        let text = "";
        const isWaiting = /loop/.test(name) ? /^begun$/m : /Waiting for [^\n]*; Ctrl-C ends it/;
        for (const stream of [child.stdout, child.stderr]) {
          stream.on("data", (piece) => {
            text += String(piece);
            if (isWaiting.test(text)) child.kill("SIGINT");
          });
        }
        const [status] = await once(child, "close");
        expect([status, text.match(/Waiting/g)?.length ?? 0]).toEqual([
          130,
          /loop/.test(name) ? 0 : 1,
        ]);
      }
    });
  });
}

describeNotAwaited(RUNTIME);
