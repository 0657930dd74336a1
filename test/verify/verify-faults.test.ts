import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseVerify } from "../../kernel/cli/commands.ts";
import { currentPlatform } from "../../kernel/platform/mod.ts";
import { openDescription } from "../../kernel/run/verify-openapi.ts";
import { planVerification } from "../../kernel/run/verify-plan.ts";
import { notebook } from "../notebook/notebook.ts";
import { asNobody } from "../support/as-nobody.ts";
import { type Ended, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { type AnsweringServer, startAnsweringServer } from "./answering-server.ts";

// One for all: each listens for errors of standard output.
const PLATFORM = currentPlatform();

/** A notebook of one request whose output has this metadata. */
function savedWith(metadata: unknown, cellMetadata: unknown = {}): string {
  const document = JSON.parse(notebook("GET {{base}}/user"));
  const output = { output_type: "execute_result", data: {}, execution_count: 1, metadata };
  Object.assign(document.cells[0], { outputs: [output], metadata: cellMetadata });
  return JSON.stringify(document);
}

const PROMISED = { method: "GET", url: "http://127.0.0.1/user", status: 200, type: "text/plain" };

const FILES = {
  "bare.ipynb": notebook("GET {{base}}/user"),
  "markdown.ipynb": JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [{ cell_type: "markdown", id: "m", metadata: {}, source: "# Title" }],
  }),
  "api.http": "GET {{base}}/user\n",
  "valid.ipynb": savedWith({ restlab: { response: PROMISED } }),
  "rule.ipynb": savedWith(
    { restlab: { response: PROMISED } },
    { restlab: { verify: "exakt", ignore: 3 } },
  ),
  "tag.ipynb": savedWith({ restlab: { response: PROMISED } }, { tags: ["ignore:items"] }),
  "annotation.http": "# @verify exakt\nGET {{base}}/user\n",
  "empty.har": '{"log":{"version":"1.2","entries":[]}}',
  "broken.har": '{"log":{"version":"1.2","entries":[',
  "strange.har": '{"log":{"version":"1.2","entries":[{"request":3}]}}',
};

/** A description that promises nothing. */
const ANYTHING = JSON.stringify({
  openapi: "3.1.0",
  paths: { "/{any}": { get: { responses: { default: { description: "any" } } } } },
});

describe("faults of restlab verify", () => {
  const folder = makeFolder("verify-faults");
  let server: AnsweringServer;
  const verify = (...args: readonly string[]): Promise<Ended> =>
    restlab("node", ["verify", ...args, "--var", `base=${server.base}`], { cwd: folder });

  beforeAll(async () => {
    server = await startAnsweringServer();
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  });
  afterAll(() => server.close());
  beforeEach(() => server.reset());

  test.each<[args: string, message: string]>([
    ["", "No file is given"],
    [
      "bare.ipynb",
      'Verifying "bare.ipynb" failed: it has no saved responses; save it with outputs',
    ],
    [
      "api.http",
      'Verifying "api.http" failed: it has no saved responses; give --baseline FILE.har',
    ],
    ["--update api.http", 'Updating "api.http" failed: it is a file of requests'],
    ["--update --baseline x.har valid.ipynb", "--update writes notebooks, not a baseline"],
    ["--stable valid.ipynb", "--stable needs --update"],
    [
      "--baseline none.har api.http",
      'Reading the baseline "none.har" failed: there is no such file',
    ],
    ["--baseline empty.har api.http", "it contains no response"],
    ["--baseline broken.har api.http", 'Cannot read "broken.har": it is not JSON: line 1'],
    ["--baseline strange.har api.http", 'Cannot read "strange.har": log.entries[0].request'],
    [
      "--openapi none.yaml api.http",
      'Reading the description "none.yaml" failed: there is no such',
    ],
    ["--openapi empty.har api.http", 'its "openapi" is missing; 3.0 and 3.1 are supported'],
    [
      "--openapi http://127.0.0.1:9/ api.http",
      'Reading the description "http://127.0.0.1:9/" failed',
    ],
    [
      "--report junit=none/report.xml valid.ipynb",
      'Writing the report "none/report.xml" failed: its folder',
    ],
    [
      "--report json=valid.ipynb valid.ipynb",
      "--report json would replace a file that the command",
    ],
    [
      "--openapi empty.har --report junit=empty.har valid.ipynb",
      'Writing "empty.har" failed: --report junit would replace a file',
    ],
    ["--baseline empty.har --record empty.har api.http", "--record would replace a file that the"],
    ["--report json=. valid.ipynb", 'Writing the report "." failed: it is a folder'],
    [
      "--report json=all.out --report junit=./all.out valid.ipynb",
      'Two reports would be written to "./all.out": give each a file of its own',
    ],
    ["--report json --report junit valid.ipynb", "Two reports would be written to standard output"],
    ["--report tap valid.ipynb", '--report "tap" is unknown: the formats are json, junit'],
    ["--report json= valid.ipynb", '--report "json=" has no file: write --report json=FILE'],
    [
      "rule.ipynb",
      'the metadata of cell 1: "exakt" is unknown as a value of "verify". Write shape',
    ],
    ["tag.ipynb", 'the metadata of cell 1: "items" is not a JSONPath'],
  ])("%s: nothing is sent", async (args, message) => {
    const { status, stderr } = await verify(...args.split(" ").filter((one) => one !== ""));
    expect(stderr).toContain(message);
    expect({ status, seen: server.seen }).toEqual({ status: 2, seen: [] });
  });

  test.each([
    ["/user", 'its "openapi" is missing'],
    ["/text", "it is not an object"],
    ["/missing", "the server answered with 404"],
    [":9/", "got no response"],
    ["/a\u0000b", "failed: "],
    [":99999/", "is not valid"],
  ])(
    "the URL of a description at %j has no password and no token in messages",
    async (place, message) => {
      const host = place.startsWith(":") ? "127.0.0.1" : new URL(server.base).host;
      for (const password of ["hush-hush-42", "pw", "p%40ss-w%C3%B6rd"]) {
        const url = `http://ada:${password}@${host}${place}?token=tick-tack-77`;
        const opened = openDescription(url, PLATFORM);
        const { message: text } = await opened.then(
          () => new Error(""),
          (error) => error,
        );
        expect(text).toMatch(/^Reading the description "http:\/\/.*•••.*token=•••" failed: /);
        expect(text).toContain(message);
        expect(text).not.toMatch(/hush-hush|pw|p%40ss|p@ss|tick-tack/);
      }
    },
  );

  test("a notebook that cannot be updated is an error before anything is sent", async () => {
    const closed = makeFolder("verify-closed");
    const path = join(closed, "valid.ipynb");
    writeFileSync(path, FILES["valid.ipynb"]);
    const { options } = parseVerify(["--update", path]);
    chmodSync(closed, 0o555);
    await asNobody([closed], async () => {
      const plan = planVerification(options, PLATFORM);
      await expect(plan).rejects.toThrow(`Updating "${path}" failed: permission is denied`);
    });
    chmodSync(closed, 0o755);
  });

  test("an annotation with an unknown value is an error of its request", async () => {
    const options = ["--baseline", "api.har", "--report", "json"];
    await restlab(
      "node",
      ["run", "api.http", "--record", "api.har", "--var", `base=${server.base}`],
      {
        cwd: folder,
      },
    );
    server.seen.length = 0;
    const { status, stderr } = await verify("annotation.http", ...options);
    expect(stderr).toContain('"exakt" is unknown as a value of "verify"');
    expect({ status, seen: server.seen }).toEqual({ status: 1, seen: [] });
  });

  test.each<[name: string, response: unknown]>([
    ["a shape of a strange type", { ...PROMISED, type: "application/json", shape: [3] }],
    ["members of strange types", { ...PROMISED, name: {}, type: [], omitted: "shape", body: 3 }],
    ["names of Object.prototype", { ...PROMISED, shape: { properties: { constructor: {} } } }],
  ])("%s in the metadata does no harm", async (_name, response) => {
    writeFileSync(join(folder, "strange.ipynb"), savedWith({ restlab: { response } }));
    const { status, stderr } = await verify("strange.ipynb");
    expect(stderr).toMatch(/^strange\.ipynb: 1 response: 1 (?:same|drifted)\n$/);
    expect([0, 1]).toContain(status);
  });

  test("a document without requests has nothing to verify", async () => {
    expect(await verify("markdown.ipynb")).toMatchObject({
      status: 0,
      stderr:
        "markdown.ipynb: 0 responses\nrestlab: --var base has no effect: nothing that ran uses it\n",
    });
  });

  test("a notebook is updated that was never saved with outputs", async () => {
    writeFileSync(join(folder, "new.ipynb"), notebook("GET {{base}}/user"));
    const { status, stdout } = await verify("--update", "new.ipynb");
    expect(stdout).toMatch(/^compatible +cell 1 .* response +new +200 application\/json$/m);
    expect(status).toBe(0);
    expect(readFileSync(join(folder, "new.ipynb"), "utf8")).toContain('"shape"');
    expect(existsSync(join(folder, "new.ipynb"))).toBe(true);
  });

  test("a response that looks like the metadata of restlab is not taken for it", async () => {
    server.answer("/user", { restlab: { holds_secrets: true }, holds_secrets: true });
    writeFileSync(join(folder, "alike.ipynb"), notebook("# @verify exact\nGET {{base}}/user"));
    const { stderr } = await verify("--update", "alike.ipynb");
    expect(stderr).toBe("alike.ipynb: 1 response: 1 compatible\nalike.ipynb is updated\n");
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("after %s the reports contain what was run", async (signal, expected) => {
    const interrupt = `process.kill(process.pid, "${signal}"); await new Promise(() => {});`;
    const sources = ["GET {{base}}/user", "GET {{base}}/users", interrupt, "GET {{base}}/text"];
    writeFileSync(join(folder, "endless.ipynb"), notebook(...sources));
    const { status, stderr } = await verify(
      "--update",
      "--report",
      "json=endless.json",
      "endless.ipynb",
    );
    expect(status).toBe(expected);
    expect(stderr).toContain("endless.ipynb is not updated: it was interrupted");
    const { counts } = JSON.parse(readFileSync(join(folder, "endless.json"), "utf8"));
    expect(counts).toMatchObject({ compatible: 2, broken: 0 });
  });

  test("the reports contain what was run before a document that cannot be run", async () => {
    const prompt = notebook("# @prompt token\nGET {{base}}/user?token={{token}}");
    writeFileSync(join(folder, "first.ipynb"), notebook("GET {{base}}/user"));
    writeFileSync(join(folder, "second.ipynb"), prompt);
    const files = ["first.ipynb", "second.ipynb"];
    const { status, stderr } = await verify("--update", "--report", "json=both.json", ...files);
    expect(stderr).toContain('Running "second.ipynb" failed: it asks for "token"');
    expect(status).toBe(2);
    const { documents } = JSON.parse(readFileSync(join(folder, "both.json"), "utf8"));
    expect(documents).toMatchObject([{ path: "first.ipynb" }]);
  });

  test.each<[name: string, source: string, kind: string | undefined, message: RegExp]>([
    [
      "assertion",
      "GET {{base}}/user\n?? body id == 2",
      "assertion",
      /^body id == 2: expected 2, found 1/,
    ],
    ["script", 'GET {{base}}/user\n\n> {% throw new Error("no") %}', "assertion", /no$/],
    ["code", 'test("one", () => expect(1).toBe(2))', "assertion", /^one: /],
    ["late", 'setTimeout(() => { throw new Error("late") })', "error", /^Error: late/],
    ["name", "GET {{base}}/{{nothing}}", "error", /^UnresolvedPlaceholderError: /],
    ["refused", "GET http://127.0.0.1:9/user\n?? status == 200", undefined, /./],
    [
      "secret",
      "GET {{base}}/user\nAuthorization: Bearer hush-hush-42\n?? body name == hush-hush-42",
      "assertion",
      /./,
    ],
  ])("what fails beside a response is in each report: %s", async (name, source, kind, message) => {
    const file = `${name}.ipynb`;
    writeFileSync(join(folder, file), notebook(source, "GET {{base}}/text"));
    writeFileSync(join(folder, "any.json"), ANYTHING);
    const reports = ["--report", `json=${name}.json`, "--report", `junit=${name}.xml`];
    const { status } = await verify(file, "--openapi", "any.json", ...reports);
    expect(status).toBe(1);
    const [json = "", xml = ""] = ["json", "xml"].map((one) =>
      readFileSync(join(folder, `${name}.${one}`), "utf8"),
    );
    const { counts, documents } = JSON.parse(json);
    if (kind === undefined) {
      expect(counts).toMatchObject({ failed: 0, broken: 1, same: 1 });
      expect(xml).toContain('failures="0" errors="1"');
      return;
    }
    expect(counts).toMatchObject({ failed: 1, broken: 0 });
    const [failed] = documents[0].failed;
    expect(failed).toMatchObject({ cell: 1, problems: [{ kind }] });
    expect(failed.problems[0].message).toMatch(message);
    expect(xml).toContain(
      kind === "assertion" ? 'failures="1" errors="0"' : 'failures="0" errors="1"',
    );
    expect(xml).toMatch(/<testcase name="cell 1: run of [^>]*>\n<(?:failure|error) /);
    expect(json + xml).not.toContain("hush-hush-42");
  });

  test("a cell that is meant to fail is no failure of a report", async () => {
    const document = JSON.parse(notebook("GET {{base}}/user\n?? body id == 2"));
    document.cells[0].metadata = { tags: ["raises-exception"] };
    writeFileSync(join(folder, "meant.ipynb"), JSON.stringify(document));
    writeFileSync(join(folder, "any.json"), ANYTHING);
    const options = ["--openapi", "any.json", "--report", "json=meant.json"];
    expect(await verify("meant.ipynb", ...options)).toMatchObject({ status: 0 });
    const { counts } = JSON.parse(readFileSync(join(folder, "meant.json"), "utf8"));
    expect(counts).toMatchObject({ failed: 0, same: 1 });
  });

  test("a large response is bounded, and says what was left out", async () => {
    const items = Object.fromEntries(
      Array.from({ length: 90 }, (_one, at) => [`member${at}`, { name: "x", at: "2026-01-02" }]),
    );
    server.answer("/user", { items });
    writeFileSync(join(folder, "large.ipynb"), notebook("GET {{base}}/user"));
    await verify("--update", "large.ipynb");
    const { cells } = JSON.parse(readFileSync(join(folder, "large.ipynb"), "utf8"));
    const { metadata } = cells[0].outputs[0];
    expect(JSON.stringify(metadata, undefined, 1).length).toBeLessThan(16_384);
    expect(metadata.restlab.response.omitted).toEqual(["shape"]);
    expect(await verify("large.ipynb")).toMatchObject({ status: 0 });
  });
});
