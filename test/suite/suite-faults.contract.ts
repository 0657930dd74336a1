import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";
import { type CommandOptions, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const TESTING = join(import.meta.dirname, "../../notebooks/08-testing.ipynb");
const NEXT = "\n\n### next\nGET {{base}}/users/1\n?? status == 200\n";

const FILES = {
  "loops.http": `### loops\nGET {{base}}/users/1\n\n> {% while (true) {} %}${NEXT}`,
  // V8 never answers the first of these, and JavaScriptCore never the second.
  "nested.http": `### nested\nGET {{base}}/echo?name=${"a".repeat(60)}!\n?? body query.name matches ^(a+)+$${NEXT}`,
  "flat.http": `### flat\nGET {{base}}/echo?name=${"a".repeat(2_000)}\n?? body query.name not matches ^${"a*".repeat(9)}b$${NEXT}`,
  "unselected.http": `{{\nfor (;;) {}\n}}${NEXT}`,
  "throws.http": `### throws\nGET {{base}}/users/1\n\n> {% null.name %}${NEXT}`,
  "prints.http": `### prints\nGET {{base}}/users/1\n\n> {% client.log("x".repeat(5_000_000)); client.test("no", () => { throw new Error("y".repeat(5_000_000)) }) %}${NEXT}`,
  "syntax.http": `### syntax\nGTE {{base}}/users/1${NEXT}`,
  "late.ipynb": notebook(
    "const id = 1;",
    "GET {{base}}/users/{{id}}\n?? status == 200",
    'setTimeout(() => { throw new Error("too late"); }, 1); await new Promise((done) => setTimeout(done, 50));',
  ),
  "endless.ipynb": notebook(
    "await client.send('GET {{base}}/users/1');",
    "while (true) {}",
    '"after"',
  ),
  "foreign.http": "### foreign\nGET {{base}}/users/1\n\n> ./handler.ts\n",
  "loopp.http": "### loopp\n# @loopp for 3\nGET {{base}}/users/1\n",
  "empty.http": "",
  "comment.http": "# nothing\n@id = 1\n",
  "broken.har": '{"log": {"entries": 3}}',
  "broken.ipynb": "{ not json",
  "watched.http": "### watched\nGET {{base}}/users/{{id}}\n?? status == 200\n",
};

/** What `restlab test` does with files at fault, on one runtime. */
function describeSuiteFaults(runtime: RuntimeName): void {
  describe(`faults in restlab test on ${runtime}`, () => {
    let folder = "";
    const at = (name: string): string => join(folder, name);
    const run = (args: readonly string[], options: CommandOptions = {}) =>
      restlab(runtime, ["test", "--demo", ...args], { cwd: folder, ...options });

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-test-faults-"));
      for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test.each([
      ["loops.http", ["--timeout", "2"], "loops.http:1 loops\n  │ TimeoutError"],
      [
        "nested.http",
        ["--timeout", "4"],
        "nested.http:3 nested\n  │ body query.name matches ^(a+)+$",
      ],
      [
        "flat.http",
        [],
        "  │ Matching was ended after 1.0 s: the regular expression backtracks too much",
      ],
      ["throws.http", [], "throws.http:4 throws\n  │ "],
      ["syntax.http", [], "syntax.http:2 syntax\n  │ RequestSyntaxError"],
    ])("%s: the case fails, and the next one is run", async (file, options, expected) => {
      const { status, stdout } = await run([file, ...options]);
      expect(stdout).toContain(`FAIL ${file}: 1 failed, 1 passed`);
      expect(stdout).toContain(expected);
      // A script that loops has got a response.
      expect(status).toBe(1);
    });

    test("--timeout ends a loop of a cell that is not selected, which only sets variables", async () => {
      const { status, stdout } = await run(["unselected.http", "-n", "next", "--timeout", "2"]);
      expect([status, stdout]).toEqual([
        0,
        expect.stringContaining("PASS unselected.http: 1 passed"),
      ]);
    });

    test("--timeout ends a loop while other files run", async () => {
      const files = ["endless.ipynb", "syntax.http", "throws.http"];
      const { stdout } = await run(["--parallel", "3", "--timeout", "5", ...files]);
      expect(stdout).toContain("FAIL endless.ipynb: 1 failed, 1 passed");
      expect(stdout).toMatch(/endless\.ipynb:cell 2:1 .*\n {2}│ TimeoutError/);
      // Meanwhile the others wait, and may reach their limits as well.
      expect(stdout.match(/^FAIL \S+(?=:)/gm)).toEqual(files.map((file) => `FAIL ${file}`));
    });

    test("megabytes of text are cut in all reports", async () => {
      const formats = ["junit", "json", "html", "tap", "github"];
      const reports = formats.flatMap((format) => ["--report", `${format}=long.${format}`]);
      const { status, stdout } = await run(["prints.http", ...reports]);
      const lengths = formats.map((format) => readFileSync(at(`long.${format}`)).length);
      expect(lengths.filter((length) => length > 200_000)).toEqual([]);
      expect(stdout.length).toBeLessThan(50_000);
      expect(stdout).toContain("FAIL prints.http: 1 failed, 1 passed");
      expect(status).toBe(1);
    });

    test("a script that is not run is a warning of its case", async () => {
      const { status, stdout } = await run(["foreign.http"]);
      expect(stdout).toContain(
        'foreign.http:1 foreign: warning: Not run: "> ./handler.ts": script files in TypeScript are not supported',
      );
      expect(status).toBe(0);
    });

    test("an annotation that is misspelt is a warning, as of run", async () => {
      const warning = '"# @loopp" is unknown. Did you mean "# @loop"?';
      const { status, stdout } = await run(["loopp.http"]);
      expect(stdout).toContain(`loopp.http:1 loopp: warning: ${warning}`);
      const shown = await restlab(runtime, ["run", "--demo", "loopp.http"], { cwd: folder });
      expect(shown.stdout).toContain(`\nWarning: ${warning}\n`);
      expect([status, shown.status]).toEqual([0, 0]);
    });

    test("an error after the end of its cell is its failure", async () => {
      const { status, stdout } = await run(["late.ipynb"]);
      expect(stdout).toMatch(/late\.ipynb:cell 3:1 .*\n {2}│ Error: too late/);
      expect(status).toBe(1);
    });

    test.each([
      [["throws.http", "--replay", "broken.har"], "broken.har"],
      [["throws.http", "broken.ipynb"], 'Reading notebook "broken.ipynb" failed: it is not JSON'],
      [
        ["throws.http", "--report", "xunit=a.xml"],
        "the formats are junit, json, html, tap, github",
      ],
      [["throws.http", "--report", "junit="], "write --report junit=FILE"],
      [["throws.http", "--report", "tap=a.tap,xunit=a.xml"], '--report "xunit=a.xml" is unknown'],
      [["throws.http", "--report", "tap,json"], "written to standard output"],
      [["throws.http", "--report", "tap", "--report", "json"], "written to standard output"],
      [["throws.http", "--report", "tap=all.out", "--report", "json=./all.out"], 'to "./all.out"'],
      [["throws.http", "--shard", "3/2"], '--shard "3/2" is not a part'],
      [["throws.http", "--retry", "-1"], '--retry "-1" is not a number from 0 to 100'],
      [["throws.http", "--parallel", "0"], '--parallel "0" is not a number from 1 to 100'],
      [["throws.http", "--grep", "("], '--grep "(" is not a regular expression'],
      [["throws.http", "--report", "json=throws.http"], "--report json would replace a file that"],
      [["throws.http", "--record", "./throws.http"], "--record would replace a file that"],
      [
        ["throws.http", "--record", "a.har", "--report", "json=./a.har"],
        "--report json would replace the file of --record",
      ],
      [["no*.http"], 'Reading "no*.http" failed: no .ipynb, .http or .rest file matches it'],
      [["throws.http", "--replay", "no.har"], 'Cannot read "no.har": there is no such file'],
      [["throws.http", "--record", "no/a.har"], 'no/a.har": its folder does not exist'],
      [["throws.http", "--data", "missing.csv"], 'Reading "missing.csv" failed'],
      [[], "No file is given"],
      [["nothing"], 'Reading "nothing" failed: there is no such file'],
    ])("%j is a usage error", async (args, message) => {
      const { status, stdout, stderr } = await run(args);
      expect(stderr).toContain(message);
      expect([status, stdout]).toEqual([2, ""]);
    });

    test.each(["empty.http", "comment.http"])(
      "%s: nothing was tested, which is no success",
      async (file) => {
        const { status, stderr } = await run([file]);
        expect([status, stderr]).toEqual([
          2,
          "restlab: Nothing was tested: no request was sent, and nothing was checked; --pass-with-no-tests accepts that\n",
        ]);
        expect((await run([file, "watched.http", "--var", "id=1"])).status).toBe(0);
        // The other part may have all of them.
        expect((await run([file, "--shard", "2/2"])).status).toBe(0);
      },
    );

    test("--watch runs again when a file or an environment file changes", async () => {
      const runs: string[] = [];
      const changes = [
        () => writeFileSync(at("http-client.env.json"), '{"$shared": {"id": 2}}'),
        () => writeFileSync(at("watched.http"), FILES["watched.http"].replace("200", "404")),
        (kill: (signal: NodeJS.Signals) => void) => kill("SIGINT"),
      ];
      const given = ["watched.http", "--watch", "--report", "tap=watched.tap"];
      const { status, stderr } = await run(given, {
        onOutput: (text, kill) => {
          const ended = text.match(/^\d.* 1 file, .*\n/gm) ?? [];
          for (; runs.length < ended.length; runs.push(ended[runs.length] ?? "")) {
            // The watcher waits as soon as the summary is written.
            changes[runs.length]?.(kill);
          }
        },
      });
      expect(runs.map((line) => line.slice(0, 8))).toEqual(["1 failed", "1 passed", "1 failed"]);
      expect(stderr).toContain("Waiting for changes; Ctrl-C ends\n");
      const report = readFileSync(at("watched.tap"), "utf8");
      expect(report).toMatch(/^TAP version 14\nnot ok 1 [^#]*\n {2}\.\.\.\n1\.\.1\n$/);
      expect(status).toBe(130);
    });

    test("the notebook about testing passes, whole and by its tag", async () => {
      const whole = await run([TESTING]);
      expect(whole.stdout).toContain("8 passed, 16 assertions");
      const smoke = await run([TESTING, "--tag", "smoke"]);
      expect(smoke.stdout).toContain("2 passed, 8 assertions");
      expect([whole.status, smoke.status]).toEqual([0, 0]);
    });
  });
}

describeSuiteFaults(RUNTIME);
