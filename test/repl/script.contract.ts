import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import { type CommandOptions, RUNTIMES, type RuntimeName, restlab } from "../support/command.ts";
import { endWithTests } from "../support/processes.ts";
import { RUNTIME } from "../support/runtime.ts";

/** Starts restlab with pipes. */
function start(runtime: RuntimeName, args: readonly string[]): ChildProcessWithoutNullStreams {
  const [file, ...before] = RUNTIMES[runtime];
  const child = spawn(file, [...before, ...args], { env: { ...process.env, NO_COLOR: "1" } });
  endWithTests(child);
  return child;
}

const BEGUN = "console.log('begun')";

/** Ctrl-C as soon as something came out. */
const interrupt: CommandOptions["onOutput"] = (_text, kill) => kill("SIGINT");

/** What `restlab -e` and standard input promise, on one runtime. */
function describeScript(runtime: RuntimeName): void {
  describe(`restlab for scripts on ${runtime}`, () => {
    let demo: Awaited<ReturnType<typeof startDemo>>;
    beforeAll(async () => {
      demo = await startDemo({ port: 0 });
    });
    afterAll(() => demo.close());
    const run = (args: readonly string[], options?: CommandOptions) =>
      restlab(runtime, ["--var", `base=${demo.url}`, ...args], options);

    test("-e shows an answer without reading standard input", async () => {
      const args = ["--var", `base=${demo.url}`, "-e", "GET {{base}}/users?limit=1"];
      // An open pipe that nothing is written to.
      const child = start(runtime, args);
      const [stdout, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      expect(stdout).toContain("200 OK · Successful");
      expect(stdout).toContain("Ada Lovelace");
      expect([status, stderr]).toEqual([0, ""]);
    });

    test("several texts run in one session, TypeScript among them", async () => {
      const { stdout, status } = await run([
        ...["-q", "-e", "GET {{base}}/users/1"],
        ...["-e", "console.log(client.last.json.name, client.getVar('page').limit)"],
        ...["--var", 'page={"limit": 3}'],
      ]);
      expect(stdout).toBe("Ada Lovelace 3\n");
      expect(status).toBe(0);
    });

    test("standard input is a request, or TypeScript", async () => {
      const request = await run(["--body"], { input: "GET {{base}}/users/2\n" });
      expect(JSON.parse(request.stdout)).toMatchObject({ id: 2, name: "Alan Turing" });
      const code = await run([], { input: "const a = 20;\na + 1\n" });
      expect(code.stdout).toBe("21\n");
    });

    const MIXED = `const id = 2
// the second user
GET {{base}}/users/{{id}}
Accept: application/json

client.last.json.name

###
POST {{base}}/echo

{
  "name": "x"
}
client.last.status
[1, 2]
  .at(-1)`;
    test("a stream is run as it comes, and slow input is waited for", async () => {
      const child = start(runtime, ["--var", `base=${demo.url}`, "--body"]);
      let out = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        out += text;
      });
      child.stdin.write("console.log('first')\n");
      await expect.poll(() => out).toBe("first\n");
      child.stdin.write("GET {{base}}/users/1\nAccept: */*\n\n");
      await expect.poll(() => out).toContain("Ada Lovelace");
      child.stdin.end("client.last.status");
      await once(child, "close");
      expect(out).toMatch(/200\n$/);
    });

    test("a header that comes after its request was sent is said to be late", async () => {
      const child = start(runtime, ["--var", `base=${demo.url}`, "--body"]);
      const ended = text(child.stderr);
      child.stdin.write("GET {{base}}/users/1\n");
      await once(child.stdout, "data");
      child.stdin.end("Accept: text/csv\n");
      expect(await ended).toMatch(
        /^"Accept: text\/csv" looks like a header, but the request above has been sent: .*\nEntry 2 \(line 2\) failed\n$/,
      );
    });

    test.each(["", "  \n\n"])("standard input with %j does nothing", async (input) => {
      const { status, stdout, stderr } = await run([], { input });
      expect([status, stdout, stderr]).toEqual([0, "", ""]);
    });

    test("standard input that sends nothing is waited for, and a note says so", async () => {
      const child = start(runtime, []);
      const [note] = (await once(child.stderr.setEncoding("utf8"), "data")) as [string];
      expect(note).toContain("Waiting for standard input");
      child.stdin.end("1 + 1");
      const [out] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
      expect(out).toBe("2\n");
    });

    test("standard input that is not text is an error", async () => {
      const { status, stderr } = await run([], { input: new Uint8Array([0xff, 0xfe, 0, 1, 2]) });
      expect(stderr).toContain("not UTF-8");
      expect(status).toBe(2);
    });

    test("--body writes the bytes unchanged", async () => {
      const bytes = await buffer(start(runtime, ["--body", "GET", `${demo.url}/image.png`]).stdout);
      const direct = new Uint8Array(await (await fetch(`${demo.url}/image.png`)).arrayBuffer());
      expect(new Uint8Array(bytes)).toEqual(direct);
    });

    test("--demo starts an API for the text", async () => {
      const [flags, request] = [["--demo", "--body"], "GET {{base}}/users/1"];
      const { status, stdout } = await restlab(runtime, [...flags, "-e", request]);
      expect([status, JSON.parse(stdout).name]).toEqual([0, "Ada Lovelace"]);
    });

    const WAIT = "await new Promise((done) => setTimeout(done, 1e6))";
    const COMPUTE = "{ const end = performance.now() + 60; while (performance.now() < end); }";
    test.each([
      ["in the script", `${BEGUN}; while (true) {}`],
      ["in the script or near its end", `${BEGUN}; ${COMPUTE} ${WAIT}`],
      ["at the script's end", `${BEGUN}; ${WAIT}`],
    ])("Ctrl-C %s ends it at once with status 130", async (_place, text) => {
      const { status, stdout } = await run(["-e", text], { onOutput: interrupt });
      expect([status, stdout]).toEqual([130, "begun\n"]);
    });

    test("Ctrl-C ends a text from standard input", async () => {
      const input = `${BEGUN}; while (true) {}`;
      const ended = await run([], { input, onOutput: interrupt });
      expect([ended.status, ended.stdout]).toEqual([130, "begun\n"]);
    });

    test("process.exit in a text is the exit status", async () => {
      const { status, stdout } = await run(["-e", "console.log('x'); process.exit(9)"]);
      expect([status, stdout]).toEqual([9, "x\n"]);
    });

    // No runtime decides what follows.
    if (runtime !== "node") return;

    test("-e fails if an assertion does, with their number on standard output", async () => {
      const text = "GET {{base}}/users/1\n?? status == 404\n?? body name contains Ada";
      const shown = await run(["-e", text]);
      expect(shown.stdout).toContain("1 of 2 assertions failed");
      expect(shown.stderr).toContain("status == 404 failed: expected 404, found 200");
      const json = await run(["--json", "-e", text]);
      expect(JSON.parse(json.stdout).assertions).toMatchObject([
        { text: "status == 404", passed: false, expected: "404", actual: "200" },
        { text: "body name contains Ada", passed: true },
      ]);
      expect([shown.status, json.status]).toEqual([1, 1]);
    });

    test("-e with TypeScript fails if an assertion or a test does", async () => {
      const shown = await run(["-e", "expect({ id: 1 }).toEqual({ id: 2 })"]);
      expect(shown.stdout).toContain("1 of 1 assertion failed");
      expect(shown.stderr).toMatch(
        /AssertionError: expected .* to deeply equal .*\nexpected 2, found 1; at \$\.id\n\s+at cell 1:1:/,
      );
      const json = await run(["--json", "-e", 'test("a", () => expect(1).toBe(2))']);
      expect(JSON.parse(json.stdout).assertions).toMatchObject([
        { name: "a", passed: false, expected: "2", actual: "1", location: { line: 1 } },
      ]);
      expect([shown.status, json.status]).toEqual([1, 1]);
      const request = "GET {{base}}/users/1";
      const both = await run(["-e", request, "-e", "expect(client.last).toHaveStatus(200)"]);
      expect([both.stderr, both.status]).toEqual(["", 0]);
    });

    test("what a text displays is written in its best form", async () => {
      const spec =
        '{ title: "Roles", mark: "bar", data: { values: [{ role: "admin", count: 2 }] } }';
      const { stdout, stderr } = await run([
        ...["-e", 'display.html("<table><tr><th>a<th>b<tr><td>1<td>2</table>")'],
        ...["-e", `display({ "application/vnd.vegalite.v5+json": ${spec} })`],
        ...[
          "-e",
          '({ async [Symbol.for("Jupyter.display")]() { return { "text/markdown": "**m**" } } })',
        ],
        ...["-e", "display.json([1])"],
        ...["-e", "[1, 2, 3, 4, 5, 6, 7]"],
      ]);
      expect(stderr).toBe("");
      expect(stdout).toBe(
        "a  b\n1  2\n" +
          'Vega-Lite chart "Roles", bar of data\nrole   count\n─────  ─────\nadmin      2\n1 row\n' +
          "**m**\n[\n  1\n]\n[ 1, 2, 3, 4, 5, 6, 7 ]\n",
      );
    });

    test("entries of a text run one after another, TypeScript and requests mixed", async () => {
      for (const given of [await run([], { input: MIXED }), await run(["-e", MIXED])]) {
        expect([given.status, given.stderr]).toEqual([0, ""]);
        expect(given.stdout).toMatch(/^[\s\S]*Alan Turing\n[\s\S]*200\n2\n$/);
      }
    });

    test("what fails says which entry it is, with the line of the text", async () => {
      const input = `${MIXED}\n\nGET {{base}}/{{nobody}}\nconsole.log("not run")`;
      const { status, stdout, stderr } = await run([], { input });
      expect(stderr).toContain("18 │ GET {{base}}/{{nobody}}");
      expect(stderr).toMatch(/\nEntry 7 \(line 18\) failed\n$/);
      expect([status, stdout.includes("not run")]).toEqual([1, false]);
      const far = `${"\n".repeat(20_000)}throw new Error("far")\nGET {{base}}/{{nobody}}`;
      const late = await run([], { input: far });
      expect(late.stderr).toMatch(/:20001[\s\S]*\nEntry 1 \(line 20001\) failed\n$/);
      const args = ["-e", "1", "-e", "\n2\nthrow new Error('no')"];
      expect((await run(args)).stderr).toMatch(/:3[\s\S]*\nEntry 3 \(-e 2, line 3\) failed\n$/);
      expect((await run(["-e", "throw 1"])).stderr).not.toContain("Entry");
    });

    test("--headers writes the status and headers, --json one line per result", async () => {
      const headers = await run(["--headers", "-e", "GET {{base}}/users/1"]);
      expect(headers.stdout).toMatch(/^200 OK\n(?:[\w-]+: .*\n)+$/);
      expect(headers.stdout).toContain("content-type: application/json");
      const json = await run([
        "--json",
        "-e",
        "GET {{base}}/users/1",
        "-e",
        "[1, 12345678901234567890n]",
      ]);
      const [exchange = "", value] = json.stdout.trimEnd().split("\n");
      expect(JSON.parse(exchange)).toMatchObject({ status: 200, json: { id: 1 } });
      expect(value).toBe("[1,12345678901234567890]");
    });

    test.each([
      [["GET {{base}}/status/404"], [], 0],
      [["GET {{base}}/status/304"], ["--check-status"], 3],
      [["GET {{base}}/status/404"], ["--check-status"], 4],
      [["GET {{base}}/status/503"], ["--check-status"], 5],
      [["GET {{base}}/users/1"], ["--check-status"], 0],
      [["GET {{base}}/status/503", "GET {{base}}/users/1"], ["--check-status"], 5],
      [["curl -f {{base}}/status/404"], [], 22],
      [["curl -sSf {{base}}/users/1"], [], 0],
      // More than the history keeps.
      [["GET {{base}}/status/503", "# @loop for 101\nGET {{base}}/users/1"], ["--check-status"], 5],
      [["GET http://127.0.0.1:1/"], [], 1],
      [["throw new Error('no')"], [], 1],
      [["GET {{nobody}}/x"], [], 1],
    ])("%j with %j ends with status %i", async (texts, options, expected) => {
      const { status, stderr } = await run([...options, ...texts.flatMap((text) => ["-e", text])]);
      expect(status).toBe(expected);
      expect(stderr === "").toBe(![1, 22].includes(expected));
    });

    test("stops at the first text that fails", async () => {
      const { stdout } = await run([
        "-e",
        "console.log(1)",
        "-e",
        "throw 1",
        "-e",
        "console.log(2)",
      ]);
      expect(stdout).toBe("1\n");
    });

    test("missing values of prompts are listed together, and nothing is sent", async () => {
      const { status, stdout, stderr } = await run([
        ...["-e", "# @prompt otp Code\nGET {{base}}/echo?a={{$input Name}}&b={{otp}}"],
      ]);
      expect(stderr).toMatch(/"otp"/);
      expect(stderr).toMatch(/"Name"/);
      expect(stderr).toContain("--var NAME=VALUE");
      expect([status, stdout]).toEqual([1, ""]);
    });

    test("JSON is a value, and a placeholder alone shows its value", async () => {
      const values = ["--var", 'user={"id": 7}', "--var", "password=hunter2-secret"];
      const entries = ['{"a": [1]}', "{{user.id}}", "{{ user }}", "{{password}}"];
      const { stdout } = await run([...values, ...entries.flatMap((entry) => ["-e", entry])]);
      expect(stdout).toBe("{ a: [ 1 ] }\n7\n{ id: 7 }\n•••\n");
      const { stderr, status } = await restlab(runtime, ["-e", "{{base}}"]);
      expect(stderr).toMatch(/1 │ \{\{base\}\}\n.*\n.*there is no variable "base"\n/);
      expect(stderr).toMatch(/"@base = https:.*" or --var base=URL; %demo starts an API/);
      expect(status).toBe(1);
    });

    test("commands of the prompt are rejected with a reason", async () => {
      const { status, stderr } = await run(["-e", ".vars"]);
      expect(stderr).toMatch(/^"\.vars" is a command of the prompt: .*TypeScript\n$/);
      expect(status).toBe(1);
      expect((await run([], { input: ".5 + 1" })).stdout).toBe("1.5\n");
    });

    test.each([
      [["--jsn"], "Unknown option --jsn: did you mean --json?"],
      [["--json", "--body", "-e", "1"], "Only one of --json and --body"],
      [["-e"], "has no value"],
      [["--var", "a.b=1", "-e", "1"], "a.b"],
      [["--timeout", "soon", "-e", "1"], "give seconds"],
    ])("%j is a usage error", async (args, message) => {
      const { status, stderr, stdout } = await restlab(runtime, args);
      expect(stderr).toContain(message);
      expect([status, stdout]).toEqual([2, ""]);
    });
  });
}

describeScript(RUNTIME);
