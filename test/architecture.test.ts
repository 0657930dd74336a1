import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/**
 * Who may import whom, from the lowest folder up: a folder may import those that stand in its list, through
 * their `mod.ts`, and its own files. Inside a folder its parts are named one by one; from outside only
 * its face is seen. `node:` modules are free in `kernel`.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "lib/interpolation/faults": [],
  "lib/interpolation/parse": ["lib/interpolation/faults"],
  "lib/interpolation/values": ["lib/interpolation/parse"],
  "lib/interpolation/render": [
    "lib/interpolation/faults",
    "lib/interpolation/parse",
    "lib/interpolation/values",
  ],
  "lib/interpolation": [
    "lib/interpolation/faults",
    "lib/interpolation/parse",
    "lib/interpolation/render",
    "lib/interpolation/values",
  ],
  "lib/shape": ["lib/interpolation"],
  "lib/assertions": ["lib/interpolation"],
  "lib/curl/read": ["lib/interpolation"],
  "lib/curl/write": [],
  "lib/curl/httpie": ["lib/interpolation"],
  "lib/curl": ["lib/curl/httpie", "lib/curl/read", "lib/curl/write"],
  "lib/secrets/search": [],
  "lib/secrets/find": ["lib/interpolation", "lib/secrets/search"],
  "lib/secrets": ["lib/secrets/find", "lib/secrets/search"],
  "lib/exchange/body": ["lib/interpolation", "lib/secrets"],
  "lib/exchange/streaming": [],
  "lib/request/draft": ["lib/assertions", "lib/interpolation", "lib/shape"],
  "lib/request/parse/lines": ["lib/interpolation", "lib/request/draft"],
  "lib/request/parse/body": ["lib/interpolation", "lib/request/draft", "lib/request/parse/lines"],
  "lib/request/parse": [
    "lib/assertions",
    "lib/curl",
    "lib/interpolation",
    "lib/request/draft",
    "lib/request/parse/body",
    "lib/request/parse/lines",
  ],
  "lib/request/render": ["lib/interpolation", "lib/request/draft", "lib/shape"],
  "lib/request/imports": ["lib/interpolation", "lib/request/draft", "lib/request/parse"],
  "lib/request/check": [
    "lib/interpolation",
    "lib/request/draft",
    "lib/request/imports",
    "lib/request/parse",
    "lib/request/render",
  ],
  "lib/request": [
    "lib/request/check",
    "lib/request/draft",
    "lib/request/imports",
    "lib/request/parse",
    "lib/request/render",
  ],
  "lib/exchange": [
    "lib/assertions",
    "lib/curl",
    "lib/exchange/body",
    "lib/exchange/streaming",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
    "lib/shape",
  ],
  "lib/http/middleware/cookies": [],
  "lib/http/middleware/credentials/authorizer": [],
  "lib/http/request/bodies": ["lib/interpolation"],
  "lib/http/request": [
    "lib/exchange",
    "lib/http/request/bodies",
    "lib/interpolation",
    "lib/request",
    "lib/shape",
  ],
  "lib/http/transport": [
    "lib/exchange",
    "lib/http/middleware/credentials/authorizer",
    "lib/http/request",
    "lib/http/request/bodies",
    "lib/interpolation",
    "lib/secrets",
  ],
  "lib/http/response": ["lib/exchange", "lib/http/request", "lib/http/transport", "lib/secrets"],
  "lib/http/middleware": [
    "lib/exchange",
    "lib/http/middleware/cookies",
    "lib/http/middleware/credentials/authorizer",
    "lib/http/request",
    "lib/http/request/bodies",
    "lib/http/response",
    "lib/http/transport",
  ],
  "lib/http/middleware/credentials/digest": ["lib/http/middleware/credentials/authorizer"],
  "lib/http/middleware/credentials/oauth2": ["lib/http/middleware/credentials/authorizer"],
  "lib/http/middleware/credentials": [
    "lib/http/middleware/credentials/authorizer",
    "lib/http/middleware/credentials/digest",
    "lib/http/middleware/credentials/oauth2",
  ],
  "lib/http": [
    "lib/assertions",
    "lib/exchange",
    "lib/http/middleware",
    "lib/http/middleware/cookies",
    "lib/http/middleware/credentials",
    "lib/http/middleware/credentials/authorizer",
    "lib/http/request",
    "lib/http/request/bodies",
    "lib/http/response",
    "lib/http/transport",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
  ],
  "lib/client/batch": ["lib/exchange", "lib/http", "lib/interpolation"],
  "lib/client/scripts": [
    "lib/assertions",
    "lib/exchange",
    "lib/http",
    "lib/interpolation",
    "lib/request",
  ],
  "lib/client/stream": ["lib/exchange", "lib/http"],
  "lib/variables/environments": ["lib/exchange", "lib/interpolation", "lib/request"],
  "lib/variables/generators": ["lib/exchange", "lib/interpolation", "lib/request"],
  "lib/variables/requests": ["lib/exchange", "lib/interpolation", "lib/request", "lib/secrets"],
  "lib/variables": [
    "lib/exchange",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
    "lib/variables/environments",
    "lib/variables/generators",
    "lib/variables/requests",
  ],
  "lib/websocket": ["lib/exchange", "lib/http", "lib/request"],
  "lib/har": [
    "lib/exchange",
    "lib/http",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
    "lib/websocket",
  ],
  "lib/verify": [
    "lib/exchange",
    "lib/har",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
    "lib/shape",
  ],
  "lib/openapi": [
    "lib/assertions",
    "lib/exchange",
    "lib/interpolation",
    "lib/request",
    "lib/shape",
  ],
  "lib/client": [
    "lib/assertions",
    "lib/client/batch",
    "lib/client/scripts",
    "lib/client/stream",
    "lib/exchange",
    "lib/har",
    "lib/http",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
    "lib/variables",
    "lib/websocket",
  ],
  "lib/display/blocks": ["lib/exchange", "lib/interpolation", "lib/secrets"],
  "lib/display/json-preview": ["lib/exchange", "lib/interpolation"],
  "lib/display/bodies": [
    "lib/display/blocks",
    "lib/display/json-preview",
    "lib/exchange",
    "lib/interpolation",
    "lib/request",
  ],
  "lib/display/text": ["lib/display/blocks"],
  "lib/display/formats": ["lib/display/blocks", "lib/display/text", "lib/interpolation"],
  "lib/display/bundles": [
    "lib/display/blocks",
    "lib/display/bodies",
    "lib/display/formats",
    "lib/display/text",
    "lib/exchange",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
  ],
  "lib/display/tables": ["lib/display/blocks", "lib/exchange"],
  "lib/display/details": ["lib/assertions", "lib/display/blocks", "lib/exchange"],
  "lib/display": [
    "lib/display/blocks",
    "lib/display/bodies",
    "lib/display/bundles",
    "lib/display/details",
    "lib/display/formats",
    "lib/display/json-preview",
    "lib/display/tables",
    "lib/display/text",
    "lib/exchange",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
  ],
  lib: [
    "lib/assertions",
    "lib/client",
    "lib/display",
    "lib/exchange",
    "lib/har",
    "lib/http",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
    "lib/shape",
    "lib/variables",
    "lib/websocket",
  ],
  // The platform implements the interfaces that the library declares; it imports their types.
  "kernel/platform/files": ["lib"],
  "kernel/platform/runtime": ["kernel/platform/files"],
  "kernel/platform/connection/node-http": ["lib"],
  "kernel/platform/connection": [
    "kernel/platform/connection/node-http",
    "kernel/platform/runtime",
    "lib",
  ],
  "kernel/platform/history": ["kernel/platform/files"],
  "kernel/platform/loops": ["kernel/platform/runtime"],
  "kernel/platform": [
    "kernel/platform/connection",
    "kernel/platform/files",
    "kernel/platform/history",
    "kernel/platform/loops",
    "kernel/platform/runtime",
    "lib",
  ],
  "kernel/language": [],
  "kernel/demo/http": [],
  "kernel/demo/routes": ["kernel/demo/http"],
  "kernel/demo/samples": ["kernel/demo/http", "kernel/platform"],
  "kernel/demo/users": ["kernel/demo/http"],
  "kernel/demo": [
    "kernel/demo/http",
    "kernel/demo/routes",
    "kernel/demo/samples",
    "kernel/demo/users",
    "kernel/platform",
    "lib/display",
  ],
  "kernel/session/words": [],
  "kernel/session/cell": ["kernel/session/words", "lib", "lib/request"],
  "kernel/session/compiler/files": [],
  "kernel/session/compiler": ["kernel/session/compiler/files", "lib"],
  "kernel/session/typescript": [
    "kernel/platform",
    "kernel/session/cell",
    "kernel/session/compiler",
    "kernel/session/words",
    "lib",
    "lib/interpolation",
  ],
  "kernel/session/completion": [
    "kernel/session/cell",
    "kernel/session/typescript",
    "kernel/session/words",
    "lib",
    "lib/interpolation",
    "lib/request",
  ],
  "kernel/session/output/live": ["kernel/session/cell", "lib", "lib/display", "lib/exchange"],
  "kernel/session/output": [
    "kernel/platform",
    "kernel/session/cell",
    "kernel/session/output/live",
    "lib",
    "lib/display",
    "lib/exchange",
    "lib/shape",
    "lib/verify",
  ],
  "kernel/session/display": [
    "kernel/session/cell",
    "kernel/session/output",
    "lib",
    "lib/display",
    "lib/exchange",
    "lib/request",
    "lib/secrets",
  ],
  "kernel/session/tests": [
    "kernel/platform",
    "kernel/session/cell",
    "kernel/session/output",
    "lib",
    "lib/assertions",
    "lib/display",
    "lib/exchange",
    "lib/interpolation",
    "lib/secrets",
  ],
  "kernel/session/client": ["kernel/platform", "kernel/session/output", "lib", "lib/exchange"],
  "kernel/session/scripts": [
    "kernel/session/cell",
    "kernel/session/client",
    "kernel/session/output",
    "kernel/session/tests",
    "lib",
    "lib/interpolation",
    "lib/request",
  ],
  "kernel/session": [
    "kernel/demo",
    "kernel/platform",
    "kernel/session/cell",
    "kernel/session/client",
    "kernel/session/compiler",
    "kernel/session/completion",
    "kernel/session/display",
    "kernel/session/output",
    "kernel/session/scripts",
    "kernel/session/tests",
    "kernel/session/typescript",
    "kernel/session/words",
    "lib",
    "lib/exchange",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
  ],
  "kernel/check": ["kernel/platform", "kernel/session", "lib", "lib/display", "lib/request"],
  "kernel/jupyter/messages": ["kernel/session"],
  "kernel/transport/zmtp": [],
  "kernel/transport/sockets": ["kernel/transport/zmtp"],
  "kernel/transport/thread": ["kernel/transport/sockets", "kernel/transport/zmtp"],
  "kernel/transport": [
    "kernel/transport/sockets",
    "kernel/transport/thread",
    "kernel/transport/zmtp",
  ],
  "kernel/jupyter/sockets": [
    "kernel/jupyter/messages",
    "kernel/platform",
    "kernel/session",
    "kernel/transport",
  ],
  "kernel/jupyter/kernel": [
    "kernel/language",
    "kernel/jupyter/messages",
    "kernel/jupyter/sockets",
    "kernel/platform",
    "kernel/session",
  ],
  "kernel/jupyter/handlers": [
    "kernel/jupyter/kernel",
    "kernel/jupyter/messages",
    "kernel/jupyter/sockets",
    "kernel/platform",
    "kernel/session",
    "kernel/transport",
    "lib",
    "lib/display",
  ],
  "kernel/jupyter/install": [
    "kernel/jupyter/kernel",
    "kernel/language",
    "kernel/platform",
    "lib/display",
  ],
  "kernel/jupyter": [
    "kernel/jupyter/handlers",
    "kernel/jupyter/install",
    "kernel/jupyter/kernel",
    "kernel/jupyter/messages",
    "kernel/jupyter/sockets",
    "kernel/platform",
    "kernel/session",
    "lib/display",
  ],
  "kernel/notebook/document": [
    "kernel/language",
    "kernel/platform",
    "kernel/session",
    "lib",
    "lib/interpolation",
    "lib/shape",
  ],
  "kernel/notebook/run": [
    "kernel/notebook/document",
    "kernel/platform",
    "kernel/session",
    "lib",
    "lib/interpolation",
    "lib/request",
  ],
  "kernel/notebook/context": [
    "kernel/demo",
    "kernel/notebook/document",
    "kernel/notebook/run",
    "kernel/platform",
    "kernel/session",
    "lib",
    "lib/display",
  ],
  "kernel/terminal": [
    "kernel/platform",
    "lib",
    "lib/display",
    "lib/exchange",
    "lib/interpolation",
    "lib/request",
    "lib/secrets",
  ],
  "kernel/notebook": [
    "kernel/notebook/context",
    "kernel/notebook/document",
    "kernel/notebook/run",
    "kernel/platform",
    "kernel/session",
    "kernel/terminal",
    "lib",
    "lib/display",
  ],
  "kernel/reports": ["kernel/notebook", "kernel/platform", "lib/display"],
  "kernel/suite/selection": [
    "kernel/notebook",
    "kernel/platform",
    "lib",
    "lib/exchange",
    "lib/interpolation",
  ],
  "kernel/suite/results": [
    "kernel/notebook",
    "kernel/session",
    "kernel/suite/selection",
    "lib",
    "lib/display",
    "lib/exchange",
  ],
  "kernel/suite/reports": [
    "kernel/platform",
    "kernel/reports",
    "kernel/suite/results",
    "lib/display",
  ],
  "kernel/suite": [
    "kernel/notebook",
    "kernel/platform",
    "kernel/reports",
    "kernel/suite/reports",
    "kernel/suite/results",
    "kernel/suite/selection",
    "kernel/terminal",
    "lib",
    "lib/display",
  ],
  "kernel/verify": [
    "kernel/notebook",
    "kernel/platform",
    "kernel/reports",
    "kernel/session",
    "kernel/terminal",
    "lib",
    "lib/display",
    "lib/har",
    "lib/openapi",
    "lib/shape",
    "lib/verify",
  ],
  "kernel/repl/terminal": ["kernel/platform", "lib", "lib/display"],
  "kernel/repl/entry": ["kernel/session", "lib", "lib/request"],
  "kernel/repl/editor": [
    "kernel/repl/entry",
    "kernel/repl/terminal",
    "kernel/session",
    "lib/display",
  ],
  "kernel/repl/journal": [
    "kernel/platform",
    "kernel/repl/entry",
    "kernel/session",
    "lib",
    "lib/curl",
    "lib/interpolation",
  ],
  "kernel/repl/commands": [
    "kernel/platform",
    "kernel/repl/entry",
    "kernel/repl/journal",
    "kernel/session",
    "kernel/terminal",
    "lib",
    "lib/display",
    "lib/interpolation",
    "lib/request",
  ],
  "kernel/repl/results": [
    "kernel/platform",
    "kernel/repl/commands",
    "kernel/repl/editor",
    "kernel/terminal",
    "lib",
    "lib/display",
    "lib/exchange",
    "lib/request",
  ],
  "kernel/repl": [
    "kernel/platform",
    "kernel/repl/commands",
    "kernel/repl/editor",
    "kernel/repl/entry",
    "kernel/repl/journal",
    "kernel/repl/results",
    "kernel/repl/terminal",
    "kernel/session",
    "kernel/terminal",
    "lib",
    "lib/curl",
    "lib/display",
    "lib/interpolation",
    "lib/request",
  ],
  "kernel/arguments": [
    "kernel/check",
    "kernel/jupyter",
    "kernel/notebook",
    "kernel/repl",
    "kernel/suite",
    "kernel/verify",
    "lib/curl",
    "lib/interpolation",
  ],
  kernel: [
    "kernel/arguments",
    "kernel/check",
    "kernel/demo",
    "kernel/jupyter",
    "kernel/notebook",
    "kernel/platform",
    "kernel/repl",
    "kernel/suite",
    "kernel/verify",
    "lib",
    "lib/display",
  ],
};

/** The packages that a folder may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "kernel/platform/connection": ["undici"],
  "kernel/platform": ["ws"],
  "lib/exchange/body": ["lossless-json"],
  "lib/variables/environments": ["jsonc-parser"],
  "lib/exchange/streaming": ["eventsource-parser"],
  "lib/http/middleware/cookies": ["tough-cookie"],
  "lib/http/transport": ["ky"],
  "lib/assertions": ["@noble/hashes"],
  "lib/http/middleware/credentials/digest": ["@noble/hashes"],
  "lib/http/middleware/credentials/oauth2": ["oauth4webapi"],
  "lib/http/middleware/credentials": ["@noble/hashes", "aws4fetch"],
  "lib/http": ["ky"],
  "lib/client/batch": ["http-link-header"],
  "lib/openapi": ["@cfworker/json-schema", "yaml"],
  "lib/display/text": ["get-east-asian-width"],
  "kernel/demo/http": ["hono"],
  "kernel/demo/routes": ["hono", "ws"],
  "kernel/demo/users": ["hono"],
  "kernel/demo": ["hono", "srvx"],
  "kernel/session/compiler": ["typescript"],
  "kernel/session/compiler/files": ["typescript"],
  "kernel/session/tests": ["@cfworker/json-schema", "@vitest/expect"],
  "kernel/suite/selection": ["papaparse"],
  "kernel/terminal": ["picocolors"],
  "kernel/repl/editor": ["js-tokens"],
  "kernel/repl/entry": ["js-tokens"],
};

/** Names that only `kernel/platform` may say, and where else a reason lets them stand. */
const RUNTIME_NAMES = /\b(Deno|Bun)\s*[.?[]|globalThis\.(Deno|Bun|process)\b/;

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
  /** Those that are not put off until they are needed. */
  readonly statics: readonly string[];
}

const sources: readonly Source[] = ["lib", "kernel"].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readSource(join(top, name))),
);

function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "");
  const found = code.matchAll(
    /^\s*(?:import|export)\b[^;"']*?from\s*["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']/gm,
  );
  const matches = [...found];
  const imports = matches.map(([, from, late, bare]) => from ?? late ?? bare ?? "");
  const statics = matches.flatMap(([, from, , bare]) => from ?? bare ?? []);
  return { path, folder: dirname(path), text: code, imports, statics };
}

describe("architecture", () => {
  test("the platform imports types of the library alone", () => {
    const values = sources
      .filter(({ folder }) => folder.startsWith("kernel/platform"))
      .filter(({ text }) => /^import (?!type)[^;]*"(?:\.\.\/)+lib\//m.test(text));
    expect(values.map(({ path }) => path)).toEqual([]);
  });

  test("every folder stands in the table and has a face that only re-exports", () => {
    const folders = [...new Set(sources.map(({ folder }) => folder))];
    expect(folders.filter((folder) => !(folder in FOLDERS))).toEqual([]);
    expect(Object.keys(FOLDERS).filter((folder) => !folders.includes(folder))).toEqual([]);
    const faces = new Map(
      sources.filter(({ path }) => path.endsWith("/mod.ts")).map((s) => [s.folder, s]),
    );
    // What lies in `kernel` itself is the command, which nobody imports.
    expect(folders.filter((folder) => folder !== "kernel" && !faces.has(folder))).toEqual([]);
    const others = [...faces.values()].filter(
      ({ folder, text }) => folder !== "lib" && !isFace(text),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  test("a folder imports only those below it", () => {
    const order = Object.keys(FOLDERS);
    const upward = Object.entries(FOLDERS).flatMap(([folder, below]) =>
      below
        .filter((other) => order.indexOf(other) >= order.indexOf(folder))
        .map((other) => `${folder} imports ${other}`),
    );
    expect(upward).toEqual([]);
  });

  test("a folder has at most sixteen files of its own", () => {
    const count = (folder: string) => sources.filter((source) => source.folder === folder).length;
    expect(Object.keys(FOLDERS).filter((folder) => count(folder) > 16)).toEqual([]);
  });

  test("folders import only what the tables allow, and each other through mod.ts", () => {
    expect(sources.flatMap(violations)).toEqual([]);
  });

  test("files do not import each other in a circle", () => {
    expect(cycles()).toEqual([]);
  });

  test("only kernel/platform names a runtime", () => {
    const named = sources.filter(
      ({ folder, text }) =>
        !folder.startsWith("kernel/platform") && RUNTIME_NAMES.test(withoutTexts(text)),
    );
    expect(named.map(({ path }) => path)).toEqual([]);
  });

  test("lib uses web standards alone", () => {
    const outside = sources.filter(
      ({ path, text }) =>
        path.startsWith("lib/") && /["']node:|\bprocess\.|\bBuffer\b|\brequire\(/.test(text),
    );
    expect(outside.map(({ path }) => path)).toEqual([]);
  });

  test("ky is imported by the files meant for it alone, and the compiler's types by its folder", () => {
    const importers = (name: string) =>
      sources
        .filter(({ imports }) => imports.some((it) => it === name || it.startsWith(`${name}/`)))
        .map(({ path }) => path);
    expect(importers("ky")).toEqual(["lib/http/call-ky.ts", "lib/http/transport/ky-options.ts"]);
    const compiler = importers("typescript").filter(
      (it) => !it.startsWith("kernel/session/compiler/"),
    );
    expect(compiler).toEqual([]);
  });

  test("packages that few requests need are loaded by those alone", () => {
    const heavy =
      /^\s*(?:import|export)\s+(?!type\b)[^;"']*?from\s*["'](?:tough-cookie|oauth4webapi|aws4fetch|@noble\/hashes|undici|typescript)\b/m;
    expect(sources.filter(({ text }) => heavy.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

/** The code without its strings and line comments: `Symbol.for("Deno.customInspect")` names none. */
function withoutTexts(code: string): string {
  return code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/\/\/.*$/gm, "");
}

/** Whether a face holds nothing but exports of other files. */
function isFace(text: string): boolean {
  return text.replace(/^export (?:type )?(?:\*|\{[^}]*\}) from "[^"]+";$/gm, "").trim() === "";
}

function violations({ path, folder, imports }: Source): readonly string[] {
  return imports.flatMap((name) => {
    // The declarations that cells see import the library by its name; they are text here.
    if (name === "restlab") return [];
    if (name.startsWith("node:")) {
      return path.startsWith("lib/") ? [`${path} imports ${name}`] : [];
    }
    if (!name.startsWith(".")) {
      const allowed = PACKAGES[folder]?.some((it) => name === it || name.startsWith(`${it}/`));
      return allowed ? [] : [`${path} imports package ${name}`];
    }
    const target = relative(ROOT, resolve(ROOT, folder, name));
    const other = dirname(target);
    if (other === folder) return [];
    if (!FOLDERS[folder]?.includes(other)) return [`${path} imports ${target}`];
    return target === `${other}/mod.ts` ? [] : [`${path} imports ${target} past its mod.ts`];
  });
}

/** Types count as well: what two files share stands in a third. */
function cycles(): readonly string[] {
  const edges = new Map(
    sources.map(({ path, folder, statics }) => [
      path,
      statics.filter((it) => it.startsWith(".")).map((it) => join(folder, it)),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}
