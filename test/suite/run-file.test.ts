import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunFileOptions, runFile } from "../../kernel/run/library.ts";
import { notebook } from "../notebook/notebook.ts";
import { restlab } from "../support/command.ts";

const SECRET = "hush-hush-42";
const FILES: Readonly<Record<string, string>> = {
  "users.http": `@limit = 2

### login
# @name login
GET {{base}}/echo/token-7
?? status == 200

### list
# @name list
# @tag smoke
GET {{base}}/echo/{{limit}}
?? body == {{limit}}

### show
# @name show
# @ref login
GET {{base}}/echo/{{login.response.body}}
?? body startsWith token
`,
  "fails.http": `### secret
GET {{base}}/echo/${SECRET}
Authorization: Bearer ${SECRET}
?? status == 201
?? body == other

### later
GET {{base}}/echo/1
?? body == 1
`,
  "sets.http": `### sets
GET {{base}}/echo/12

> {% client.global.set("id", Number(response.body) + 1); console.log("id is set"); client.test("is a number", () => client.assert(true)); %}

### uses
GET {{base}}/echo/{{id}}
?? body == 13
`,
  "nested/imports.http": `import ./shared.http

### with an environment and a body
# @forceRef shared
POST {{base}}/echo
X-Stage: {{stage}}

< ./body.txt

?? body == from a file, {{shared.response.body}}
`,
  "nested/shared.http": "### shared\n# @name shared\nGET {{base}}/echo/{{stage}}\n",
  "nested/body.txt": "from a file, test",
  "nested/http-client.env.json": '{"test": {"stage": "test"}, "live": {"stage": "live"}}',
  "cells.ipynb": notebook(
    "const id = 7;",
    "GET {{base}}/echo/{{id}}\n?? body == 8",
    'console.log("printed", client.getVar("id")); throw new RangeError("too far");',
    'test("of a cell", () => expect(client.last.text).toBe("7"));',
  ),
  "skips.http":
    "### off\n# @disabled\nGET {{base}}/echo/1\n\n### on\n# @loop for item of []\nGET {{base}}/echo/2\n\n### sent\nGET {{base}}/echo/3\n",
  "lost.http": "### lost\nGET http://127.0.0.1:9/\n",
  "fault.http": "### fault\nGET {{base}}/echo/{{nothing}}\n?? status == 200\n",
  "rows.http": "### by id {{id}}\nGET {{base}}/echo/{{id}}\n?? body == {{id}}\n",
  "rows.csv": "id\n007\n8\n",
  "flaky.http": "### flaky\nGET {{base}}/flaky\n?? status == 200\n",
  "empty.http": "@only = 1\n",
  "broken.ipynb": "{",
  "asks.http": "# @prompt user\nGET {{base}}/{{user}}\n",
  "exits.ipynb": notebook("GET {{base}}/echo/1", "process.exit(9);", "GET {{base}}/never"),
  "slow.http": "### slow\nGET {{base}}/slow\n\n### never\nGET {{base}}/never\n",
  "late.ipynb": notebook(
    'client.setVar("me", {{json me}}); await new Promise((end) => setTimeout(end, 50));'.replace(
      "{{json me}}",
      'client.getVar("who")',
    ),
    'await client.send("GET {{base}}/echo/{{me}}");',
  ),
  "uncaught.ipynb": notebook(
    'void Promise.reject(new RangeError("nobody awaits it"));\nawait client.send("GET {{base}}/echo/1");',
  ),
};

let folder = "";
let server: Server;
let base = "";
let onSlow = (): void => undefined;
let flaky = 0;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "restlab-run-file-"));
  mkdirSync(at("nested"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
  server = createServer(async (request, response) => {
    const { url = "", method } = request;
    response.sendDate = false;
    if (url === "/slow") {
      onSlow();
      return;
    }
    let body = "";
    for await (const chunk of request) body += String(chunk);
    if (url === "/flaky") {
      flaky += 1;
      response.statusCode = flaky % 2 === 1 ? 503 : 200;
    }
    response.end(method === "POST" ? body : url.replace("/echo/", ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (name: string, { vars, ...options }: RunFileOptions = {}) =>
  runFile(at(name), { ...options, vars: { base, ...vars } });

/** A report without what differs from run to run: times, and the paths of stacks. */
function comparable(report: unknown): unknown {
  const text = JSON.stringify(report, (key, value: unknown) =>
    ["timestamp", "start", "stop", "duration"].includes(key) ? 0 : value,
  );
  return JSON.parse(text.replace(/"duration","passed":[^}]*|\d+(?:\.\d+)? ms/g, "TIME"));
}

const CASES: readonly (readonly [title: string, name: string, RunFileOptions, args: string[]])[] = [
  ["all of a file", "users.http", {}, []],
  ["a name, and what it refers to", "users.http", { names: ["show"] }, ["--name", "show"]],
  ["names", "users.http", { names: ["list", "login"] }, ["--name", "list", "--name", "login"]],
  ["a tag", "users.http", { tags: ["smoke"] }, ["--tag", "smoke"]],
  ["a pattern", "users.http", { grep: [/^L/giu] }, ["--grep", "^L"]],
  ["a variable", "users.http", { vars: { limit: 5 } }, ["--var", "limit=5"]],
  ["failed assertions", "fails.http", {}, []],
  ["the first failure", "fails.http", { bail: true }, ["--bail"]],
  ["a script that sets a variable", "sets.http", {}, []],
  ["imports, files, an environment", "nested/imports.http", { env: "test" }, ["--env", "test"]],
  ["another environment", "nested/imports.http", { env: "live" }, ["--env", "live"]],
  ["a notebook", "cells.ipynb", {}, []],
  ["requests that are not sent", "skips.http", {}, []],
  ["no response", "lost.http", {}, []],
  ["a fault", "fault.http", {}, []],
  ["rows of a file", "rows.http", { data: "rows.csv" }, ["--data", "rows.csv"]],
  ["another attempt", "flaky.http", { retry: 1 }, ["--retry", "1"]],
  ["nothing", "empty.http", {}, []],
  ["nothing, on purpose", "empty.http", { passWithNoTests: true }, ["--pass-with-no-tests"]],
  ["an error that nothing awaits", "uncaught.ipynb", {}, []],
  ["the end of the process", "exits.ipynb", {}, []],
  ["generated values", "users.http", { seed: "s", now: new Date(0) }, ["--seed", "s"]],
];

test.each(CASES)("%s has the results of the command", async (_title, name, options, args) => {
  const data = typeof options.data === "string" ? { data: at(options.data) } : {};
  const result = await run(name, { ...options, ...data });
  const command = ["test", "--var", `base=${base}`, at(name), ...args, "--report", "json"];
  const { stdout, status } = await restlab("node", command, { cwd: folder });
  expect(comparable(result)).toEqual(comparable(JSON.parse(stdout)));
  expect([result.exitStatus, result.ok]).toEqual([status, status === 0]);
});

describe("a result", () => {
  test("has the requests, assertions and errors themselves, and masks what it shows", async () => {
    const result = await run("fails.http");
    const [secret, later] = result.tests;
    expect(result.requests.map(({ status }) => status)).toEqual([200, 200]);
    expect(secret?.requests[0]?.request.headers).toContainEqual([
      "Authorization",
      `Bearer ${SECRET}`,
    ]);
    expect(secret?.errors).toMatchObject([{ name: "AssertionError" }]);
    expect([later?.errors, result.errors.length]).toEqual([[], 1]);
    expect(result.assertions.map(({ passed }) => passed)).toEqual([false, false, true]);
    const { inspect } = await import("node:util");
    for (const shown of [JSON.stringify(result), JSON.stringify(result.tests), inspect(result)])
      expect(shown).not.toContain(SECRET);
  });

  test("has what scripts print, and nothing is written to the streams of the program", async () => {
    const written: unknown[] = [];
    const { stdout, stderr } = process;
    const former = [stdout.write, stderr.write] as const;
    const note = ((chunk: unknown) => written.push(chunk) > 0) as typeof stdout.write;
    Object.assign(stdout, { write: note });
    Object.assign(stderr, { write: note });
    try {
      const { tests } = await run("sets.http", { vars: { unused: 1 } });
      expect(tests[0]?.stdout).toEqual(["id is set", ""]);
      expect([stdout.write, stderr.write]).toEqual([note, note]);
    } finally {
      Object.assign(stdout, { write: former[0] });
      Object.assign(stderr, { write: former[1] });
    }
    expect(written).toEqual([]);
  });

  test("says what had no effect, and that nothing was tested", async () => {
    const { remarks } = await run("users.http", { vars: { limt: 1 } });
    expect(remarks).toEqual([
      'The variable "limt" of vars has no effect: nothing that ran uses it',
    ]);
    const empty = await run("empty.http");
    expect(empty.remarks.at(-1)).toContain("Nothing was tested");
  });

  test("takes values as they are, rows as data, and a file URL", async () => {
    const rows = [{ id: "007" }, { id: 8 }];
    const { tests } = await runFile(pathToFileURL(at("rows.http")), { vars: { base }, data: rows });
    expect(tests.map(({ name, status }) => [name, status])).toEqual([
      ["by id 007", "passed"],
      ["by id 8", "passed"],
    ]);
    const text = await run("users.http", { names: ["list"], vars: { limit: '{"a": 1}' } });
    expect(text.requests[0]?.request.url).toBe(`${base}/echo/%7B%22a%22:%201%7D`);
  });

  test("is recorded, and answered from the recording", async () => {
    const har = at("users.har");
    await run("users.http", { record: har, names: ["list"] });
    expect(readFileSync(har, "utf8")).toContain("/echo/2");
    const replayed = await run("users.http", { replay: har, names: ["list"] });
    expect(replayed.ok).toBe(true);
  });
});

describe("a run that cannot begin is rejected", () => {
  const FAULTS: readonly (readonly [title: string, name: string, RunFileOptions, string])[] = [
    ["a missing file", "nothing.http", {}, "there is no such file"],
    ["a file that is no notebook", "broken.ipynb", {}, "it is not JSON"],
    ["a name that nothing has", "users.http", { names: ["lst"] }, 'did you mean "list"'],
    ["an environment that nothing defines", "nested/imports.http", { env: "tst" }, '"test"'],
    ["a question", "asks.http", {}, 'it asks for "user"'],
    ["a missing row file", "rows.http", { data: "none.csv" }, "there is no such file"],
  ];

  test.each(FAULTS)("%s", async (_title, name, options, message) => {
    const error = await run(name, options).catch((it: unknown) => it);
    expect(error).toMatchObject({ name: "DocumentError" });
    expect((error as Error).message).toContain(message);
  });

  test.each<readonly [unknown, string]>([
    [{ name: ["list"] }, '"name" is not an option of runFile; did you mean "names"?'],
    [{ verbosity: 1 }, '"verbosity" is not an option of runFile; the options are env, vars, names'],
    [{ names: "list" }, 'its option "names" is not a list of strings'],
    [{ env: ["one", "two"] }, 'its option "env" is not a string'],
    [{ timeout: "5 s" }, 'its option "timeout" is not a number of milliseconds above 0'],
    [{ vars: ["a=b"] }, 'its option "vars" is not an object of variables'],
    [{ grep: ["^l"] }, 'its option "grep" is not a list of regular expressions'],
    [null, "its options are not an object"],
  ])("the options %j", async (options, message) => {
    const error = await runFile(at("users.http"), options as never).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
  });

  test("a path that is none", async () => {
    await expect(runFile(7 as never)).rejects.toThrow("give a path, or a file URL");
  });
});

describe("a guest", () => {
  test("runs at the same time as others, each with its own client and variables", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `run ${index}`);
    const results = await Promise.all(names.map((who) => run("late.ipynb", { vars: { who } })));
    expect(results.map(({ requests }) => requests.map(({ text }) => decodeURI(text)))).toEqual(
      names.map((name) => [name]),
    );
  });

  test("is ended by a signal, and sends nothing for one that is aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    onSlow = () => controller.abort(reason);
    const options = { signal: controller.signal };
    await expect(run("slow.http", options)).rejects.toBe(reason);
    onSlow = () => expect.unreachable();
    await expect(run("slow.http", options)).rejects.toBe(reason);
  });

  test("has a time limit in milliseconds", async () => {
    onSlow = () => undefined;
    const { tests } = await run("slow.http", { timeout: 200, names: ["slow"] });
    expect(tests).toMatchObject([{ rawStatus: "error" }]);
    expect(tests[0]?.message).toMatch(/0\.2 s|200 ms/);
  });

  test("sends by the mock of a test, which other code calls as well", async () => {
    const former = globalThis.fetch;
    const mock: typeof fetch = async () => new Response("mocked");
    globalThis.fetch = mock;
    try {
      const [one, other] = await Promise.all([run("users.http"), run("users.http")]);
      expect([...one.requests, ...other.requests].map(({ text }) => text)).toEqual(
        Array.from({ length: 6 }, () => "mocked"),
      );
      expect(globalThis.fetch).toBe(mock);
    } finally {
      globalThis.fetch = former;
    }
  });

  test("leaves the process as it was, and keeps its own errors from the handlers of the program", async () => {
    const seen: unknown[] = [];
    const handler = (error: unknown): void => void seen.push(error);
    process.on("unhandledRejection", handler);
    const before = stateOfProcess();
    try {
      const running = run("uncaught.ipynb");
      const own = new Error("of the program");
      void Promise.reject(own);
      const { tests } = await running;
      expect(tests[0]?.message).toContain("nobody awaits it");
      expect(seen).toEqual([own]);
      expect(stateOfProcess()).toEqual(before);
    } finally {
      process.off("unhandledRejection", handler);
    }
  });
});

/** What a run replaces, or might. */
function stateOfProcess(): Readonly<Record<string, unknown>> {
  const events = process.eventNames().filter((name) => name !== "newListener");
  const names = ["client", "display", "expect", "test", "fetch", "setTimeout", "clearTimeout"];
  return {
    handlers: events.map((name) => [String(name), process.rawListeners(name as "exit")]),
    globals: names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name)),
    process: [process.exit, process.exitCode, process.cwd(), process.emitWarning],
    streams: [process.stdout.write, process.stderr.write, globalThis.console],
    traces: Error.prepareStackTrace,
    env: { ...process.env },
  };
}
