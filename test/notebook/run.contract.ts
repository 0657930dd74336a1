import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { checkNotebook } from "./check-notebook.ts";
import { notebook } from "./notebook.ts";

const FILES = {
  "users.http": "@limit = 2\nGET {{base}}/users?limit={{limit}}\n\n###\nGET {{base}}/status/404\n",
  "typo.http": "GET {{base}}/users/1\n\n###\n# a remark\nGTE {{base}}/users\n",
  "missing.http": "GET {{base}}/users/{{nobody}}\n\n###\nGET {{base}}/users/1\n",
  "vars.http": "GET {{base}}/echo?text={{text}}&n={{page.limit}}\n",
  "order.ipynb": notebook(
    "const seen: number[] = [];",
    "await new Promise((done) => setTimeout(done, 30)); seen.push(1);",
    "seen.push(2);",
    'console.log("seen", seen.join());\nconsole.error("to stderr");\nseen.length',
  ),
  "fails.ipynb": notebook('console.log("one");', 'throw new RangeError("too far");', '"three"'),
  "tests.ipynb": notebook(
    'const user = { name: "Ada", tags: ["a"] };',
    'test("name", () => expect(user).toEqual({ name: "Ben", tags: ["a"] }));\ntest("tags", () => expect(user.tags).toContain("a"));',
    '"not run"',
  ),
  "types.ipynb": notebook("const count: number = 1;\nconst text: string = count;"),
  "strict.ipynb": notebook("%strict on", "const count: number = 1;\nconst text: string = count;"),
  "mixed.ipynb": notebook(
    'client.setVar("page", { limit: 1 });',
    "GET {{base}}/users?limit={{page.limit}}",
    "client.last.json[0].name",
  ),
  "keeps.ipynb": notebook(
    'await client.save("keep.json"); await client.download("GET {{base}}/users/1", "keep.bin", { replace: true }); client.last.status',
  ),
  "endless.ipynb": notebook("await new Promise(() => {});"),
  "loop.ipynb": notebook('console.log("started", 1); while (true) {}', 'console.log("next", 2)'),
  "exit.ipynb": notebook('console.log("before"); process.exit(3);', 'console.log("after")'),
  "large.ipynb": notebook(
    'for (let i = 0; i < 20000; i++) console.log("line " + i + "x".repeat(80));',
  ),
  "prints.ipynb": notebook(
    'console.log("first"); const much = "ä".repeat(3_000_000); console.log(much); console.error(much); console.log("last");',
    "throw new Error(much);",
  ),
  "broken.ipynb": "{ not json",
  "old.ipynb": '{"nbformat": 3, "worksheets": []}',
  "python.ipynb":
    '{"nbformat":4,"nbformat_minor":5,"metadata":{"kernelspec":{"language":"python"}},"cells":[]}',
  "empty.ipynb": "\n",
  "long.ipynb": notebook(`// ${"x".repeat(5_000_000)}\n"end" + 1`),
  "notes.txt": "GET http://127.0.0.1/",
};

/** What `restlab run` promises, on one runtime. */
function describeRun(runtime: RuntimeName): void {
  describe(`restlab run on ${runtime}`, () => {
    let folder = "";
    const at = (name: string): string => join(folder, name);
    const run = (...args: readonly string[]) => restlab(runtime, ["run", ...args], { cwd: folder });

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-run-"));
      for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
      mkdirSync(at("without"));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("shows each answer of a .http file, and a 404 is not a failure", async () => {
      const { status, stdout } = await run("--demo", "users.http");
      expect(stdout).toContain("200 OK · Successful");
      expect(stdout).toContain("Ada Lovelace");
      expect(stdout).toContain("404 Not Found · Client error");
      expect(status).toBe(0);
    });

    test("runs the cells of a notebook strictly one after the other", async () => {
      const { status, stdout, stderr } = await run("order.ipynb");
      expect(stdout).toContain("seen 1,2");
      expect(stderr).toContain("to stderr");
      expect(status).toBe(0);
    });

    test("one session carries variables from TypeScript to requests and back", async () => {
      const { stdout } = await run("--demo", "mixed.ipynb");
      expect(stdout).toMatch(/\/users\?limit=1[\s\S]*Ada Lovelace$/m);
    });

    test("a cell that throws ends the run with its error and exit status 1", async () => {
      const { status, stdout, stderr } = await run("fails.ipynb");
      expect(stdout).toContain("one");
      expect(stderr).toContain("RangeError: too far");
      expect(stderr).not.toMatch(/tslab|node:internal|kernel\/session|chunks\//);
      expect(stdout).not.toContain("three\n");
      expect(status).toBe(1);
    });

    test("--output writes a valid notebook with the outputs, of a failed run as well", async () => {
      await run("--demo", "--output", "out.ipynb", "mixed.ipynb");
      const written = checkNotebook(readFileSync(at("out.ipynb"), "utf8"));
      expect(written.map(({ execution_count }) => execution_count)).toEqual([1, 2, 3]);
      expect(JSON.stringify(written[1]?.outputs)).toContain("text/html");
      await run("--output", "failed.ipynb", "fails.ipynb");
      const failed = checkNotebook(readFileSync(at("failed.ipynb"), "utf8"));
      expect(failed[1]?.outputs).toMatchObject([{ output_type: "error", ename: "RangeError" }]);
      expect(failed[2]?.execution_count).toBeNull();
    });

    test("files that are replaced keep their mode", async () => {
      const names = ["keep.out.ipynb", "keep.json", "keep.bin"];
      for (const name of names) writeFileSync(at(name), "private", { mode: 0o600 });
      const { status } = await run("--demo", "--output", "keep.out.ipynb", "keeps.ipynb");
      expect(status).toBe(0);
      for (const name of names) {
        expect(readFileSync(at(name), "utf8")).not.toBe("private");
        expect([name, statSync(at(name)).mode & 0o777]).toEqual([name, 0o600]);
      }
    });

    test("--timeout ends a cell that waits forever", async () => {
      const { status, stderr } = await run("--timeout", "0.5", "endless.ipynb");
      expect(stderr).toContain("0.5 s");
      expect(status).toBe(1);
    });

    // Deno hears no signal while it computes.
    const testLoops = runtime === "deno" ? undefined : test;
    testLoops?.("Ctrl-C in a computing cell ends the run, not that cell alone", async () => {
      let isSent = false;
      const { status, stdout } = await restlab(runtime, ["run", "--keep-going", "loop.ipynb"], {
        cwd: folder,
        onOutput: (text, kill) => {
          if (isSent || !text.includes("started 1")) return;
          isSent = true;
          setTimeout(() => kill("SIGINT"), 300);
        },
      });
      expect(stdout).not.toContain("next 2");
      expect(status).toBe(130);
    });

    test("the beginning and the end of megabytes of printed text are saved", async () => {
      const { status, stdout } = await run("--output", "printed.ipynb", "prints.ipynb");
      expect(status).toBe(1);
      expect(stdout.length).toBeGreaterThan(3_000_000);
      const text = readFileSync(at("printed.ipynb"), "utf8");
      const [prints, fails] = checkNotebook(text);
      for (const cell of [prints, fails])
        expect(Buffer.byteLength(JSON.stringify(cell))).toBeLessThan(256_000);
      const printed = prints?.outputs?.flatMap((it) => it["text"] ?? []).join("") ?? "";
      expect(printed).toMatch(/^first\nä+\n… 59\d{5} characters printed here were dropped/);
      expect(printed).toMatch(/ä\nlast\n$/);
      expect(JSON.stringify(fails?.outputs)).toContain("ä…");
    });

    test("process.exit() in a cell ends the run with its status, outputs saved", async () => {
      const { status, stdout } = await run("--output", "left.ipynb", "exit.ipynb");
      expect(stdout).toContain("before");
      expect(stdout).not.toContain("after");
      expect(status).toBe(3);
      expect(readFileSync(at("left.ipynb"), "utf8")).toContain("before");
    });

    test("a pipe gets all output before the process ends", async () => {
      const { stdout } = await restlab(runtime, ["run", "large.ipynb"], {
        cwd: folder,
        readAfter: 1500,
      });
      expect(stdout).toContain("line 19999");
      expect(stdout.match(/^line \d+x{80}$/gm)).toHaveLength(20_000);
    });

    test("a full disk behind standard output ends the run with one line", async () => {
      const { status, stderr } = await restlab(runtime, ["run", "order.ipynb"], {
        cwd: folder,
        stdout: "/dev/full",
      });
      expect(stderr).toBe("restlab: Writing to standard output failed: there is no space left\n");
      expect(status).toBe(2);
    });

    test("--help and --version answer on standard output", async () => {
      const help = await restlab(runtime, ["run", "--help"]);
      const version = await restlab(runtime, ["--version"]);
      expect(help).toMatchObject({ status: 0, stderr: "" });
      expect(help.stdout).toContain("--keep-going");
      expect(help.stdout).toContain("130 Ctrl-C, 143 SIGTERM");
      expect(version).toMatchObject({ status: 0, stdout: "2.3.0\n", stderr: "" });
    });

    // No runtime decides what follows.
    if (runtime !== "node") return;

    test("stops at an invalid request and names the line of the file", async () => {
      const { status, stdout, stderr } = await run("--demo", "typo.http");
      expect(stdout).toContain("200 OK");
      expect(stderr).toContain("line 5, column 1");
      expect(stderr).toContain("Did you mean GET?");
      expect(status).toBe(1);
    });

    test("sends nothing for an unknown name and goes on only with --keep-going", async () => {
      const stopped = await run("--demo", "missing.http");
      expect(stopped.stdout).not.toContain("200 OK");
      expect(stopped.stderr).toContain("nobody");
      expect(stopped.stderr).toContain("1 not run");
      const kept = await run("--demo", "--keep-going", "missing.http");
      expect(kept.stdout).toContain("200 OK");
      expect([stopped.status, kept.status]).toEqual([1, 1]);
    });

    test("--var sets JSON values as JSON and anything else as text", async () => {
      const { stdout } = await run(
        ...["--demo", "--var", "text=a=b", "--var", 'page={"limit":3}', "vars.http"],
      );
      expect(stdout).toContain("/echo?text=a=b&n=3");
    });

    test("a test that fails ends the run with its results and exit status 1", async () => {
      const { status, stdout, stderr } = await run("--output", "tested.ipynb", "tests.ipynb");
      expect(stdout).toContain("1 of 2 tests failed");
      expect(stdout).not.toContain("not run");
      expect(stderr).toContain("AssertionError");
      expect(stderr).toContain("failed: expected Ben, found Ada; at $.name");
      expect(status).toBe(1);
      const cells = checkNotebook(readFileSync(at("tested.ipynb"), "utf8"));
      const [shown, error] = cells[1]?.outputs ?? [];
      expect(Object.keys(shown?.data ?? {}).sort()).toEqual([
        "text/html",
        "text/markdown",
        "text/plain",
      ]);
      expect(error).toMatchObject({ output_type: "error", ename: "AssertionError" });
    });

    test("a type error has its line and column, marks the position, and fails the run with %strict on", async () => {
      for (const [name, expected] of Object.entries({ types: 0, strict: 1 })) {
        const { status, stderr } = await run(`${name}.ipynb`);
        expect(stderr).toContain("Type 'number' is not assignable to type 'string'");
        expect(stderr).toContain("2 │ const text: string = count;");
        expect(status).toBe(expected);
      }
    });

    test("--output is checked before anything is sent", async () => {
      for (const [output, files, reason] of [
        ["nowhere/out.ipynb", ["users.http"], "its folder does not exist"],
        ["mixed.ipynb", ["users.http", "vars.http"], "its folder is a file"],
        [".", ["users.http"], "it is a folder"],
        ["users.http", ["users.http"], "a file of requests"],
        ["out.json", ["users.http"], "write a name that ends in .ipynb"],
        ["out", ["users.http"], "write a name that ends in .ipynb"],
        ["-", ["users.http", "vars.http"], "need a folder"],
        ["out.ipynb", ["users.http", "--record", "users.http"], "would replace a file that"],
        ["out.ipynb", ["users.http", "--record", "./out.ipynb"], "would replace a file that"],
      ] as const) {
        const { status, stdout, stderr } = await run("--demo", "--output", output, ...files);
        expect(stderr).toContain(reason);
        expect([status, stdout]).toEqual([2, ""]);
      }
    });

    test("--output of a .http file is a notebook of request cells", async () => {
      await run("--demo", "--output", "users.ipynb", "users.http");
      const written = checkNotebook(readFileSync(at("users.ipynb"), "utf8"));
      expect(written.map(({ source }) => source.join("").includes("GET {{base}}"))).toEqual([
        true,
        true,
      ]);
    });

    test.each([
      ["nothing.http", "there is no such file"],
      ["notes.txt", "does not end in .ipynb, .http"],
      ["broken.ipynb", "it is not JSON"],
      ["old.ipynb", "its nbformat is 3"],
      ["python.ipynb", "its language is python"],
      ["empty.ipynb", "it is empty"],
      ["without", "it is a folder without .ipynb"],
    ])("cannot read %s: says so, runs nothing, exit status 2", async (name, message) => {
      const { status, stdout, stderr } = await run("users.http", name);
      expect(stderr).toContain(message);
      expect(stdout).toBe("");
      expect(status).toBe(2);
    });

    test("names every file that it cannot read at once", async () => {
      const { status, stderr } = await run("nothing.http", "users.http", "old.ipynb", "notes.txt");
      expect(stderr.match(/^restlab: Reading .*$/gm)).toHaveLength(3);
      expect(stderr.split("\n")).toHaveLength(4);
      expect(status).toBe(2);
    });

    test("a line of megabytes is shortened in the source above the output", async () => {
      const { status, stdout } = await run("long.ipynb");
      expect(stdout).toContain("x … 4999003 more characters\n");
      expect(stdout).toContain("end1");
      expect(stdout.length).toBeLessThan(10_000);
      expect(status).toBe(0);
    });

    test("--json writes each result as one line, and --check-status the worst status as exit status", async () => {
      const { status, stdout } = await run("--demo", "--json", "--check-status", "users.http");
      const lines = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines.map((result) => result.status)).toEqual([200, 404]);
      expect(lines[0].json[0].name).toBe("Ada Lovelace");
      const notebook = await run("--json", "order.ipynb");
      expect([status, notebook.stdout]).toEqual([4, "1\n2\nseen 1,2\n2\n"]);
      const both = await run("--json", "--brief", "users.http");
      expect(both.stderr).toContain("Only one of --json and --brief can be given");
      const failed = await run("--demo", "--json", "--check-status", "missing.http");
      expect([failed.status, failed.stdout]).toEqual([1, ""]);
    });

    test("process.exit is no failure of its cell", async () => {
      const { status, stderr } = await run("exit.ipynb");
      expect(stderr).toBe("exit.ipynb: 1 cell run, 1 not run\n");
      expect(status).toBe(3);
    });

    test("--brief says which cell failed, and of which file", async () => {
      const { stdout, stderr } = await run("--demo", "-b", "-k", "typo.http", "missing.http");
      expect(stderr).toMatch(/^typo\.http \[2\/\d\]:\nRequestSyntaxError/m);
      expect(stderr).toMatch(/^missing\.http \[1\/\d\]:\nUnresolvedPlaceholderError/m);
      expect(stdout).not.toContain("[");
    });

    test.each([
      [["run"], "No file is given"],
      [["run", "--var", "users.http"], '--var "users.http" has no value'],
      [["run", "--var", "=1", "users.http"], '--var "=1" has no name'],
      [["run", "--wrong"], "Unknown option --wrong"],
      [["run", "--var", "x", "users.http"], "--var name=value"],
      [["run", "--var", "a.b=1", "users.http"], "a.b"],
      [["run", "--timeout", "soon", "users.http"], "give seconds"],
      [["run", "--timeout", "-1", "users.http"], '--timeout "-1" is not a time: give seconds'],
      [["run", "--timeout=", "users.http"], '--timeout "" is not a time: give seconds'],
      [["run", "--timeout"], "Option --timeout has no value"],
      [["run", "--env", "-x", "users.http"], "write one that begins with a dash as --env=VALUE"],
      [["run", "--demo=1", "users.http"], "Option --demo takes no value"],
      [["run", "--keepgoing", "users.http"], "did you mean --keep-going?"],
      [["rnu"], 'did you mean "run"?'],
      [["users.http"], 'write "restlab run users.http"'],
    ])("%j is a usage error: exit status 2", async (args, message) => {
      const { status, stdout, stderr } = await restlab(runtime, args, { cwd: folder });
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/^restlab: .*\n(?:Try .*\n)?$/);
      expect(stdout).toBe("");
      expect(status).toBe(2);
    });
  });
}

describeRun(RUNTIME);
