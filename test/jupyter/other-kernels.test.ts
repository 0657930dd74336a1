import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import type { Demo } from "../../kernel/demo/serve.ts";
import { EXECUTE, parentOf, textOf, typeOf } from "./kernel-client.ts";
import { FOREIGN_COMMANDS, type KernelProcess, RUNTIMES, startKernel } from "./kernel-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ port: 0 });
});
afterAll(async () => await demo.close());

/** Prepares a folder as if `npm install restlab` had run in it. */
function installLibrary(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules", "restlab"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "dependencies": { "restlab": "*" } }\n');
}

const startForeign = (name: keyof typeof FOREIGN_COMMANDS): Promise<KernelProcess> =>
  startKernel("node", {
    command: FOREIGN_COMMANDS[name],
    isForeign: true,
    prepare: installLibrary,
  });

/** What the text of a response must contain. */
function expectTextTable(text: string): void {
  expect(text).toContain("200 OK · Successful");
  expect(text).toContain(`GET ${demo.url}/users?limit=2`);
  expect(text).toMatch(/id\s.*name/);
  expect(text).toContain("Ada Lovelace");
}

describe("in deno jupyter", () => {
  let kernel: KernelProcess;
  beforeAll(async () => {
    kernel = await startForeign("deno");
  });
  afterAll(async () => await kernel?.dispose());

  test("an Exchange as last value is a result with the rich table", async () => {
    const { client } = kernel;
    const imported = await client.execute('import { client } from "restlab";');
    expect(imported.reply.content["status"], kernel.log()).toBe("ok");
    const code = `await client.send("GET ${demo.url}/users?limit=2")`;
    const id = await client.send("shell", "execute_request", { ...EXECUTE, code });
    // Deno's kernel publishes a result after idle now and then.
    const { content } = await client.wait(
      (message) => typeOf(message) === "execute_result" && parentOf(message) === id,
      "the result",
    );
    const data = content["data"] as Readonly<Record<string, string>>;
    expect(data["text/html"]).toContain("<table");
    expect(data["text/html"]).toContain("Ada Lovelace");
    expect(data["text/html"]).toContain("Successful");
    expectTextTable(data["text/plain"] ?? "");
  });

  test("printing an Exchange gives the text table", async () => {
    expectTextTable(textOf("stdout", await kernel.client.execute("console.log(client.last)")));
  });
});

describe("in tslab's own kernel", () => {
  let kernel: KernelProcess;
  beforeAll(async () => {
    kernel = await startForeign("tslab");
  });
  afterAll(async () => await kernel?.dispose());

  test("printing an Exchange gives the text table", async () => {
    const { client } = kernel;
    const imported = await client.execute('import { client } from "restlab";');
    expect(textOf("stderr", imported)).toBe("");
    const code = `console.log(await client.send("GET ${demo.url}/users?limit=2"))`;
    expectTextTable(textOf("stdout", await client.execute(code)));
  });
});

describe("in a plain script", () => {
  const folder = mkdtempSync(join(tmpdir(), "restlab-script-"));
  const script = join(folder, "script.mjs");
  beforeAll(() => {
    installLibrary(folder);
    const lines = [
      'import { client } from "restlab";',
      "console.log(await client.send('GET ' + process.argv[2] + '/users?limit=2'));",
    ];
    writeFileSync(script, lines.join("\n"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const commands = {
    node: RUNTIMES.node.slice(0, 1),
    deno: RUNTIMES.deno.slice(0, -1),
    bun: RUNTIMES.bun.slice(0, 1),
  };
  test.each(Object.entries(commands))("printing gives the text table on %s", async (...given) => {
    const [, [program = "", ...words]] = given;
    const { stdout } = await run(program, [...words, script, demo.url], { cwd: folder });
    expectTextTable(stdout);
  });
});
