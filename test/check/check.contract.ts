import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const FILES = {
  "good.http": `@base = http://127.0.0.1:9
# @name login
POST {{base}}/login
Content-Type: application/json

{"password": "{{$processEnv CHECK_PASSWORD}}", "at": {{$timestamp}}}

###
# @ref login
@token = {{login.response.body.token}}
# @prompt otp
GET {{base}}/users?otp={{otp}}&id={{$uuid}}
Authorization: Bearer {{token}}
`,
  "bad.http": `GET {{base}}/{{nobody}}

###
PSOT http://127.0.0.1:9/
`,
  "good.txt": "GET http://127.0.0.1:9/",
  "api/env.http": "POST {{host}}/{{n}}\nContent-Type: application/json\n\n< ./body.json\n",
  "api/body.json": "{}",
  "api/http-client.env.json": '{"dev": {"host": "http://127.0.0.1:9"}}',
  "names/a.http": "GET http://127.0.0.1:9/",
  "names/http-client.env.json": '{"dev": {\n"2fa": 1}}',
  "good.ipynb": notebook(
    'client.setVar("id", 7);',
    "%%http\n@base = http://127.0.0.1:9\n# @name one\nGET {{base}}/{{id}}",
    "# a heading",
    "GET {{base}}/{{one.response.body.id}}",
  ),
  "bad.ipynb": notebook("type a = 1;", "# head\nPUT http://127.0.0.1:9/{{a}}\n\n{x}"),
  "declared.ipynb": notebook(
    "GET http://127.0.0.1:9/{{late}}",
    "const y = 3, { a, b: [c] } = data;\nfunction run() {}\nlet late = y;",
    "GET http://127.0.0.1:9/{{y}}/{{a}}/{{c.name}}/{{late}}",
    "GET http://127.0.0.1:9/{{run}}/{{b}}",
  ),
  "asserted.ipynb": notebook(
    "GET http://127.0.0.1:9/",
    "# after it\n?? status == 200\n?? statsu == 200",
    "GET http://127.0.0.1:9/{{a}}",
    "?? header Authorization == Bearer Written-T0ken-3\nAuthorization: Bearer Written-T0ken-3",
  ),
  "secret/http-client.private.env.json":
    '{"dev": {"apiKey": "Sup3r-S3cret-Key", "pw": "pass/W0rd-99", "box": "ho st-S3cret"}}',
  "secret/faults.http": `@token = Written-T0ken-1
GET htp://x/{{apiKey}}?t={{pw}}&u={{token}}

###
GET http:/x/{{$processEnv CHECK_PASSWORD}}

###
GET http://{{box}}/x

###
POST http://127.0.0.1:9
Content-Type: application/json

{"a": {{apiKey}}, "b": "{{pw}}"

###
POST http://127.0.0.1:9

< ./{{apiKey}}.txt

###
GET /x/{{apiKey}}
A B: Bearer Literal-T0ken-2
`,
  "escapes.http": "GET htp://x/\u001b]0;title\u0007\nA\u001b[2J: 1\n",
  "broken.ipynb": "{",
};

/** What `restlab check` does, the same on every runtime; nothing listens on the port it names. */
function describeCheckUnder(runtime: RuntimeName): void {
  describe(`restlab check under ${runtime}`, () => {
    let folder: string;
    const check = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, ["check", ...args], { cwd: folder, env: { CHECK_PASSWORD: "hunter2" } });
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-check-"));
      for (const [name, text] of Object.entries(FILES)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test("reports faults without the secrets in them", async () => {
      for (const form of [[], ["--json"]]) {
        const { status, stdout } = await check("secret/faults.http", "--env", "dev", ...form);
        expect(status).toBe(1);
        expect(stdout).toContain("htp://x/{{apiKey}}?t={{pw}}&u=");
        expect(stdout).toContain("./{{apiKey}}.txt");
        expect(stdout).not.toMatch(/Sup3r|W0rd|S3cret|T0ken|hunter2/);
      }
    });

    test("reports control sequences without repeating them", async () => {
      const absent = "absent\u001b[2J.http";
      const { stdout, stderr } = await check("escapes.http", absent);
      expect(stdout).toContain("htp://x/␛]0;title␇");
      expect(stdout).toContain('The header name "A␛[2J"');
      expect(stderr).toContain('"absent␛[2J.http"');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
      expect(stdout + stderr).not.toMatch(/[\u001b\u0007]/);
    });

    test("finds nothing in good files, and sends nothing", async () => {
      const { status, stdout, stderr } = await check("good.http", "good.ipynb");
      expect([status, stdout, stderr]).toEqual([0, "", "No faults in 2 files\n"]);
    });

    test("writes each fault on a line with its position", async () => {
      const { status, stdout } = await check(
        "bad.http",
        "bad.ipynb",
        "--var",
        "base=http://a.test",
      );
      expect(status).toBe(1);
      expect(stdout.trimEnd().split("\n")).toEqual([
        'bad.http:1:14: Cannot resolve "{{nobody}}": there is no variable "nobody". Known here: "base"',
        'bad.http:4:1: Unknown method "PSOT". Did you mean POST?',
        expect.stringMatching(/^bad\.ipynb:cell 2:2:24: Cannot resolve "\{\{a\}\}"/),
        expect.stringMatching(/^bad\.ipynb:cell 2:4:2: The JSON body is not valid/),
      ]);
    });

    test("reads the assertions of cells without a request", async () => {
      const { status, stdout } = await check("asserted.ipynb");
      expect(status).toBe(1);
      expect(stdout.trimEnd().split("\n")).toEqual([
        expect.stringMatching(/^asserted\.ipynb:cell 2:3:4: .*"statsu"/),
        expect.stringMatching(/^asserted\.ipynb:cell 3:1:24: Cannot resolve/),
        expect.stringMatching(/^asserted\.ipynb:cell 4:2:1: .* is not an assertion/),
      ]);
      expect(stdout).not.toContain("T0ken");
    });

    test("knows the variables that TypeScript cells declare, from there on", async () => {
      const { status, stdout } = await check("declared.ipynb");
      expect(status).toBe(1);
      const places = stdout.trimEnd().split("\n");
      expect(places.map((line) => line.replace(/: there is.*/, ""))).toEqual([
        'declared.ipynb:cell 1:1:24: Cannot resolve "{{late}}"',
        'declared.ipynb:cell 4:1:24: Cannot resolve "{{run}}"',
        'declared.ipynb:cell 4:1:32: Cannot resolve "{{b}}"',
      ]);
    });

    test("says, as a run does, which name of a file no placeholder can write", async () => {
      const said = 'http-client.env.json:2: No placeholder can name the variable "2fa"';
      const { status, stderr } = await check("names/a.http", "--env", "dev");
      expect([status, stderr]).toEqual([0, expect.stringContaining(said)]);
      const run = await restlab(runtime, ["run", "--env", "dev", "names/a.http"], { cwd: folder });
      expect(run.stderr).toContain(said);
    });

    test("uses the environment and the files in the folder of a file", async () => {
      const { status, stdout } = await check("api/env.http", "--env", "dev", "--var", "n=1");
      expect([status, stdout]).toEqual([0, ""]);
      const without = await check("api/env.http", "--json");
      expect(without.status).toBe(1);
      expect(JSON.parse(without.stdout)).toEqual([
        expect.objectContaining({ file: "api/env.http", line: 1, column: 6, code: "name" }),
        expect.objectContaining({ line: 1, column: 15, severity: "error" }),
      ]);
    });

    test("checks the files that it can read, and reports the others", async () => {
      const { status, stdout, stderr } = await check(
        "nothing.http",
        "bad.ipynb",
        "good.http",
        "api/env.http",
        "--env",
        "dev",
        "--json",
      );
      expect(status).toBe(2);
      expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ file: "api/env.http" })]);
      expect(stderr).toMatch(/"nothing\.http" failed: there is no such file\n/);
      expect(stderr).toMatch(
        /Checking "bad\.ipynb" failed: Cannot use the environment "dev": none/,
      );
      expect(stderr).toMatch(
        /Checking "good\.http" failed: Cannot use the environment "dev": none/,
      );
      const { stdout: lines, stderr: told } = await check("nothing.http", "bad.ipynb");
      expect(lines).toMatch(/^bad\.ipynb:cell 2:2:/);
      expect(told).toMatch(/\n2 faults in 1 file\n$/);
    });

    test.each([
      [
        ["api/env.http", "--env", "prod"],
        'Cannot use the environment "prod": the files define dev',
      ],
      [["nothing.http"], "there is no such file"],
      [["nothing"], "there is no such file"],
      [["broken.ipynb"], "it is not JSON"],
      [["good.txt"], "does not end in .ipynb, .http"],
      [[], "No file is given"],
      [["good.http", "--nonsense"], "--nonsense"],
    ])("%j is a usage error", async (args, message) => {
      const { status, stdout, stderr } = await check(...args);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(message);
    });
  });
}

describeCheckUnder(RUNTIME);
