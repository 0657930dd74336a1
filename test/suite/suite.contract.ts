import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";
import { type CommandOptions, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const FILES = {
  "passes.http":
    "### ok\nGET {{base}}/ok\n?? status == 200\n\n### also\n# @tag smoke\nGET {{base}}/ok\n",
  "fails.http":
    "@path = ok\n\n### first\nGET {{base}}/{{path}}\n?? status == 201\n?? body == ok\n\n### second\nGET {{base}}/ok\n",
  "lost.http":
    "### lost\nGET http://127.0.0.1:9/\n\n### failed\nGET {{base}}/ok\n?? status == 404\n",
  "flaky.http": "### flaky\nGET {{base}}/flaky\n?? status == 200\n",
  "rows.http": "### by id\nGET {{base}}/echo/{{id}}\n?? body == {{id}}\n",
  "filled.http": "### user {{id}} at {{base}}\nGET {{base}}/echo/{{id}}\n?? body == {{id}}.\n",
  "named.http":
    "### named\nGET {{base}}/echo/%7B%7Bid%7D%7D\n\n> {% client.test(decodeURIComponent(response.body), () => client.assert(false)) %}\n",
  "secret.http":
    "### with a token\nGET {{base}}/echo/hush-hush-42\nAuthorization: Bearer hush-hush-42\n?? body == other\n",
  "cells.ipynb": notebook(
    "const id = 7;",
    "GET {{base}}/echo/{{id}}\n?? body == 8",
    'console.log("printed here"); throw new RangeError("too far");',
  ),
  "exits.ipynb": notebook("GET {{base}}/ok", "process.exit(9);", "GET {{base}}/never"),
  "waits.ipynb": notebook(
    'const own = client.getVar("id");\nawait new Promise((end) => setTimeout(end, 200));\nawait client.send("GET {{base}}/echo/{{id}}");\nexpect(client.last.text).toBe(own);',
  ),
  "block.http":
    "{{\n  exports.id = 7;\n}}\n\n###\nGET {{base}}/never\n\n### wanted\nGET {{base}}/echo/{{id}}\n",
  "hostile.http": "### hostile\nGET {{base}}/hostile\n?? body == ok\n",
  "asks.http": "# @prompt user\nGET {{base}}/{{user}}\n",
  "slow.http":
    "### quick\nGET {{base}}/ok\n\n### slow\nGET {{base}}/slow\n\n### never\nGET {{base}}/never\n",
  "ids.csv": "id\n007\n8\n",
  "five.csv": "id\n1\n2\n3\n4\n5\n",
  "broken.csv": "id,name\n1\n",
};

/** Commands of CI systems, and what would clear a line before them. */
const HOSTILE = "a\n::stop-commands::b\r\n##[set-env name=c]d\r##vso[task.e]f\u001b[2K\u2028::g::";

/** What `restlab test` promises, on one runtime. */
function describeSuite(runtime: RuntimeName): void {
  describe(`restlab test on ${runtime}`, () => {
    let folder = "";
    let server: Server;
    let base = "";
    /** The paths of the requests, in order. */
    let requested: string[] = [];
    /** Called for each request while `/slow` is not answered. */
    let onSlow = (_answer: () => void): void => undefined;
    let answerSlow: (() => void) | undefined;
    const at = (name: string): string => join(folder, name);
    const read = (name: string): string => readFileSync(at(name), "utf8");
    const run = (args: readonly string[], options: CommandOptions = {}) =>
      restlab(runtime, ["test", "--var", `base=${base}`, ...args], { cwd: folder, ...options });

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-test-"));
      for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
      server = createServer(({ url = "" }, response) => {
        requested.push(url);
        if (url === "/slow") answerSlow = () => response.end("ok");
        if (answerSlow !== undefined) onSlow(answerSlow);
        if (url === "/slow") return;
        const isFlaky = url === "/flaky" && requested.filter((one) => one === url).length < 3;
        response.statusCode = isFlaky ? 503 : 200;
        const ok = url === "/hostile" ? HOSTILE : "ok";
        response.end(url.startsWith("/echo/") ? url.slice(6) : ok);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      requested = [];
      answerSlow = undefined;
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("all passed is 0, and each file has a line", async () => {
      const { status, stdout, stderr } = await run(["passes.http"]);
      expect(stdout).toMatch(
        /^PASS passes\.http: 2 passed, \d+ ms\n2 passed, 1 assertion, 1 file, /,
      );
      expect([status, stderr]).toEqual([0, ""]);
    });

    test("a failed check is 1; the suite goes on, and repeats failures with file and line", async () => {
      const { status, stdout } = await run(["fails.http", "passes.http"]);
      expect(status).toBe(1);
      expect(stdout).toContain("FAIL fails.http: 1 failed, 1 passed");
      expect(stdout).toContain(
        "\nfails.http:5 first\n  │ status == 201\n  │ expected 201, found 200\n",
      );
      expect(stdout).toContain("1 failed, 3 passed, 3 assertions, 2 files");
      expect(requested).toHaveLength(4);
    });

    test("no answer is 3, also if a check failed; a missing value or file is 2", async () => {
      const lost = await run(["lost.http"]);
      expect(lost.stdout).toContain("lost.http:1 lost\n  │ NoResponseError");
      const asks = await run(["asks.http", "passes.http"]);
      expect(asks.stdout).toContain('it asks for "user"');
      expect(asks.stdout).toContain("PASS passes.http");
      const missing = await run(["passes.http", "nothing.http"]);
      expect(missing.stderr).toContain('Reading "nothing.http" failed: there is no such file');
      expect([lost.status, asks.status, missing.status]).toEqual([3, 2, 2]);
    });

    test("cells of a notebook fail with cell and line, and what they printed", async () => {
      const { status, stdout } = await run(["cells.ipynb"]);
      expect(stdout).toContain("cells.ipynb:cell 2:2 GET {{base}}/echo/{{id}}\n  │ body == 8");
      expect(stdout).toMatch(/cells\.ipynb:cell 3:1 .*\n {2}│ RangeError: too far/);
      expect(stdout).toContain("  Printed:\n  │ printed here\n");
      expect(status).toBe(1);
    });

    test("names, patterns, tags and lines select, and variables of other requests are set", async () => {
      await run(["block.http:9"]);
      // Scripts that belong to no request are run as well, as the variables of other cells are set.
      expect(requested).toEqual(["/echo/7"]);
      requested = [];
      await run(["fails.http:4"]);
      expect(requested).toEqual(["/ok"]);
      const tagged = await run([".", "--tag", "smoke"]);
      expect(tagged.stdout).toMatch(/^PASS passes\.http: 1 passed/);
      const named = await run([".", "--name", "first", "--name", "second", "--grep", "^SEC"]);
      expect(named.stdout).toMatch(/^PASS fails\.http: 1 passed/);
      const none = await run([".", "--name", "secnod"]);
      expect(none.stderr).toContain('none matches --name "secnod"; did you mean "second"');
      expect(none.status).toBe(2);
    });

    test("--bail ends the suite at the first failure", async () => {
      const { status, stdout } = await run(["--bail", "fails.http", "passes.http"]);
      expect(stdout).toContain("SKIP passes.http: 0 passed, 2 not run");
      expect([status, requested]).toEqual([1, ["/ok"]]);
    });

    test("--retry repeats what fails, and says so", async () => {
      const flaky = await run(["--retry", "2", "flaky.http", "--report", "json=flaky.json"]);
      expect(flaky.stdout).toContain("PASS flaky.http: 1 passed, 1 flaky");
      expect(flaky.stdout).toContain(
        "flaky.http:1 flaky: flaky, passed on attempt 3; status == 200",
      );
      const [result] = JSON.parse(read("flaky.json")).results.tests;
      expect(result).toMatchObject({ status: "passed", flaky: true, retries: 2 });
      requested = [];
      const failed = await run(["--retry", "1", "flaky.http"]);
      expect([flaky.status, failed.status, requested.length]).toEqual([0, 1, 2]);
    });

    test("--data runs each row with its columns as variables", async () => {
      const { status, stdout } = await run(["--data", "ids.csv", "rows.http"]);
      expect(stdout).toContain("PASS rows.http [row 2]: 1 passed");
      expect([status, requested]).toEqual([0, ["/echo/007", "/echo/8"]]);
      requested = [];
      const filled = await run([
        "--data",
        "ids.csv",
        "filled.http",
        "--report",
        "junit=filled.xml",
      ]);
      expect(filled.stdout).toContain(
        "filled.http:3 user 007 at {{base}} [row 1]\n  │ body == 007.\n",
      );
      expect(read("filled.xml")).toContain('name="user 8 at {{base}}"');
      // What a response says is no template.
      const named = await run(["--data", "ids.csv", "named.http"]);
      expect(named.stdout).toContain("  │ {{id}}\n");
      requested = [];
      const broken = await run(["--data", "broken.csv", "rows.http"]);
      expect(broken.stderr).toContain('Reading "broken.csv" failed: row 1 has 1 fields');
      expect([broken.status, requested]).toEqual([2, []]);
    });

    test("--parallel runs files at the same time, and prints them in order", async () => {
      onSlow = (answer) => {
        if (requested.filter((url) => url !== "/slow").length >= 6) answer();
      };
      const files = ["slow.http", "fails.http", "passes.http", "cells.ipynb"];
      const given = ["--parallel", "4", ...files, "--report", "tap"];
      const { status, stdout, stderr } = await run(given);
      const lines = stderr.match(/^\w{4} \S+(?=:.*ms$)/gm) ?? [];
      expect(lines.map((line) => line.slice(5))).toEqual(files);
      expect(stdout).toMatch(/^TAP version 14\nok 1 - slow\.http: quick\nok 2[\s\S]*\n1\.\.9\n$/);
      expect(status).toBe(1);
    });

    test("--timeout ends a request that is not answered", async () => {
      onSlow = () => undefined;
      const { status, stdout } = await run(["slow.http:4", "--timeout", "1"]);
      expect(stdout).toContain("slow.http:4 slow\n  │ ");
      expect(stdout).toContain("--timeout sets the limit");
      expect(status).toBe(3);
    });

    test("shards share the files", async () => {
      const lines: string[] = [];
      for (const shard of ["1/2", "2/2"]) {
        const { stdout } = await run([
          "--shard",
          shard,
          "rows.http",
          "passes.http",
          "--var",
          "id=1",
        ]);
        lines.push(...(stdout.match(/^PASS \S+(?=:)/gm) ?? []));
      }
      expect(lines).toEqual(["PASS passes.http", "PASS rows.http"]);
    });

    test("no report contains a secret", async () => {
      const formats = ["junit", "json", "html", "tap", "github"];
      const reports = formats.flatMap((format) => ["--report", `${format}=secret.${format}`]);
      const { status, stdout } = await run(["secret.http", ...reports]);
      const texts = [stdout, ...formats.map((format) => read(`secret.${format}`))];
      expect(texts.filter((text) => !text.includes("with a token"))).toEqual([]);
      expect(texts.filter((text) => text.includes("hush-hush"))).toEqual([]);
      expect(status).toBe(1);
    });

    test("no answer begins a line of the output", async () => {
      const { stdout } = await run(["hostile.http", "--report", "github=hostile.txt"]);
      expect(stdout).toContain(
        "\n  │ expected ok, found a␊::stop-commands::b␍␊#‹U+0023›[set-env name=c]d␍#‹U+0023›vso[task.e]f␛[2K‹U+2028›::g::\n",
      );
      const toStdout = await run(["hostile.http", "--report", "junit"]);
      for (const text of [stdout, toStdout.stdout, read("hostile.txt")]) {
        expect(text).toContain("stop-commands");
        expect(text.split(/[\n\r\u2028]/).filter((line) => /^\s*(?:::[^e]|##)/.test(line))).toEqual(
          [],
        );
        expect(text).not.toContain("\u001b");
      }
    });

    test("a report that cannot be written is an error before anything is sent", async () => {
      const { status, stderr } = await run(["passes.http", "--report", "junit=missing/a.xml"]);
      expect(stderr).toBe(
        'restlab: Writing the report "missing/a.xml" failed: its folder does not exist\n',
      );
      expect([status, requested]).toEqual([2, []]);
    });

    test("process.exit ends the suite with its status, and reports have what ran", async () => {
      const { status } = await run(["exits.ipynb", "passes.http", "--report", "json=exits.json"]);
      const { results } = JSON.parse(read("exits.json"));
      expect(results.summary).toMatchObject({ tests: 4, passed: 1, extra: { notRun: 3 } });
      expect([status, requested]).toEqual([9, ["/ok"]]);
    });

    test("files that run at the same time have their own client, also after they have waited", async () => {
      const given = ["waits.ipynb", "--data", "five.csv", "--parallel", "5"];
      const { status, stdout } = await run(given);
      expect(stdout).toContain("5 passed");
      expect([status, requested.toSorted()]).toEqual([
        0,
        [1, 2, 3, 4, 5].map((id) => `/echo/${id}`),
      ]);
    });

    test("Ctrl-C ends files that run at the same time, and all reports have what ran", async () => {
      let kill = (_signal: NodeJS.Signals): void => undefined;
      onSlow = () => {
        if (requested.filter((url) => url === "/slow").length === 4) kill("SIGINT");
      };
      const given = ["slow.http", "--data", "five.csv", "--parallel", "4"];
      const reports = ["--report", "json=ended.json", "--report", "junit=ended.xml"];
      const { status } = await run([...given, ...reports], {
        onStart: (end) => {
          kill = end;
        },
      });
      const { summary } = JSON.parse(read("ended.json")).results;
      expect(summary).toMatchObject({ passed: 4, failed: 4, suites: 5, extra: { notRun: 7 } });
      expect(read("ended.xml").match(/<(?:error|skipped) /g)).toHaveLength(11);
      expect([status, requested.includes("/never")]).toEqual([130, false]);
    });

    test.each([
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const)("reports have what ran until %s", async (signal, expected) => {
      let kill = (_signal: NodeJS.Signals): void => undefined;
      onSlow = () => kill(signal);
      const { status, stdout } = await run(["slow.http", "--report", "tap=slow.tap"], {
        onStart: (end) => {
          kill = end;
        },
      });
      expect(read("slow.tap")).toMatch(
        /^TAP version 14\nok 1 - slow\.http: quick\nnot ok 2[\s\S]*\nok 3 - slow\.http: never # SKIP[\s\S]*\nBail out! 1 not run\n1\.\.3\n$/,
      );
      expect(stdout).toContain("1 not run");
      expect([status, requested]).toEqual([expected, ["/ok", "/slow"]]);
    });
  });
}

describeSuite(RUNTIME);
