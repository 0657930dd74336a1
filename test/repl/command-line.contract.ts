import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, RUNTIMES, type RuntimeName, restlab } from "../support/command.ts";
import { endWithTests } from "../support/processes.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { hasTools } from "../support/require.ts";
import { RUNTIME } from "../support/runtime.ts";
import { endTerminals, openRestlab, removeFolders } from "./terminal.ts";

const PEM = join(import.meta.dirname, "../support/self-signed.pem");
const ROWS = Array.from({ length: 70 }, (_, id) => ({
  id,
  name: `name ${id} ${"long ".repeat(40)}end`,
}));

/** Answers by path: rows, a stream that goes on until its reader leaves, or a redirect. */
function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  if (request.url === "/rows") {
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(ROWS));
  } else if (request.url === "/events") {
    response.setHeader("Content-Type", "text/event-stream");
    let count = 0;
    const timer = setInterval(() => response.write(`data: {"n":${++count}}\n\n`), 50);
    response.on("close", () => clearInterval(timer));
  } else if (request.url === "/moved") {
    response.writeHead(302, { Location: "/here" }).end();
  } else if (request.url !== "/silent") {
    response.setHeader("Content-Type", "application/json").end('{"id":1.0,"ok":true}');
  }
}

/** What requests of the command line send and write, on one runtime. */
function describeCommandLine(runtime: RuntimeName): void {
  describe(`requests on the command line of ${runtime}`, () => {
    let folder = "";
    let recorder: Recorder;
    const servers = [
      http.createServer(answer),
      https.createServer({ key: readFileSync(PEM), cert: readFileSync(PEM) }, answer),
    ];
    const [plain, secure] = servers as [http.Server, https.Server];
    const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;
    const urlOf = (path: string): string => `http://127.0.0.1:${portOf(plain)}${path}`;
    const run = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, args, { cwd: folder });
    /** The request of a command line, as the server received it. */
    const sent = async (...args: readonly string[]) => {
      const { status, stderr } = await run(...args);
      expect([status, stderr]).toEqual([0, ""]);
      const [received, ...more] = recorder.take();
      expect(more).toEqual([]);
      const headers = Object.entries(received?.headers ?? {});
      // The fetch of Deno writes names in lower case.
      return {
        ...received,
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      };
    };
    beforeAll(async () => {
      recorder = await startRecorder();
      folder = mkdtempSync(join(tmpdir(), "restlab-line-"));
      writeFileSync(join(folder, "form.txt"), "a=1&\nb=2\n");
      writeFileSync(join(folder, "part.json"), '{"deep": true}');
      for (const server of servers) {
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      }
    });
    afterAll(async () => {
      endTerminals();
      removeFolders();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await recorder.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("a method and a URL take the options of curl, and those of restlab beside them", async () => {
      expect(
        await sent(
          ...["--var", `base=${recorder.base}`, "POST", "{{base}}/a?b[]=1", "-H", "X-A: --body"],
          ...["-u", "ada:pw", "-d", "x=1", "-d", "@form.txt", "-q", "-e", "client.last.status"],
        ),
      ).toMatchObject({
        line: "POST /a?b[]=1",
        headers: expect.objectContaining({
          "x-a": "--body",
          authorization: "Basic YWRhOnB3",
          "content-type": "application/x-www-form-urlencoded",
        }),
        body: "x=1&a=1&b=2",
      });
      const form = await sent("put", recorder.base, "-F", "f=@part.json", "-F", "t=x");
      expect(form.line).toBe("PUT /");
      expect(form.body).toContain('filename="part.json"');
      expect((await sent(`:${recorder.port}/x`)).line).toBe("GET /x");
      await sent("GET", `${recorder.base}/y`, "-o", "saved.json");
      expect(readFileSync(join(folder, "saved.json"), "utf8")).toContain("token-number");
    });

    test("HTTPie syntax and curl commands are requests, too", async () => {
      expect(
        await sent(
          "http",
          `:${recorder.port}/users`,
          "name=Ada",
          "age:=3",
          "p:=@part.json",
          "q==1",
        ),
      ).toMatchObject({
        line: "POST /users?q=1",
        body: '{"name": "Ada", "age": 3, "p": {"deep": true}}',
      });
      expect(await sent("curl", "-X", "PURGE", `${recorder.base}/z`)).toMatchObject({
        line: "PURGE /z",
      });
    });

    test("-d @- is standard input, whose braces are no placeholders", async () => {
      const [file, ...before] = RUNTIMES[runtime];
      const args = [...before, "-q", "POST", recorder.base, "-d", "@-"];
      const child = endWithTests(spawn(file, args, { stdio: ["pipe", "ignore", "inherit"] }));
      child.stdin.end('{"a": "{{b}}"}\n');
      expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
      expect(recorder.take().map(({ body }) => body)).toEqual(['{"a": "{{b}}"}']);
    });

    test("--pretty indents and colours, which a terminal gets without it", async () => {
      const text = async (...pretty: readonly string[]): Promise<string> =>
        (await run("--body", ...pretty, "GET", urlOf("/one"))).stdout;
      const indented = '{\n  "id": 1.0,\n  "ok": true\n}';
      const colored = (json: string): string =>
        json
          .replace(/"\w+"/g, "\u001b[34m$&\u001b[0m")
          .replace(
            /1\.0|true/g,
            (value) => `\u001b[${value === "true" ? 35 : 33}m${value}\u001b[0m`,
          );
      expect(await text()).toBe('{"id":1.0,"ok":true}');
      expect(await text("--pretty", "format")).toBe(indented);
      expect(await text("--pretty", "colors")).toBe(colored('{"id":1.0,"ok":true}'));
      expect(await text("--pretty=all")).toBe(colored(indented));
      const lab = openRestlab(runtime, ["--body", "GET", urlOf("/one")]);
      await lab.shows('{\n  "id": 1.0,\n  "ok": true\n}');
      expect(lab.screen.raw()).toContain('\u001b[34m"id"');
      const raw = openRestlab(runtime, ["--body", "--pretty", "none", "GET", urlOf("/one")]);
      await raw.shows('{"id":1.0,"ok":true}');
    });

    test("--body of a stream comes as it is sent, and ends with its reader", async () => {
      const lab = openRestlab(runtime, ["--body", "GET", urlOf("/events")]);
      await lab.shows(/data: \{"n":1\}[\s\S]*data: \{"n":3\}/);
      lab.type("\u0003");
      expect(await lab.ended).toBe(130);
      const [file, ...before] = RUNTIMES[runtime];
      const args = [...before, "--body", "GET", urlOf("/events")];
      const child = endWithTests(spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] }));
      let stderr = "";
      child.stderr.on("data", (text: Buffer) => {
        stderr += text;
      });
      const ended = new Promise((resolve) => child.on("exit", resolve));
      for await (const chunk of child.stdout) {
        expect(String(chunk)).toMatch(/^data: \{"n":1\}/);
        break;
      }
      expect(await ended).toBe(0);
      expect(stderr).toBe("");
    });

    test("-v shows what was sent, and the connection", async () => {
      const env = { NODE_EXTRA_CA_CERTS: PEM };
      const url = `https://localhost:${portOf(secure)}/moved`;
      const args = ["-v", "--body", "GET", url, "-H", "X-Token: ab", "-H", "X-A: 1"];
      const { status, stdout, stderr } = await restlab(runtime, args, { env });
      expect([stdout, status]).toEqual(['{"id":1.0,"ok":true}', 0]);
      expect(stderr).toMatch(/^\* GET https?:\S+\/moved: 302, to \/here$/m);
      expect(stderr).toMatch(/^> GET \/here/m);
      expect(stderr).toMatch(/^> X-A: 1$/im);
      expect(stderr).toMatch(/^> Host: \S+:\d+$/m);
      expect(stderr).toMatch(/^> X-Token: •••$/im);
      expect(stderr).toMatch(/^< HTTP\/1\.1 200 OK$/m);
      expect(stderr).toMatch(/^\* Total \S+ ms, headers after \S+ ms, body in \S+ ms$/m);
      expect(stderr).toMatch(
        /^\* Connected to \S+:\d+, reusing the connection of an earlier request$/m,
      );
      expect(stderr).toMatch(/^\* TLSv1\.3, TLS_\w+$/m);
      expect(stderr).toMatch(/^\* Certificate of "localhost" by "localhost", valid until .*2126/m);
      const configured = await restlab(runtime, ["-v", "--body", "GET", urlOf("/here"), "-k"]);
      expect(configured.stderr).toMatch(/^\* Connected to \S+:\d+$/m);
      const first = await restlab(
        runtime,
        ["-vq", "-e", `GET https://localhost:${portOf(secure)}/x`],
        {
          env,
        },
      );
      expect(first.stderr).toMatch(
        /^\* After DNS \S+ ms, connect \S+ ms, TLS \S+ ms, first byte \S+ ms$/m,
      );
    });

    test("-v masks a body before it is cut, and shows a request behind a full history", async () => {
      const pad = "x".repeat(1970);
      const text = `POST ${urlOf("/here")}\nContent-Type: application/json\n\n{"pad": "${pad}", "password": "correct-horse-battery"}`;
      const cut = await restlab(runtime, ["-v", "-q", "-e", text]);
      expect(cut.stderr).toContain(`"pad": "${pad}"`);
      expect(cut.stderr).not.toContain("corr");
      const many = `for (let i = 0; i < 120; i++) await client.send("GET ${urlOf("/here")}")`;
      const { stderr } = await restlab(runtime, [
        ...["-v", "-q", "-e", many],
        ...["-e", `GET ${urlOf("/here")}?last`],
      ]);
      expect(stderr).toMatch(/^> GET \/here\?last/m);
    });

    test("an interrupt says which request it has ended", async () => {
      const lab = openRestlab(runtime, ["-e", `GET ${urlOf("/silent")}`]);
      await lab.shows(/GET http:\S+\/silent waiting \d/);
      lab.type("\u0003");
      await lab.shows(/Interrupted GET http:\S+\/silent after \d+\.\d s/);
      expect(await lab.ended).toBe(130);
    });

    // No runtime decides what follows.
    if (runtime !== "node") return;

    test.each([
      [["GET"], "No URL is given"],
      [["GET", "?users"], 'The URL "?users" has no host'],
      [["GET", "http://h", "--datta", "1"], 'Unknown curl option "--datta". Did you mean --data?'],
      [
        ["POST", ":1/a", "n=Ada"],
        '"n=Ada" is a request item of HTTPie: write restlab http POST :1/a n=Ada',
      ],
      [["POST", ":1/a", '{"a":1}'], '"{"a":1}" is no option: write --json before it'],
      [["http://h", "-H", "a=b", "n:=3"], "write restlab http http://h n:=3"],
      [["http", ":1", "word"], '"word" is not a request item'],
      [["--pretty", "much", "-e", "1"], '--pretty "much" is unknown: write none, format'],
    ])("%j is a usage error", async (args, message) => {
      const { status, stdout, stderr } = await run(...args);
      expect(stderr).toContain(message);
      expect([status, stdout]).toEqual([2, ""]);
    });

    test.each([
      [["GET", "{{nope}}/x", "-H", "X-A: 1"], "GET {{nope}}/x -H 'X-A: 1'"],
      [["http", "{{nope}}/x", "a=1"], "http {{nope}}/x a=1"],
      [["GET", "/x"], "GET /x"],
    ])("the fault of %j quotes what was typed", async (args, typed) => {
      const { status, stderr } = await run(...args);
      expect(stderr).toContain(`\n1 │ ${typed}\n  │ ${"^".repeat(typed.length)}\n`);
      expect(status).toBe(1);
    });

    test("-w is all that is written of an answer that is saved, and follows one that is shown", async () => {
      writeFileSync(join(folder, "format.txt"), "%{http_code} of %{url}\\n");
      const save = ["curl", "-s", "-o", "saved.json"];
      const table = [
        [
          [...save, "-w", "%{http_code} %{filename_effective}\\n", urlOf("/here")],
          "200 saved.json\n",
          "",
          0,
        ],
        [[...save, "-w", "@format.txt", urlOf("/here")], `200 of ${urlOf("/here")}\n`, "", 0],
        [[...save, "-w", "%{nope}|%{http_code}", urlOf("/here")], "|200", /variable: 'nope'/, 0],
        [[...save, "-w", "%{http_code}", "http://127.0.0.1:1/"], "000", /refused/, 1],
        [
          [...save, "-w", "@none", urlOf("/here")],
          "",
          /Reading "none" failed: there is no such/,
          2,
        ],
        [
          ["curl", "-w", "\\n%{http_code}", "--body", urlOf("/here")],
          '{"id":1.0,"ok":true}\n200',
          "",
          0,
        ],
        [["curl", "-w", "%{http_code}\\n", urlOf("/here")], /\nok +true\n200\n$/, "", 0],
      ] as const;
      for (const [args, stdout, stderr, status] of table) {
        const ended = await run(...args);
        const matching = (wanted: string | RegExp) =>
          typeof wanted === "string" ? wanted : expect.stringMatching(wanted);
        expect([args, ended]).toEqual([
          args,
          expect.objectContaining({ stdout: matching(stdout), stderr: matching(stderr), status }),
        ]);
      }
    });

    test.skipIf(!hasTools("curl"))("-w writes what curl writes", async () => {
      const variables =
        `content_type header_json http_code http_version method num_connects num_headers
        num_redirects redirect_url remote_ip remote_port response_code scheme size_download size_header size_upload
        time_appconnect url url_effective`.split(/\s+/);
      const format = `%header{content-type} 100%% \\t\\q %% ${variables.map((name) => `${name}=%{${name}}`).join("|")}\\n`;
      for (const rest of [
        [urlOf("/here")],
        [urlOf("/moved")],
        ["-L", urlOf("/moved")],
        ["-d", "a=1", urlOf("/here")],
        ["http://127.0.0.1:1/x"],
      ]) {
        const words = ["-s", "-o", "saved.json", "-w", format, ...rest];
        const [own, theirs] = await Promise.all([
          run("curl", ...words),
          new Promise<string>((resolve) =>
            execFile("curl", words, { cwd: folder }, (_error, stdout) => resolve(stdout)),
          ),
        ]);
        // After a redirect curl counts those of all answers, which restlab does not know.
        const alike = (text: string): readonly string[] =>
          text
            // The second may change between the two answers.
            .replace(/"date":\[[^\]]*\]/, "")
            .split("|")
            .filter((it) => rest[0] !== "-L" || !/^(?:num_connects|size_header)=/.test(it));
        expect(alike(own.stdout)).toEqual(alike(theirs));
      }
    });

    test("--json before JSON or a file is that of curl", async () => {
      for (const value of ['{"deep": true}', "@part.json", "{{part}}"]) {
        const given = ["--var", 'part={"deep": true}', "--quiet"];
        const received = await sent("POST", recorder.base, "--json", value, ...given);
        expect(received.headers).toMatchObject({ "content-type": "application/json" });
        expect(JSON.parse(received.body ?? "")).toEqual({ deep: true });
      }
      const { stdout } = await run("GET", urlOf("/here"), "--json");
      expect(JSON.parse(stdout)).toMatchObject({ status: 200 });
    });

    test("a socket that is not there is named as one", async () => {
      const { stderr } = await run("curl", "--unix-socket", "none.sock", urlOf("/here"));
      expect(stderr).toMatch(/got no response: there is no such socket\. Check its path/);
    });

    test("a path is below base; a port is one of this machine", async () => {
      const base = new URL(urlOf("/"));
      const given = ["--var", `base=${base.origin}`, "--headers"];
      for (const args of [
        ["GET", "/here"],
        ["-e", "GET /here"],
        ["-e", "/here"],
        ["/here"],
        ["-e", `GET :${base.port}/here`],
        ["-e", `:${base.port}/here`],
        ["-e", `http :${base.port}/here q==1`],
      ]) {
        const { status, stdout } = await restlab(runtime, [...given, ...args]);
        expect([status, stdout]).toEqual([0, expect.stringMatching(/^200 OK/)]);
      }
    });

    test("a table in a pipe is not cut, unless COLUMNS says so", async () => {
      const whole = await run("GET", urlOf("/rows"));
      expect(whole.stdout.match(/long end$/gm)).toHaveLength(ROWS.length);
      const narrow = await restlab(runtime, ["GET", urlOf("/rows")], { env: { COLUMNS: "60" } });
      const table = narrow.stdout.split("\n").filter((line) => !/http:|rows shown/.test(line));
      expect(Math.max(...table.map(({ length }) => length))).toBe(60);
      expect(narrow.stdout).toContain("50 of 70 rows shown");
    });
  });
}

describeCommandLine(RUNTIME);
