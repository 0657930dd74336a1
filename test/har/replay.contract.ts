import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HarEntry } from "../../lib/mod.ts";
import { notebook } from "../notebook/notebook.ts";
import { type Ended, RUNTIMES, type RuntimeName, restlab } from "../support/command.ts";
import { endWithTests } from "../support/processes.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { RUNTIME } from "../support/runtime.ts";
import { harFaults } from "./har-schema.ts";

const FILES = {
  "api.http": [
    "GET {{base}}/users?limit=2",
    '# @name made\nPOST {{base}}/users\nContent-Type: application/json\n\n{"name": "Ada {{$randomInt}}", "email": "{{$random.alphabetic(8)}}@example.com"}',
    "GET {{base}}/users/{{made.response.body.id}}",
    "GET {{base}}/redirect/2",
    "GET {{base}}/events?count=2",
    "GET {{base}}/image.png",
    'WEBSOCKET {{base}}/socket\n\n===\nhello\n=== wait-for-server\n===\n{"n": 1}',
    "GET {{base}}/echo?at={{$timestamp}}&id={{$uuid}}&token={{token}}\nX-Key: {{token}}",
    "# @compress gzip\nPOST {{base}}/echo/packed\nContent-Type: text/plain\n\nhello hello",
  ].join("\n\n###\n"),
  "cells.ipynb": notebook(
    "const user = (await client.send('GET {{base}}/users/2')).json; user.name",
    "GET {{base}}/users/{{$randomInt 3 9}}",
  ),
  "clients.ipynb": notebook(
    'import { createClient } from "restlab";\nconst lab = createClient();\n' +
      'const user = await lab.send("GET " + client.getVar("base") + "/users/3"); user.json.name',
  ),
  "records.ipynb": notebook(
    'const recorder = await client.record("cell.har"); await client.record("cell.har"); recorder.count',
    "GET {{base}}/one",
    "client.send('GET {{base}}/silent'); await client.send('GET {{base}}/two'); process.exit(3)",
  ),
  "trap.cjs":
    'const net = require("node:net"); const trap = () => { process.stderr.write("A socket was opened\\n"); process.exit(99); };\n' +
    "net.Socket.prototype.connect = trap; net.connect = trap; globalThis.fetch = trap;\n",
  "broken.har": '{"log": {"entries": [}',
  "wrong.har": '{"log": {"entries": [{"request": {"method": 7}}]}}',
};

/** How each runtime is started so that opening a connection ends it. */
const REFUSING: Readonly<Record<RuntimeName, (folder: string) => readonly string[]>> = {
  node: (folder) => ["--require", join(folder, "trap.cjs")],
  deno: () => ["--deny-net"],
  bun: (folder) => ["--preload", join(folder, "trap.cjs")],
};

/** What `--record` and `--replay` promise, on one runtime. */
function describeReplay(runtime: RuntimeName): void {
  describe(`recordings on ${runtime}`, () => {
    let folder = "";
    let server: Recorder;
    /** Accepts connections, and answers nothing. */
    let silent: Server;
    let silentUrl = "";
    const run = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, args, { cwd: folder });
    const at = (name: string): string => join(folder, name);
    const entriesIn = (name: string): readonly HarEntry[] => {
      const document = JSON.parse(readFileSync(at(name), "utf8"));
      expect(harFaults(document)).toEqual([]);
      return document.log.entries;
    };
    const pathsIn = (name: string): readonly string[] =>
      entriesIn(name).map(({ request }) => new URL(request.url).pathname);
    const drafts = (): readonly string[] =>
      readdirSync(folder).filter((name) => name.endsWith(".part"));

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-har-"));
      for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
      server = await startRecorder();
      silent = createServer((socket) => void socket.on("error", () => undefined));
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const address = silent.address();
      silentUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/silent`;
    });
    beforeEach(() => void server.take());
    afterAll(async () => {
      await server.close();
      silent.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Runs the command in a process that ends when it opens a connection. */
    const runRefused = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, args, { cwd: folder, runtimeOptions: REFUSING[runtime](folder) });

    /** Output without what differs in each run. */
    const plain = (text: string): string =>
      text
        .replace(/127\.0\.0\.1:\d+/g, "HOST")
        .replace(/[\d.]+ m?s\b/g, "TIME")
        // The record of messages has times, and the echo has what is masked in the recording.
        .replace(/(?<=(?:\/socket|\/echo\?).*)\d+ B/g, "SIZE")
        .replace(/(?<=at=)\d+/g, "NOW");

    test("a run is replayed without a network, from a file that has no secret", async () => {
      const vars = ["--var", "token=hush-hush-42"];
      const files = ["api.http", "cells.ipynb", "clients.ipynb"];
      const recorded = await run(
        "run",
        "--brief",
        ...files,
        "--demo",
        "--record",
        "api.har",
        ...vars,
      );
      expect([recorded.status, drafts()]).toEqual([0, []]);
      const url = ["--var", "base=http://127.0.0.1:9"];
      const replayed = await runRefused(
        "run",
        "--brief",
        ...files,
        "--replay",
        "api.har",
        ...url,
        ...vars,
      );
      expect(replayed.stderr).toBe(recorded.stderr);
      expect([plain(replayed.stdout), replayed.status]).toEqual([plain(recorded.stdout), 0]);
      expect(pathsIn("api.har").slice(0, 5)).toEqual([
        "/users",
        "/users",
        "/users/16",
        "/redirect/2",
        "/redirect/1",
      ]);
      const socket = entriesIn("api.har").find(({ _webSocketMessages: it }) => it !== undefined);
      expect(socket?._webSocketMessages?.map(({ type, data }) => [type, data])).toEqual(
        expect.arrayContaining([["send", "hello"]]),
      );
      const packed = entriesIn("api.har").find(({ request }) => request.url.endsWith("/packed"));
      expect(packed?.request.postData?.text).toBe("hello hello");
      expect(statSync(at("api.har")).mode & 0o777).toBe(0o600);
      expect(readFileSync(at("api.har"), "utf8")).not.toContain("hush-hush");
      // The trap itself works.
      const refused = await runRefused("-e", `GET ${server.base}/`);
      expect([refused.status === 0, server.take()]).toEqual([false, []]);
    });

    test("-e and requests of the command line record and replay", async () => {
      const one = ["-e", `GET ${server.base}/a`, "-e", `GET ${server.base}/a`, "--body"];
      const recorded = await run(...one, "--record", "e.har");
      const [sent, again] = [server.take(), await runRefused(...one, "--replay", "e.har")];
      expect(sent).toHaveLength(2);
      expect(again.stdout).toBe(recorded.stdout.replace(/token-number-\d+/g, "•••"));
      const words = ["--replay", "e.har", "GET", `${server.base}/a`, "-v", "--headers"];
      const { stdout, stderr } = await runRefused(...words);
      expect(stdout).toContain("200 OK");
      expect(stderr).toContain("* Answered from a recording or a mock: nothing was sent\n");
    });

    test("--record-missing sends what is missing, and adds it", async () => {
      const entries = (...paths: readonly string[]): readonly string[] =>
        paths.flatMap((path) => ["-e", `GET ${server.base}${path}`]);
      await run(...entries("/a"), "--record", "more.har");
      const before = entriesIn("more.har");
      server.take();
      const more = [...entries("/a", "/b"), "--replay", "more.har", "--record-missing"];
      for (const lines of [["GET /b"], []]) {
        const { status, stderr } = await run(...more);
        expect([status, stderr]).toEqual([0, ""]);
        expect(server.take().map(({ line }) => line)).toEqual(lines);
        expect(pathsIn("more.har")).toEqual(["/a", "/b"]);
      }
      expect(entriesIn("more.har")[0]).toEqual(before[0]);
    });

    test("what ran is in the file after process.exit, also of client.record", async () => {
      const base = ["--var", `base=${server.base}`];
      const { status } = await run("run", "records.ipynb", ...base, "--record", "exit.har");
      expect(status).toBe(3);
      const exit = await run(
        "-e",
        `GET ${server.base}/one`,
        "-e",
        "process.exit(4)",
        "--record",
        "e4.har",
      );
      expect(exit.status).toBe(4);
      for (const name of ["cell.har", "exit.har", "e4.har"]) {
        expect(pathsIn(name)).toEqual(expect.arrayContaining(["/one"]));
      }
      expect([pathsIn("cell.har").length, drafts()]).toEqual([pathsIn("exit.har").length, []]);
    });

    test.for([
      ["run", "SIGINT", 130],
      ["run", "SIGTERM", 143],
      ["-e", "SIGINT", 130],
      ["-e", "SIGTERM", 143],
    ] as const)("what ran is in the file after %s and %s", async ([kind, signal, status]) => {
      const name = `${signal}${kind}.har`;
      const first = `GET ${server.base}/one`;
      const then = `GET ${silentUrl}`;
      writeFileSync(at("waits.http"), `${first}\n\n###\n${then}\n`);
      const command = kind === "run" ? ["run", "waits.http"] : ["-e", first, "-e", then];
      const accepted = new Promise((resolve) => silent.once("connection", resolve));
      const [program, ...before] = RUNTIMES[runtime];
      const child = endWithTests(
        spawn(program, [...before, ...command, "--record", name], { cwd: folder, stdio: "ignore" }),
      );
      const ended = new Promise((resolve) => child.on("exit", (code) => resolve(code)));
      await accepted;
      child.kill(signal);
      expect(await ended).toBe(status);
      expect([pathsIn(name), drafts()]).toEqual([["/one"], []]);
    });

    test("a header and a reason phrase that are not ASCII come back as they were", async () => {
      const lines = (encoding: "latin1" | "utf8"): Buffer =>
        Buffer.from(
          "HTTP/1.1 200 Tr\u00e8s bien\r\nContent-Disposition: attachment; filename=caf\u00e9.txt\r\n" +
            "Content-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}",
          encoding,
        );
      const raw = createServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", (head) =>
          socket.end(lines(`${head}`.includes("/latin1") ? "latin1" : "utf8")),
        );
      });
      await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
      const address = raw.address();
      const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      const code = `for (const path of ["latin1", "utf8"]) {
  const { statusText, headers } = await client.send("GET ${base}/" + path);
  console.log(JSON.stringify([statusText, headers.get("content-disposition")]));
}`;
      const sent = await run("-e", code, "--record", "letters.har");
      raw.close();
      expect(sent.stdout).toContain("caf\u00e9.txt");
      const replayed = await runRefused("-e", code, "--replay", "letters.har");
      expect([replayed.status, replayed.stdout]).toEqual([0, sent.stdout]);
    });

    // No runtime decides what follows.
    if (runtime !== "node") return;

    test("a request that is not in it fails and is not sent", async () => {
      await run("-e", `GET ${server.base}/users/1`, "--record", "one.har");
      server.take();
      const { status, stderr } = await run(
        "-e",
        `GET ${server.base}/users/1?full=true`,
        "--replay",
        "one.har",
      );
      expect([status, server.take()]).toEqual([1, []]);
      expect(stderr).toContain(`got no response: it is not in the recording "one.har"`);
      expect(stderr).toContain(`The nearest recorded request is GET ${server.base}/users/1`);
    });

    test.for([
      [["--replay", "broken.har"], 'Cannot read "broken.har": it is not JSON: line 1, column 22'],
      [
        ["--replay", "wrong.har"],
        'Cannot read "wrong.har": log.entries[0].response: it is missing',
      ],
      [["--replay", "none.har"], 'Cannot read "none.har": there is no such file'],
      [["--replay", "."], 'Cannot read ".": '],
      [["--record", "none/a.har"], 'Cannot record to "none/a.har": its folder does not exist'],
      [["--record", "."], 'Cannot record to ".": it is not a regular file'],
      [["--record-missing"], "--record-missing needs --replay FILE"],
      [
        ["--record", "api.har", "--replay", "./api.har"],
        "--record and --replay name the same file",
      ],
    ] as const)("%j is said before anything is sent", async ([options, message]) => {
      for (const command of [
        ["-e", `GET ${server.base}/`],
        ["run", "cells.ipynb", "--var", `base=${server.base}`],
      ]) {
        const { status, stderr } = await run(...command, ...options);
        expect([status, server.take()]).toEqual([2, []]);
        expect(stderr).toContain(`restlab: ${message}`);
      }
      expect(drafts()).toEqual([]);
    });

    test("a recording to which nothing is written leaves the file of an earlier one", async () => {
      await run("-e", `GET ${server.base}/kept`, "--record", "kept.har");
      const { status } = await run("-e", "1 + 1", "--record", "kept.har", "--env", "missing");
      expect([status, pathsIn("kept.har")]).toEqual([2, ["/kept"]]);
    });
  });
}

describeReplay(RUNTIME);
