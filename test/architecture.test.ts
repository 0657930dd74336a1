import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/**
 * Each folder with its budget, in lines of code (neither blank nor comment), and the folders that it may import,
 * from the lowest up. A commit that raises a budget says why.
 */
const FOLDERS: Readonly<Record<string, readonly [lines: number, imports: string]>> = {
  "kernel/jupyter/zmtp": [800, ""],
  "lib/fetch": [56, ""],
  "lib/interpolation": [2890, ""],
  "lib/http/auth": [1390, "lib/interpolation"],
  "lib/json": [1199, "lib/interpolation"],
  "lib/schema": [780, "lib/interpolation lib/json"],
  "lib/assertions": [950, "lib/interpolation lib/json"],
  "lib/secrets": [1786, "lib/interpolation"],
  "lib/curl": [2220, "lib/interpolation lib/secrets"],
  "lib/request": [6158, "lib/assertions lib/curl lib/http/auth lib/interpolation lib/json"],
  "lib/exchange": [
    2021,
    "lib/assertions lib/curl lib/fetch lib/interpolation lib/json lib/request lib/secrets",
  ],
  "lib/display": [
    5791,
    "lib/assertions lib/exchange lib/interpolation lib/json lib/request lib/secrets",
  ],
  "lib/http": [
    4202,
    "lib/assertions lib/curl lib/exchange lib/fetch lib/http/auth lib/interpolation lib/request lib/secrets",
  ],
  "lib/variables": [3470, "lib/exchange lib/interpolation lib/json lib/request lib/secrets"],
  "lib/websocket": [752, "lib/exchange lib/http lib/interpolation lib/json lib/request"],
  "lib/har": [
    1380,
    "lib/exchange lib/fetch lib/http lib/interpolation lib/json lib/request lib/secrets lib/websocket",
  ],
  "lib/client": [
    3185,
    "lib/assertions lib/exchange lib/har lib/http lib/http/auth lib/interpolation lib/json lib/request lib/secrets lib/variables lib/websocket",
  ],
  "lib/verify": [
    841,
    "lib/assertions lib/exchange lib/har lib/interpolation lib/json lib/request lib/schema lib/secrets",
  ],
  "lib/testing": [
    530,
    "lib/assertions lib/display lib/exchange lib/har lib/http lib/interpolation lib/json lib/request lib/secrets",
  ],
  lib: [
    341,
    "lib/assertions lib/client lib/display lib/exchange lib/har lib/http lib/http/auth lib/interpolation lib/json lib/request lib/secrets lib/testing lib/variables lib/websocket",
  ],
  "kernel/platform": [3491, "lib lib/fetch"],
  "kernel/session/cell": [733, "lib"],
  "kernel/terminal": [
    492,
    "lib lib/display lib/exchange lib/interpolation lib/request lib/secrets",
  ],
  "kernel/demo": [1165, "kernel/platform lib/display"],
  "kernel/session/compiler": [2699, "kernel/platform kernel/session/cell lib lib/interpolation"],
  "kernel/session": [
    4971,
    "kernel/demo kernel/platform kernel/session/cell kernel/session/compiler lib lib/assertions lib/curl lib/display lib/exchange lib/fetch lib/interpolation lib/json lib/request lib/schema lib/secrets lib/verify",
  ],
  "kernel/jupyter": [
    1790,
    "kernel/jupyter/zmtp kernel/platform kernel/session kernel/session/cell lib lib/display",
  ],
  "kernel/repl/entry": [570, "kernel/session kernel/session/cell lib lib/request"],
  "kernel/run": [
    4389,
    "kernel/platform kernel/session kernel/session/cell kernel/terminal lib lib/assertions lib/display lib/exchange lib/har lib/interpolation lib/json lib/request lib/secrets lib/verify",
  ],
  "kernel/jupyter/install": [560, "kernel/jupyter kernel/platform kernel/session/cell lib/display"],
  "kernel/repl/editor": [
    1720,
    "kernel/platform kernel/repl/entry kernel/session/cell lib/display lib/request",
  ],
  "kernel/repl": [
    3212,
    "kernel/platform kernel/repl/editor kernel/repl/entry kernel/session kernel/session/cell kernel/terminal lib lib/curl lib/display lib/exchange lib/interpolation lib/request lib/secrets",
  ],
  "kernel/import": [
    6903,
    "kernel/platform kernel/run lib/curl lib/display lib/interpolation lib/json lib/request lib/secrets",
  ],
  "kernel/cli": [
    952,
    "kernel/import kernel/jupyter/install kernel/repl kernel/run kernel/session lib/curl lib/interpolation",
  ],
  kernel: [
    164,
    "kernel/cli kernel/demo kernel/import kernel/jupyter kernel/jupyter/install kernel/platform kernel/repl kernel/run kernel/terminal lib lib/display",
  ],
};

/** Packages, and the only files or folders that import them. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@msgpack/msgpack": ["lib/exchange"],
  "@noble/hashes": ["lib/assertions", "lib/http/auth"],
  "@vitest/expect": ["kernel/session"],
  aws4fetch: ["lib/http/auth"],
  cbor2: ["lib/exchange"],
  "eventsource-parser": ["lib/exchange"],
  "get-east-asian-width": ["lib/display"],
  hono: ["kernel/demo"],
  "http-link-header": ["lib/client"],
  "js-tokens": ["kernel/repl/editor", "kernel/repl/entry"],
  "jsonc-parser": ["lib/variables", "kernel/platform/user-secrets.ts"],
  ky: ["lib/http/ky.ts"],
  oauth4webapi: ["lib/http/auth"],
  papaparse: ["kernel/run/data-rows.ts"],
  picocolors: ["kernel/terminal"],
  srvx: ["kernel/demo"],
  "tough-cookie": ["lib/http/cookies.ts"],
  typescript: ["kernel/session/compiler"],
  ws: ["kernel/platform", "kernel/demo"],
  yaml: ["lib/verify", "kernel/import"],
};

/** Packages that few requests need: only `import()` and types name them. */
const LATE =
  /^(?:tough-cookie|oauth4webapi|aws4fetch|cbor2|@msgpack\/msgpack|@noble\/hashes|typescript|papaparse)\b/;

/** Names of runtimes, which `kernel/platform` alone may use. */
const RUNTIME = /\b(Deno|Bun)\s*[.?[]|globalThis\.(Deno|Bun|process)\b/;

interface Import {
  readonly target: string;
  readonly isType: boolean;
  readonly isLate: boolean;
}

interface Source {
  readonly path: string;
  readonly folder: string;
  /** The text without block comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const sources = ["lib", "kernel"].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readSource(join(top, name))),
);

function readSource(path: string): Source {
  const code = readFileSync(join(ROOT, path), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const folder = dirname(path);
  const found = code.matchAll(
    /^(?:import|export)\b([^;"']*?)from\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\s*\(\s*"([^"]+)"/gm,
  );
  const imports = [...found].map(([, names = "", from, bare, late]): Import => {
    const name = from ?? bare ?? late ?? "";
    return {
      target: name.startsWith(".") ? normalize(join(folder, name)) : name,
      isType: from !== undefined && namesTypesAlone(names),
      isLate: late !== undefined,
    };
  });
  return { path, folder, code, imports };
}

/** `type { A }`, and `{ type A, type B }`. */
function namesTypesAlone(names: string): boolean {
  const each = /\{([^}]*)\}/
    .exec(names)?.[1]
    ?.split(",")
    .filter((name) => name.trim() !== "");
  return /^\s*type\b/.test(names) || (each?.every((name) => /^\s*type\s/.test(name)) ?? false);
}

const isOwn = ({ target }: Import): boolean => /^(?:lib|kernel)\//.test(target);
const paths = (some: readonly Source[]): readonly string[] => some.map(({ path }) => path);
const withoutStrings = (code: string): string =>
  code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/\/\/.*$/gm, "");

describe("architecture", () => {
  test("folders import only folders above them in the table, through mod.ts", () => {
    const order = Object.keys(FOLDERS);
    expect([...new Set(sources.map(({ folder }) => folder))].toSorted()).toEqual(order.toSorted());
    const wrong = sources.flatMap(({ path, folder, imports }) =>
      imports.filter(isOwn).flatMap(({ target, isLate }) => {
        const other = dirname(target);
        if (other === folder) return [];
        const isAllowed =
          FOLDERS[folder]?.[1].split(" ").includes(other) === true &&
          order.indexOf(other) < order.indexOf(folder);
        // The program loads each command from its own file, so that it loads no other.
        const isDoor = target === `${other}/mod.ts` || (folder === "kernel" && isLate);
        return isAllowed && isDoor ? [] : [`${path} imports ${target}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("a folder has a face only if another folder imports it, and a face only re-exports", () => {
    const used = new Set(
      sources.flatMap(({ folder, imports }) =>
        imports.filter(({ target }) => dirname(target) !== folder).map(({ target }) => target),
      ),
    );
    const faces = sources.filter(({ path }) => path.endsWith("/mod.ts") && path !== "lib/mod.ts");
    expect(paths(faces.filter(({ path }) => !used.has(path)))).toEqual([]);
    const rest = /^export (?:type )?\{[^}]*\} from "[^"]+";$/gm;
    expect(paths(faces.filter(({ code }) => code.replace(rest, "").trim() !== ""))).toEqual([]);
  });

  test("folders keep to their budgets", () => {
    const lines = (folder: string): number =>
      sources
        .filter((source) => source.folder === folder)
        .reduce((n, { code }) => n + count(code), 0);
    const over = Object.entries(FOLDERS).flatMap(([folder, [budget]]) =>
      lines(folder) > budget ? [`${folder}: ${lines(folder)} lines, budget ${budget}`] : [],
    );
    expect(over).toEqual([]);
  });

  test("no file imports itself in a circle, but for types", () => {
    expect(cycles()).toEqual([]);
  });

  test("a package is imported in one place, and what few requests need is imported late", () => {
    const wrong = sources.flatMap(({ path, folder, imports }) =>
      imports.flatMap(({ target, isType, isLate }) => {
        // Cells import the library by its name: the text of declarations, no import.
        if (/^(?:node:|lib\/|kernel\/|restlab$)/.test(target)) return [];
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? "";
        const places = PACKAGES[name] ?? [];
        if (!places.includes(path) && !places.includes(folder))
          return [`${path} imports ${target}`];
        return LATE.test(target) && !isType && !isLate ? [`${path} loads ${target} at once`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("lib uses web standards alone, and only kernel/platform names a runtime", () => {
    const native = /["']node:|\bprocess\.|\bBuffer\b|\brequire\(/;
    const outside = sources.filter(
      ({ path, folder, code }) =>
        (path.startsWith("lib/") && native.test(code)) ||
        (folder !== "kernel/platform" && RUNTIME.test(withoutStrings(code))),
    );
    expect(paths(outside)).toEqual([]);
  });
});

function count(code: string): number {
  return code.split("\n").filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}

function cycles(): readonly string[] {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter((it) => isOwn(it) && !it.isType && !it.isLate).map(({ target }) => target),
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
