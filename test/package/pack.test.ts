import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeKinds } from "./kinds.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RUNTIMES = {
  node: [process.execPath],
  deno: [join(ROOT, "node_modules/.bin/deno"), "run", "-A", "--no-lock"],
  bun: [join(ROOT, "node_modules/.bin/bun"), "run"],
} as const;

const PROGRAM = `
import { createClient, interpolate } from "restlab";
const client = createClient();
client.setVar("page", { limit: 2 });
console.log(interpolate("{{a.b}}", { a: { b: 1 } }), client.render("GET http://api.test/?n={{page.limit}}").url, client.version);
`;

/** It is its own proxy: whatever is asked for, it answers with the URL that it was handed. */
const PLATFORM = `
import { createServer } from "node:http";
import process from "node:process";
import { createClient } from "restlab";
import { platform } from "restlab/platform";
const proxy = createServer((request, response) => response.end("through the proxy: " + request.url));
await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
const connection = { proxy: "http://127.0.0.1:" + proxy.address().port };
console.log((await createClient({ ...platform, connection }).send("GET http://api.test/users")).text);
process.exit(0);
`;

/** A guest in a program that has its own ways: after it they are as before, and the program ends by itself. */
const RUN = `
import process from "node:process";
import { runFile } from "restlab/run";
const own = { log: console.log, write: process.stdout.write, exit: process.exit, fetch, setTimeout };
const vars = { limit: 1 };
const results = await Promise.all([1, 2].map(() => runFile("tested.http", { demo: true, vars })));
for (const { ok, tests, requests } of results)
  console.log(ok, tests.map(({ name, message, stdout }) => [name, message ?? stdout?.[0]].join(": ")).join("; "), requests[0].json.length);
console.log(await runFile("missing.http").catch(({ name, message }) => name + ": " + message));
const isSame = own.log === console.log && own.write === process.stdout.write && own.exit === process.exit;
const handlers = ["SIGINT", "beforeExit", "uncaughtException", "unhandledRejection"].map((name) => process.listenerCount(name));
console.log(isSame && own.fetch === fetch && own.setTimeout === setTimeout, handlers.join(), "client" in globalThis, process.exitCode);
`;

const TESTED = `### list
GET {{base}}/users?limit={{limit}}
?? status == 200

> {% client.log("printed"); void Promise.reject(new Error("nobody awaits it")); %}

### later
GET {{base}}/users
?? status == 404
`;

/** A program for browsers that uses the types of most of what there is; it has none of Node's. */
const TYPED = `
import { AssertionError, type Client, type ClientOptions, createClient, createMock, createReplay, type Exchange, type Fetch, html,
  interpolate, type KyOptions, NoResponseError, PaginationError, readHar, renderBundle, type RequestSpec,
  type RestlabMatchers, restlabMatchers } from "restlab";
import { platform, type PlatformOptions } from "restlab/platform";
import { runFile, type RunFileOptions, type RunResult } from "restlab/run";
const options: ClientOptions & PlatformOptions = { ...platform, connection: { http2: true, ca: "./ca.pem" } };
export const lab: Client = createClient(options);
// @ts-expect-error Files are given by their paths.
createClient({ ...platform, connection: { ca: 1 } });
// @ts-expect-error Its type is that of browsers.
const timer: object = setTimeout(() => {}, 1);
const plain = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => new Response(String(input), init);
const sent: Fetch = globalThis.fetch;
createClient({ fetch: plain });
createClient({ fetch: undefined, timeout: undefined, connection: { proxy: undefined }, retry: { limit: undefined } });
const spec: RequestSpec = { url: "http://api.test/users", json: { name: "Ada" }, headers: undefined };
const exchange: Exchange = await lab.send(spec, { signal: undefined });
const status: number = exchange.status;
const named: Exchange | undefined = lab.responses["login"];
for await (const item of lab.stream("GET http://api.test/", { as: "events" })) { const id: string | undefined = item.id; void id; }
for await (const item of lab.stream("GET http://api.test/")) { if (item.kind === "bytes") { const bytes: Uint8Array = item.bytes; void bytes; } }
try { await lab.send("GET http://api.test/"); } catch (error) {
  if (error instanceof NoResponseError) { const code: string = error.code; void code; }
  if (error instanceof PaginationError) error.pages[0]?.status;
  if (error instanceof AssertionError) error.exchange;
}
const ky: KyOptions = { hooks: { beforeRequest: [(request) => { request.headers.set("a", "b"); }] } };
const socket = (await platform.openWebSocket("ws://api.test/", { headers: [], protocols: [] } as never)).send(new Uint8Array());
const texts: string[] = [interpolate("a {{b}}", { b: 1 }), renderBundle(exchange)["text/plain"], String(html\`<b>\${1}</b>\`)];
void [lab.extend({ ky }), createClient(createReplay(readHar("{}", "a"))), timer, sent, status, named, socket, texts];
const mock = createMock([{ method: "GET", url: /users/, response: async (request) => Response.json(await request.json()) }]);
createClient({ fetch: mock.fetch });
// @ts-expect-error A route has a response.
createMock([{ url: "/users" }]);
interface Matchers<R> extends RestlabMatchers<R> { not: Matchers<R> }
declare function expect(value: unknown): Matchers<void>;
expect(exchange).not.toHaveStatus("4xx");
// @ts-expect-error There is no such class.
expect(exchange).toHaveStatus("6xx");
const passed: Promise<void> = expect(exchange).toPass("?? status == 200");
void [passed, restlabMatchers.toHaveStatus];
const given: RunFileOptions = { vars: { id: 1, list: ["a"] }, names: ["list"], signal: AbortSignal.timeout(1) };
const result: RunResult = await runFile(new URL("file:///a.http"), given);
export const bodies: readonly string[] = result.requests.map((exchange) => exchange.text);
// @ts-expect-error Names are a list.
await runFile("a.http", { names: "list" });
`;

/** The programs of the page about the library, which other tests run. */
const LIBRARY_PROGRAMS = Array.from(
  readFileSync(join(ROOT, "notebooks/reference-library.md"), "utf8").matchAll(
    /^```ts\n([\s\S]*?)^```/gm,
  ),
  ([, program = ""]) => program,
);

/** The oldest version that can read the types, that of cells, and the newest. */
const COMPILERS = ["typescript-5-4", "typescript", "typescript-7"];

/** The package as a user gets it: packed, installed from the file into an empty folder. */
describe("the packed package", () => {
  let folder = "";
  let tarball = "";
  const sh = (file: string, args: readonly string[], cwd = folder): string =>
    execFileSync(file, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "restlab-pack-"));
    // `npm test` has built dist already; building again would pull it from under other tests.
    sh("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], ROOT);
    const packed = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
    tarball = join(folder, packed);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    sh("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", tarball]);
    writeFileSync(join(folder, "program.mjs"), PROGRAM);
    writeFileSync(join(folder, "platform.mjs"), PLATFORM);
    for (const [index, program] of [TYPED, ...LIBRARY_PROGRAMS].entries()) {
      writeFileSync(join(folder, `typed-${index}.ts`), program);
    }
    writeFileSync(join(folder, "run.mjs"), RUN);
    writeFileSync(join(folder, "tested.http"), TESTED);
    writeFileSync(
      join(folder, "people.http"),
      "GET {{base}}/users?name={{$faker.person.firstName}}\n",
    );
    writeFileSync(join(folder, "one.http"), "GET {{base}}/users?limit=1\n");
    writeFileSync(join(folder, "picture.http"), "GET {{base}}/image.png\n");
  }, 300_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("has what README links to", () => {
    const root = join(folder, "node_modules/restlab");
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("holds no sources, tests or benchmarks", () => {
    const names = readdirSync(join(folder, "node_modules/restlab"));
    expect(names.sort()).toEqual([
      "ARCHITECTURE.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "dist",
      "notebooks",
      "package.json",
    ]);
  });

  test("declares the library in one file, which a cell's compiler reads", () => {
    const names = readdirSync(join(folder, "node_modules/restlab/dist"), {
      recursive: true,
      encoding: "utf8",
    });
    const own = names.filter((name) => name.endsWith(".d.ts") && !name.startsWith("node_modules"));
    const parts = ["lib/interpolate.d.ts", "lib/parse.d.ts"];
    for (const part of parts) {
      const text = readFileSync(join(folder, "node_modules/restlab/dist", part), "utf8");
      expect(text).toMatch(/} from "\.\/mod\.js";\s*$/);
    }
    expect(own.filter((name) => !parts.includes(name)).sort()).toEqual([
      "kernel/platform/library.d.ts",
      "kernel/run/library.d.ts",
      "lib/mod.d.ts",
    ]);
  });

  test("has the licenses of the packages whose code or declarations it contains", () => {
    const dist = join(folder, "node_modules/restlab/dist");
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
    const codes = files.filter((name) => name.endsWith(".js"));
    // The bundler says in comments where code comes from.
    const places = codes.flatMap((name) =>
      [...readFileSync(join(dist, name), "utf8").matchAll(/^\s*\/\/.*\bnode_modules\/.*/gm)].flat(),
    );
    const found = [...files, ...places].map(
      (place) => /node_modules\/((?:@[^/]+\/)?[^/@]+)\//.exec(place)?.[1] ?? "",
    );
    const names = [...new Set(found)].filter(Boolean).sort();
    expect(names).toEqual(expect.arrayContaining(["@types/node", "chai", "js-tokens", "ws"]));
    const notices = readFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), "utf8");
    for (const name of names) {
      const package_ = join(ROOT, "node_modules", name);
      const license = readdirSync(package_).find((file) => /^licen[cs]e/i.test(file)) ?? "";
      const { version } = JSON.parse(readFileSync(join(package_, "package.json"), "utf8"));
      const text = readFileSync(join(package_, license), "utf8").trim();
      expect(notices).toMatch(new RegExp(`^${name} ${version} `, "m"));
      expect(notices, name).toContain(text);
    }
  });

  test("brings no types that change the program of who installs it", () => {
    expect(existsSync(join(folder, "node_modules/@types"))).toBe(false);
  });

  // Declarations are checked as well, but for those of the language.
  test.each(COMPILERS)("its types are right for the programs of %s", (name) => {
    const strict = [
      "--noEmit",
      "--strict",
      "--noUncheckedIndexedAccess",
      "--skipLibCheck",
      "false",
    ];
    const settings = ["--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];
    for (const exact of ["true", "false"]) {
      const flags = [...strict, ...settings, "--exactOptionalPropertyTypes", exact];
      const compiler = join(ROOT, "node_modules", name, "bin/tsc");
      const programs = [TYPED, ...LIBRARY_PROGRAMS].map((_, index) => `typed-${index}.ts`);
      const { stdout } = spawnSync(process.execPath, [compiler, ...flags, ...programs], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(stdout).toBe("");
    }
  });

  const readDeclarations = (): ts.SourceFile => {
    const path = join(folder, "node_modules/restlab/dist/lib/mod.d.ts");
    return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
  };

  test("nothing is any", () => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(node.parent.getText());
      ts.forEachChild(node, visit);
    };
    visit(readDeclarations());
    expect(found).toEqual([]);
  });

  test("what may be left out may be undefined, for exactOptionalPropertyTypes", () => {
    const file = readDeclarations();
    const { AnyKeyword, UndefinedKeyword, UnknownKeyword } = ts.SyntaxKind;
    const takesUndefined = (type: ts.TypeNode | undefined): boolean =>
      type === undefined ||
      [AnyKeyword, UndefinedKeyword, UnknownKeyword].includes(type.kind) ||
      (ts.isUnionTypeNode(type) && type.types.some(takesUndefined));
    const members: (ts.PropertySignature | ts.PropertyDeclaration)[] = [];
    const visit = (node: ts.Node): void => {
      const isProperty = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
      if (isProperty && node.questionToken !== undefined) members.push(node);
      ts.forEachChild(node, visit);
    };
    visit(file);
    expect(members.length).toBeGreaterThan(300);
    const others = members.filter(({ type }) => !takesUndefined(type));
    expect(others.map((member) => member.getText())).toEqual([]);
  });

  describe.each(Object.entries(RUNTIMES))("on %s", (name, [file, ...flags]) => {
    const main = (): string => join(folder, "node_modules/restlab/dist/kernel/main.js");
    const command = (...args: readonly string[]): string => sh(file, [...flags, main(), ...args]);

    test("works as a library", () => {
      expect(sh(file, [...flags, "program.mjs"]).trim()).toBe("1 http://api.test/?n=2 2.3.0");
    });

    test("reaches servers in other ways by restlab/platform", () => {
      expect(sh(file, [...flags, "platform.mjs"]).trim()).toBe(
        "through the proxy: http://api.test/users",
      );
    });

    test("runs documents in a program by restlab/run, as its guest", () => {
      const { stdout, stderr, status } = spawnSync(file, [...flags, "run.mjs"], {
        cwd: folder,
        encoding: "utf8",
        timeout: 120_000,
      });
      const failed = "status == 404: expected 404, found 200";
      const line = `false list: Error: nobody awaits it; later: ${failed} 1`;
      const missing = 'DocumentError: Reading "missing.http" failed: there is no such file';
      expect(stdout.trim().split("\n")).toEqual([
        line,
        line,
        missing,
        "true 0,0,0,0 false undefined",
      ]);
      expect([stderr, status]).toEqual(["", 0]);
    });

    test("says how to install faker where a request asks for realistic data", () => {
      const { stdout, stderr, status } = spawnSync(
        file,
        [...flags, main(), "run", "--demo", "people.http"],
        { cwd: folder, encoding: "utf8" },
      );
      expect(stdout + stderr).toContain("install it with npm install @faker-js/faker");
      expect(status).not.toBe(0);
    });

    test("works as a command", () => {
      expect(command("--version").trim()).toBe("2.3.0");
      expect(command("run", "--demo", "one.http")).toContain("200 OK");
    });

    test("brings the demo's samples and the logo along", () => {
      expect(command("run", "--demo", "picture.http")).toContain("image/png");
      const kernel = join(
        folder,
        "share/jupyter/kernels",
        name === "node" ? "restlab" : `restlab-${name}`,
      );
      command("install", "--prefix", folder);
      const logos = ["logo-32x32.png", "logo-64x64.png", "logo-svg.svg"];
      const names = ["kernel.js", "kernel.json", ...logos, "restlab.vsix"];
      expect(readdirSync(kernel).sort()).toEqual(names);
    });
  });

  describeKinds(() => tarball, RUNTIMES);
});
