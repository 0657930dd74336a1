import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";
import { type CommandOptions, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const DONE = "?? body state == done";

/** A document, the paths that the server receives, and the exit status of `restlab test`. `/poll/N` is done the Nth time. */
const CASES: readonly (readonly [
  name: string,
  text: string,
  paths: readonly string[],
  status: number,
])[] = [
  [
    "until it is done",
    `# @retry 10 every 5ms\nGET {{base}}/poll/3\n${DONE}`,
    ["/poll/3", "/poll/3", "/poll/3"],
    0,
  ],
  ["at once", `# @retry 10 every 5ms\nGET {{base}}/poll/1\n${DONE}`, ["/poll/1"], 0],
  [
    "not often enough",
    `# @retry 1 every 5 ms\nGET {{base}}/poll/3\n${DONE}`,
    ["/poll/3", "/poll/3"],
    1,
  ],
  [
    "the last that is allowed",
    `# @retry 2 every 0.005s\nGET {{base}}/poll/3\n${DONE}`,
    ["/poll/3", "/poll/3", "/poll/3"],
    0,
  ],
  ["not again", `# @retry 0 every 5ms\nGET {{base}}/poll/2\n${DONE}`, ["/poll/2"], 1],
  [
    "without a pause",
    `# @retry 5 every 0s\nGET {{base}}/poll/2\n${DONE}`,
    ["/poll/2", "/poll/2"],
    0,
  ],
  [
    "an error status",
    `# @retry 5 every 5ms\nGET {{base}}/broken/2\n?? status == 200`,
    ["/broken/2", "/broken/2"],
    0,
  ],
  [
    "a lost connection",
    `# @retry 5 every 5ms\nGET {{base}}/drop/3\n?? status == 200`,
    ["/drop/3", "/drop/3", "/drop/3"],
    0,
  ],
  [
    "a connection that stays lost",
    `# @retry 1 every 5ms\nGET {{base}}/drop/9\n?? status == 200`,
    ["/drop/9", "/drop/9"],
    3,
  ],
  [
    "a POST",
    `# @retry 5 every 5ms\nPOST {{base}}/poll/2\n\nx=1\n\n${DONE}`,
    ["/poll/2", "/poll/2"],
    0,
  ],
  [
    "a test of a handler",
    "# @retry 5 every 5ms\nGET {{base}}/poll/2\n\n> {% client.test('done', () => client.assert(response.body.state === 'done')) %}",
    ["/poll/2", "/poll/2"],
    0,
  ],
  [
    "what a handler captures is of the last try",
    "# @retry 5 every 5ms\nGET {{base}}/poll/3\n?? body state == done\n\n> {% client.global.set('n', response.body.n) %}\n\n###\nGET {{base}}/got/{{n}}",
    ["/poll/3", "/poll/3", "/poll/3", "/got/3"],
    0,
  ],
  [
    "what is used of the response is of the last try",
    "# @name job\n# @retry 5 every 5ms\nGET {{base}}/poll/3\n?? body state == done\n\n###\nGET {{base}}/got/{{job.n}}",
    ["/poll/3", "/poll/3", "/poll/3", "/got/3"],
    0,
  ],
  [
    "a line made of the response",
    "@n = {{job.n}}\n# @name job\n# @retry 5 every 5ms\nGET {{base}}/poll/2\n?? body state == done\n\n###\nGET {{base}}/got/{{n}}",
    ["/poll/2", "/poll/2", "/got/2"],
    0,
  ],
  [
    "a script before each try",
    "# @retry 5 every 5ms\n{{\n  exports.i = 1;\n}}\nGET {{base}}/poll/2?i={{i}}\n?? body state == done",
    ["/poll/2?i=1", "/poll/2?i=1"],
    0,
  ],
  [
    "a request that is referred to",
    `# @name job\n# @retry 5 every 5ms\nGET {{base}}/poll/2\n${DONE}\n\n###\n# @forceRef job\nGET {{base}}/got/{{job.n}}`,
    ["/poll/2", "/poll/2", "/poll/2", "/got/3"],
    0,
  ],
  [
    "each pass of a loop",
    `# @loop for 2\n# @retry 5 every 5ms\nGET {{base}}/poll/2?{{$index}}\n${DONE}`,
    ["/poll/2?0", "/poll/2?0", "/poll/2?1"],
    0,
  ],
  [
    "a body with placeholders",
    `@n = 7\n# @retry 5 every 5ms\nPOST {{base}}/poll/2\n\nn={{n}}\n\n${DONE}`,
    ["/poll/2", "/poll/2"],
    0,
  ],
  [
    "retries of connections as before",
    "# @retry 2\nGET {{base}}/broken/2\n?? status == 200",
    ["/broken/2", "/broken/2"],
    0,
  ],
  ["and not of assertions", `# @retry 2\nGET {{base}}/poll/2\n${DONE}`, ["/poll/2"], 1],
];

/** What `check` says of forms of the annotation, at its place; nothing of those that are right. */
const FORMS: readonly (readonly [value: string, message: string | undefined])[] = [
  ["", undefined],
  ["3", undefined],
  ["3 every 2s", undefined],
  ["3 every 500 ms", undefined],
  ["3 EVERY 1m", undefined],
  ["3 every 1.5", undefined],
  ["every 2s", 'a.http:1:1: "# @retry every 2s" cannot be read'],
  ["3 every", 'a.http:1:1: "# @retry 3 every" cannot be read'],
  ["3 every 2h", 'a.http:1:1: "# @retry 3 every 2h" cannot be read'],
  ["3 every x", 'a.http:1:1: "# @retry 3 every x" cannot be read'],
  ["-1 every 2s", 'a.http:1:1: "# @retry -1 every 2s" cannot be read'],
  ["three", 'a.http:1:1: "# @retry three" cannot be read'],
  ["3 each 2s", 'a.http:1:1: "# @retry 3 each 2s" cannot be read'],
];

/** Requests that are sent again until their assertions hold, on one runtime. */
function describePolling(runtime: RuntimeName): void {
  describe(`# @retry N every T on ${runtime}`, () => {
    let folder = "";
    let server: Server;
    let base = "";
    let requested: string[] = [];
    const counts = new Map<string, number>();
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    const run = (args: readonly string[], options: CommandOptions = {}) =>
      restlab(runtime, [...args, "--var", `base=${base}`], { cwd: folder, ...options });

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-polling-"));
      server = createServer(({ url = "", socket }, response) => {
        requested.push(url);
        const [, kind, limit] = url.split(/[/?]/);
        const n = (counts.get(kind ?? "") ?? 0) + 1;
        counts.set(kind ?? "", n);
        const isDone = n >= Number(limit);
        if (kind === "drop" && !isDone) {
          socket.destroy();
          return;
        }
        response.statusCode = kind === "broken" && !isDone ? 503 : 200;
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ state: isDone ? "done" : "pending", n }));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      requested = [];
      counts.clear();
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    });

    test.each(CASES)("%s", async (_name, text, paths, status) => {
      write("a.http", text);
      const ended = await run(["test", "a.http"]);
      expect([ended.status, requested], ended.output).toEqual([status, paths]);
    });

    test.each(FORMS)("check of # @retry %s", async (value, message) => {
      write("a.http", `# @retry ${value}\nGET {{base}}/\n?? status == 200`);
      const { status, stdout } = await run(["check", "a.http"]);
      if (message === undefined) expect([status, stdout]).toEqual([0, ""]);
      else expect(stdout).toContain(message);
    });

    test("check says that there is nothing to wait for", async () => {
      write("a.http", "# @retry 3 every 2s\nGET {{base}}/");
      const { stdout } = await run(["check", "a.http"]);
      expect(stdout).toContain("until its assertions hold, and this one has none");
    });

    test("reports have the last try, and how many there were", async () => {
      write(
        "a.http",
        `### ok\n# @retry 9 every 5ms\nGET {{base}}/poll/3\n${DONE}\n\n### not\n# @retry 1 every 5ms\nGET {{base}}/other/9\n${DONE}`,
      );
      const reports = ["json", "junit", "tap", "html"].map((one) => `${one}=a.${one}`).join();
      const { stdout, status } = await run(["test", "a.http", "--report", reports]);
      const read = (name: string): string => readFileSync(join(folder, name), "utf8");
      expect(status).toBe(1);
      const { tests } = JSON.parse(read("a.json")).results;
      const exchanges = tests.map(
        ({ extra }: { extra: { exchanges: object[] } }) => extra.exchanges,
      );
      expect(exchanges).toMatchObject([[{ tries: 3, status: 200 }], [{ tries: 2 }]]);
      expect(tests[1].extra.assertions).toHaveLength(1);
      const said = `GET ${base}/other/9 was sent 2 times`;
      for (const text of [stdout, read("a.junit"), read("a.tap")]) expect(text).toContain(said);
      expect(read("a.html")).toContain("/poll/3 200, sent 3 times");
    });

    test("run shows the last response, and says how many there were", async () => {
      write("a.ipynb", notebook(`# @retry 9 every 5ms\nGET {{base}}/poll/3\n${DONE}`));
      const { stdout, status } = await run(["run", "a.ipynb"]);
      expect([status, stdout.match(/200 OK/g)?.length]).toEqual([0, 1]);
      expect(stdout).toContain('Sent 3 times by "# @retry"');
    });

    test("a recording has all tries, and a replay does not wait", async () => {
      write("a.http", `# @retry 9 every 700ms\nGET {{base}}/poll/3\n${DONE}`);
      await run(["test", "a.http", "--record", "a.har"]);
      requested = [];
      const { status, stdout } = await run(["test", "a.http", "--replay", "a.har"]);
      expect([status, requested], stdout).toEqual([0, []]);
      const milliseconds = Number(/passed, (\d+) ms/.exec(stdout)?.[1]);
      expect(milliseconds).toBeLessThan(1_400);
    });

    test("Ctrl-C ends a pause at once, of a request and of --retry", async () => {
      write("a.http", `# @retry 9 every 100s\nGET {{base}}/poll/9\n${DONE}`);
      write("b.http", `GET {{base}}/poll/9\n${DONE}`);
      for (const args of [["a.http"], ["b.http", "--retry", "3", "--retry-delay", "100"]]) {
        requested = [];
        const interrupt = (kill: (signal: NodeJS.Signals) => void): void => {
          const timer = setInterval(() => {
            if (requested.length === 0) return;
            clearInterval(timer);
            // The response is on its way.
            setTimeout(() => kill("SIGINT"), 300);
          }, 20);
        };
        const { status } = await run(["test", ...args], { onStart: interrupt });
        expect([status, requested]).toEqual([130, ["/poll/9"]]);
      }
    });

    test("--retry waits for --retry-delay", async () => {
      write("a.http", "GET {{base}}/broken/2\n?? status == 200");
      const { status, stdout } = await run([
        "test",
        "a.http",
        "--retry",
        "1",
        "--retry-delay",
        "0.4",
      ]);
      expect([status, requested]).toEqual([0, ["/broken/2", "/broken/2"]]);
      expect(Number(/flaky, (\d+) ms/.exec(stdout)?.[1])).toBeGreaterThan(390);
      const wrong = await run(["test", "a.http", "--retry-delay", "soon"]);
      expect(wrong.stderr).toContain('--retry-delay "soon" is not a time');
    });
  });
}

describePolling(RUNTIME);
