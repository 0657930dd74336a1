import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBrowser, type WatchedBrowser } from "../browser/browser.ts";
import { makeFolder } from "../support/folders.ts";
import { hasTools } from "../support/require.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PROJECTS = join(ROOT, "test/projects");
const run = promisify(execFile);

const esbuild = (entry: string, out: string): readonly string[] => [
  "esbuild/bin/esbuild",
  entry,
  "--bundle",
  "--minify",
  "--format=iife",
  `--outfile=${out}`,
];

/** How each bundler makes one file of a program for a browser; paths are in the folder of the programs. */
const BUNDLERS: Readonly<Record<string, (entry: string, out: string) => readonly string[]>> = {
  esbuild,
  rolldown: (entry, out) => [
    "rolldown/bin/cli.mjs",
    entry,
    "--format",
    "iife",
    "--minify",
    "-o",
    out,
  ],
  rollup: (entry, out) => [
    "rollup/dist/bin/rollup",
    entry,
    "-p",
    "node-resolve={browser:true}",
    "-p",
    "commonjs",
    "--inlineDynamicImports",
    "-f",
    "iife",
    "-o",
    out,
  ],
  webpack: (entry, out) => [
    "webpack/bin/webpack.js",
    "--mode",
    "production",
    "--entry",
    `./${entry}`,
    "-o",
    ".",
    "--output-filename",
    out,
  ],
  vite: (entry, out) => [
    "vite/bin/vite.js",
    "build",
    "--outDir",
    `${out}.d`,
    "--config",
    `${entry}.vite.mjs`,
  ],
};

describe.skipIf(!hasTools("bundlers"))("programs with the built package", () => {
  let folder = "";
  const tool = async (path: string, ...args: readonly string[]): Promise<string> => {
    const file = join(folder, "node_modules", path);
    const isBinary = path.startsWith("esbuild/");
    const [program, given] = isBinary ? [file, args] : [process.execPath, [file, ...args]];
    return (await run(program, [...given], { cwd: folder })).stdout;
  };

  beforeAll(() => {
    folder = makeFolder("programs");
    cpSync(PROJECTS, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(PROJECTS, "node_modules")))
      symlinkSync(join(PROJECTS, "node_modules", name), join(modules, name));
    symlinkSync(ROOT, join(modules, "restlab"));
  });

  describe.skipIf(!hasTools("browser"))("in a browser", () => {
    let browser: WatchedBrowser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());

    const evaluate = async (script: string, expression: string): Promise<unknown> => {
      const users = JSON.stringify([{ id: 1, name: "Ada" }]);
      const { page, incidents, close } = await browser.open(({ pathname }) => {
        if (pathname === "/users") return { contentType: "application/json", body: users };
        if (pathname === "/program.js") return { contentType: "text/javascript", body: script };
        return {
          contentType: "text/html",
          body: '<!doctype html><script src="/program.js"></script>',
        };
      });
      await page.goto("http://page.test/");
      const value = await page.evaluate(expression);
      await close();
      return [value, incidents];
    };

    test.each(Object.entries(BUNDLERS))("%s", async (name, bundle) => {
      const out = `${name}.out.js`;
      const [path = "", ...args] = bundle("page.js", out);
      await tool(path, ...args);
      const script = readFileSync(
        join(folder, name === "vite" ? `${out}.d/page.iife.js` : out),
        "utf8",
      );
      expect(script).not.toMatch(/["']node:/);
      expect(await evaluate(script, "send(location.origin)")).toEqual([[200, true], []]);
    });

    test("what a browser does not send is no part of the request", async () => {
      const [path = "", ...args] = esbuild("page.js", "headers.js");
      await tool(path, ...args);
      const request = "GET /users\nX-A: 1\nCookie: a=1\nreferer: /\nX-HTTP-Method: PUT";
      const expression = `client.extend({ baseUrl: location.origin }).send(${JSON.stringify(request)})
        .then(({ request: { headers, defaults }, warnings }) => [headers, defaults, warnings])`;
      const reason = "is not sent: a page leaves it to the browser";
      const headers = [
        ["X-A", "1"],
        ["X-HTTP-Method", "PUT"],
      ];
      const warnings = [`The header "Cookie" ${reason}`, `The header "referer" ${reason}`];
      const script = readFileSync(join(folder, "headers.js"), "utf8");
      expect(await evaluate(script, expression)).toEqual([[headers, [], warnings], []]);
    });

    test("the template language alone is a small part", async () => {
      const [path = "", ...args] = esbuild("interpolation.js", "small.js");
      await tool(path, ...args);
      const script = readFileSync(join(folder, "small.js"), "utf8");
      expect(gzipSync(script).length).toBeLessThan(16_000);
      expect(await evaluate(script, "greeting")).toEqual(["Hello Ada", []]);
    });
  });

  test("a page loads little at first, and nothing that it does not use", async () => {
    const { stdout } = await run(process.execPath, [join(ROOT, "test/bench/sizes.mjs")]);
    const firstOf = (name: string): number =>
      Number(new RegExp(`^${name} +\\d+ +(\\d+)`, "m").exec(stdout)?.[1]);
    expect(firstOf("version")).toBeLessThan(100);
    expect(firstOf("interpolate")).toBeLessThan(15_000);
    expect(firstOf("parse")).toBeLessThan(49_000);
    expect(firstOf("page")).toBeLessThan(205_000);
  });

  test("schemas of Zod, Valibot and ArkType say what a response is", async () => {
    const flags = ["--module", "nodenext", "--target", "es2022", "--strict", "--skipLibCheck"];
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [compiler, ...flags, "schemas.mts"], { cwd: folder });
    const { stdout } = await run(process.execPath, ["schemas.mjs"], { cwd: folder });
    const seen = "1 2020 [ '$.born', '$.id' ] true";
    expect(stdout).toBe(`zod ${seen}\nvalibot ${seen}\narktype ${seen}\n`);
  });

  test("a bundle for Node that is no module", async () => {
    await tool(
      "esbuild/bin/esbuild",
      "page.js",
      "--bundle",
      "--platform=node",
      "--format=cjs",
      "--outfile=page.cjs",
    );
    const server = createServer((_request, response) => {
      response.setHeader("Content-Type", "application/json").end('[{"name":"Ada"}]');
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { readonly port: number };
    const code = `require("./page.cjs"); send("http://127.0.0.1:${port}").then((it) => console.log(it.join()))`;
    const { stdout } = await run(process.execPath, ["-e", code], { cwd: folder });
    server.close();
    expect(stdout).toBe("200,true\n");
  });

  test("Jest, with babel", async () => {
    const args = [
      "--rootDir",
      "jest",
      "--transformIgnorePatterns",
      "^$",
      "--testMatch",
      "**/*.test.cjs",
    ];
    const { stderr } = await run(
      process.execPath,
      [join(folder, "node_modules/jest/bin/jest.js"), ...args],
      {
        cwd: folder,
      },
    );
    expect(stderr).toContain("4 passed, 4 total");
  });

  test("the test runner of Bun", async () => {
    const bun = join(ROOT, "node_modules/.bin/bun");
    const { stderr } = await run(bun, ["test", "./bun/client.test.js"], { cwd: folder });
    expect(stderr).toContain("1 pass");
  });

  test("requests that are traced keep their headers, and have those of the trace", async () => {
    const server = createServer((request, response) => {
      response
        .setHeader("Content-Type", "application/json")
        .end(JSON.stringify(request.rawHeaders));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { readonly port: number };
    const { stdout } = await run(process.execPath, ["tracing.cjs", `http://127.0.0.1:${port}`], {
      cwd: folder,
    });
    server.close();
    const raw = JSON.parse(stdout) as string[];
    const valuesOf = (wanted: string): string[] =>
      raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === wanted);
    expect(valuesOf("authorization")).toEqual(["Bearer t-0123456789"]);
    expect(valuesOf("x-a")).toEqual(["1", "2", "3"]);
    expect(valuesOf("traceparent")).toHaveLength(1);
  });

  test("mocks of nock see the headers", async () => {
    expect((await run(process.execPath, ["mocked.cjs"], { cwd: folder })).stdout).toBe(
      '[{"id":1}]\n',
    );
  });
});
