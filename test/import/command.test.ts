import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runImport } from "../../kernel/import/import-command.ts";
import { currentPlatform } from "../../kernel/platform/mod.ts";
import { createSession } from "../../kernel/session/mod.ts";
import { restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { json } from "./fixture.ts";

const COLLECTION = json({
  info: { name: "Shop" },
  variable: [{ key: "token", value: "t-1" }],
  item: [{ name: "A", request: { url: "http://a.test/", auth: { type: "hawk", hawk: [] } } }],
});

/** A folder with files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder("import");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("writes all files or none, replaces them with --force alone, and keeps .gitignore", async () => {
  const cwd = folderWith({ "shop.json": COLLECTION, ".gitignore": "dist" });
  const first = await restlab("node", ["import", "shop.json"], { cwd });
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe(
    "dist\nhttp-client.private.env.json\n",
  );
  writeFileSync(join(cwd, "shop.ipynb"), "mine");
  const again = await restlab("node", ["import", "shop.json"], { cwd });
  expect(again.status).toBe(2);
  expect(again.stderr).toContain('Reading "shop.ipynb" failed: it is not JSON; mend it');
  expect(readFileSync(join(cwd, "shop.ipynb"), "utf8")).toBe("mine");
  const forced = await restlab("node", ["import", "shop.json", "--force"], { cwd });
  expect(forced.status).toBe(0);
  expect(readFileSync(join(cwd, "shop.ipynb"), "utf8")).toContain("http://a.test/");
  expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe(
    "dist\nhttp-client.private.env.json\n",
  );
});

test("environments join those that are there, whose values stay without --force", async () => {
  const own = { $shared: { token: "mine", other: 1 }, dev: { a: "b" } };
  const path = "http-client.private.env.json";
  const cwd = folderWith({ "shop.json": COLLECTION, [path]: json(own) });
  const read = (): unknown => JSON.parse(readFileSync(join(cwd, path), "utf8"));
  const dry = await restlab("node", ["import", "shop.json", "--dry-run"], { cwd });
  expect(dry.stdout).toContain("Would import 1 request:\n  shop.ipynb\n");
  expect(readdirSync(cwd).sort()).toEqual([path, "shop.json"]);
  const { status, stdout } = await restlab("node", ["import", "shop.json"], { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain(
    `Changed:\n  ${path}: "token" of "$shared" keeps its value: the source has another\n`,
  );
  expect(read()).toEqual(own);
  await restlab("node", ["import", "shop.json", "--force"], { cwd });
  expect(read()).toEqual({ ...own, $shared: { token: "t-1", other: 1 } });
  writeFileSync(join(cwd, path), "{");
  const broken = await restlab("node", ["import", "shop.json", "-o", "b.http"], { cwd });
  expect(broken.stderr).toContain(`Reading "${path}" failed: it is not JSON; mend it`);
  expect(existsSync(join(cwd, "b.http"))).toBe(false);
});

test("says what is left out and where, which --strict makes a failure", async () => {
  const cwd = folderWith({ "shop.json": COLLECTION });
  const { status, stdout } = await restlab(
    "node",
    ["import", "shop.json", "--strict", "-o", "all/"],
    { cwd },
  );
  expect(status).toBe(1);
  expect(stdout).toContain(
    'Left out:\n  $.item[0]: Credentials of the type "hawk" are not supported',
  );
  expect(readdirSync(join(cwd, "all")).sort()).toEqual([
    ".gitignore",
    "README.md",
    "http-client.private.env.json",
    "shop.ipynb",
  ]);
});

test("reads files beside a description, and none by a link or a path to another folder", async () => {
  const post = (name: string): object => ({
    post: {
      requestBody: { content: { "application/json": { schema: { $ref: `${name}.json#/A` } } } },
    },
  });
  const cwd = folderWith({ "other.json": '{"A": {"example": "other"}}' });
  const inner = join(cwd, "api");
  mkdirSync(inner);
  writeFileSync(join(inner, "near.json"), '{"A": {"example": "near"}}');
  symlinkSync(join(cwd, "other.json"), join(inner, "link.json"));
  const paths = { "/1": post("near"), "/2": post("link"), "/3": post("../other") };
  writeFileSync(
    join(inner, "api.json"),
    json({ openapi: "3.1.0", info: { title: "a" }, servers: [{ url: "http://a.test" }], paths }),
  );
  const { stdout } = await restlab("node", ["import", "api/api.json", "-o", "a.http"], { cwd });
  expect(stdout).toContain('The reference "link.json#/A" leads to nothing');
  expect(stdout).toContain('The reference "../other.json#/A" leads to nothing');
  const text = readFileSync(join(cwd, "a.http"), "utf8");
  expect(text).toContain('"near"');
  expect(text).not.toContain('"other"');
});

test("reads a folder of Bruno", async () => {
  const cwd = folderWith({});
  mkdirSync(join(cwd, "shop", "environments"), { recursive: true });
  writeFileSync(join(cwd, "shop", "bruno.json"), json({ name: "The shop" }));
  writeFileSync(join(cwd, "shop", "environments", "Local.bru"), "vars {\n  host: http://a.test\n}");
  writeFileSync(join(cwd, "shop", "users.bru"), "get {\n  url: {{host}}/users\n}");
  writeFileSync(join(cwd, "shop", "broken.bru"), "get {\n  url\n}");
  const { stdout } = await restlab("node", ["import", "shop", "-o", "a.http"], { cwd });
  expect(stdout).toContain("Environments, to choose with --env: Local");
  expect(stdout).toContain("broken.bru: It cannot be read: line 2: it has no colon");
  expect(readFileSync(join(cwd, "a.http"), "utf8")).toMatch(
    /^# The shop\n\n### users\n# @name users\n# @source users [0-9a-f]{8}\nGET \{\{host\}\}\/users\n$/,
  );
});

test.each([
  [
    ["import", "a.bin"],
    'Reading "a.bin" failed: its format is not known; write --from with one of',
  ],
  [["import", "none.json"], 'Reading "none.json" failed: there is no such file'],
  [["import", "a.bin", "--from", "soap"], '"soap" is not a format that can be imported'],
  [
    ["import", "shop.json", "-o", "a.txt"],
    "name a notebook (.ipynb), a file of requests (.http) or a folder",
  ],
  [["shop.json"], 'write "restlab import shop.json"'],
])("%j is a clear error", async (words, message) => {
  const cwd = folderWith({ "a.bin": "hello", "shop.json": COLLECTION });
  const { status, stderr } = await restlab("node", words, { cwd });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

describe("%import", () => {
  const notebook = (...sources: readonly string[]): string =>
    json({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: sources.map((source, index) => ({
        cell_type: "code",
        id: `cell-${index}`,
        metadata: {},
        source,
        outputs: [],
        execution_count: null,
      })),
    });
  const ENVIRONMENT = json({ name: "Local", values: [{ key: "host", value: "http://b.test" }] });

  test("imports in the folder of the notebook, and reads the environment that it wrote", async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, "api"));
    const shared = json({
      info: { name: "Shop" },
      variable: [{ key: "host", value: "h" }],
      item: [],
    });
    const files = {
      "shop.json": COLLECTION,
      "host.json": shared,
      "a.ipynb": notebook(
        "%import shop.json -o 'my shop.http' # no comment",
        "1 + 1",
        '%import "host.json"  -o host.http\n%strict on\n// below\nclient.getVar("host")',
        "%import shop.json -o 'my shop.http'\n# @import my shop.http\n# @ref A\nGET http://127.0.0.1:9/",
      ),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, "api", name), text);
    const { stdout, stderr } = await restlab("node", ["run", "api/a.ipynb", "--keep-going"], {
      cwd,
    });
    expect(stderr).toContain('Reading "#" failed: there is no such file');
    expect(stdout).toContain("Imported 0 requests:\n  host.http\n  http-client.env.json\nh\n");
    expect(stdout).toContain("Imported 1 request:\n  my shop.http\n");
    expect(readdirSync(join(cwd, "api"))).toContain("my shop.http");
    expect(readdirSync(cwd)).toEqual(["api"]);
  });

  test.each([
    ["%import", "Importing failed: No source is given"],
    ["%import -", "Importing failed: only a command has standard input"],
    ["%import none.json", 'Reading "none.json" failed: there is no such file'],
    ["%import --bogus a.json", "Importing failed: Unknown option --bogus"],
  ])("%s is a clear error, and runs nothing below it", async (line, message) => {
    const cwd = folderWith({ "a.ipynb": notebook(`${line}\nconsole.log("be" + "low")`) });
    const { status, stderr, stdout } = await restlab("node", ["run", "a.ipynb"], { cwd });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain(message);
    expect(stdout).not.toContain("below");
  });

  test("of a server that does not answer ends by an interrupt", { timeout: 20_000 }, async () => {
    const platform = { ...currentPlatform(), directory: folderWith({}) };
    const importDocuments = async (source: string): Promise<readonly string[]> =>
      (await runImport({ sources: [source] }, platform)).text;
    const session = await createSession({ platform: { ...platform, importDocuments } });
    const server = createServer(() => session.interrupt());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const sink = { stream: () => undefined, display: () => undefined, end: () => undefined };
    const outcome = await session.execute(`%import http://127.0.0.1:${port}/a.json`, sink);
    server.close();
    expect(outcome).toMatchObject({ status: "error", error: { name: "InterruptedError" } });
    expect(readdirSync(platform.directory)).toEqual([]);
  });

  test("works at the prompt's standard input, and --help prints the options", async () => {
    const cwd = folderWith({ "shop.json": COLLECTION, "env.json": ENVIRONMENT });
    const { stdout } = await restlab("node", [], { cwd, input: "%import --help\n" });
    expect(stdout).toContain("--dry-run");
    const { status } = await restlab("node", [], { cwd, input: "%import shop.json -o a.http\n" });
    expect(status).toBe(0);
    expect(existsSync(join(cwd, "a.http"))).toBe(true);
  });
});
