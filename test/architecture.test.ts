import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** Who may import whom, besides a folder's own files. `node:` modules are free in `kernel`. */
const RULES: Readonly<Record<string, { folders: readonly string[]; packages: readonly string[] }>> =
  {
    "lib/interpolation": { folders: [], packages: [] },
    "lib/secrets": { folders: ["lib/interpolation"], packages: [] },
    "lib/curl": { folders: ["lib/interpolation"], packages: [] },
    "lib/streaming": { folders: [], packages: ["eventsource-parser"] },
    "lib/request": { folders: ["lib/interpolation", "lib/curl"], packages: [] },
    "lib/bodies": { folders: [], packages: [] },
    "lib/cookies": { folders: [], packages: ["tough-cookie"] },
    "lib/credentials": {
      folders: [],
      packages: ["oauth4webapi", "aws4fetch", "@noble/hashes"],
    },
    "lib/client": {
      folders: [
        "lib/bodies",
        "lib/cookies",
        "lib/credentials",
        "lib/interpolation",
        "lib/request",
        "lib/secrets",
        "lib/curl",
        "lib/streaming",
      ],
      packages: ["ky", "lossless-json", "http-link-header"],
    },
    "lib/display": {
      folders: ["lib/interpolation", "lib/request", "lib/secrets", "lib/client", "lib/streaming"],
      packages: ["get-east-asian-width", "parse5"],
    },
    lib: {
      folders: [
        "lib/bodies",
        "lib/cookies",
        "lib/credentials",
        "lib/interpolation",
        "lib/request",
        "lib/secrets",
        "lib/client",
        "lib/display",
        "lib/streaming",
      ],
      packages: [],
    },
    "kernel/platform": { folders: [], packages: ["ws", "undici"] },
    "kernel/session": {
      folders: ["lib", "lib/interpolation", "lib/request", "lib/display", "kernel/platform"],
      packages: ["tslab"],
    },
    "kernel/terminal": {
      folders: ["lib", "lib/display", "kernel/session"],
      packages: ["picocolors"],
    },
    "kernel/transport": { folders: ["kernel/platform"], packages: [] },
    "kernel/jupyter": {
      folders: ["lib", "lib/display", "kernel/session", "kernel/transport", "kernel/platform"],
      packages: [],
    },
    "kernel/repl": {
      folders: [
        "lib",
        "lib/interpolation",
        "lib/display",
        "kernel/session",
        "kernel/terminal",
        "kernel/platform",
      ],
      packages: ["js-tokens"],
    },
    "kernel/notebook": {
      folders: [
        "lib",
        "lib/display",
        "kernel/session",
        "kernel/terminal",
        "kernel/platform",
        "kernel/demo",
      ],
      packages: [],
    },
    "kernel/check": {
      folders: ["lib", "lib/display", "kernel/session", "kernel/platform"],
      packages: [],
    },
    "kernel/demo": { folders: ["lib", "kernel/platform"], packages: ["hono", "srvx", "ws"] },
    kernel: {
      folders: [
        "lib",
        "lib/interpolation",
        "lib/display",
        "kernel/platform",
        "kernel/session",
        "kernel/jupyter",
        "kernel/repl",
        "kernel/notebook",
        "kernel/demo",
        "kernel/check",
        "kernel/terminal",
      ],
      packages: [],
    },
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

/** A folder's rule, or that of the nearest folder above it, so that a part may have parts. */
function ruleOf(folder: string): string {
  let name = folder;
  while (!(name in RULES)) {
    const up = dirname(name);
    if (up === ".") throw new Error(`No rule for ${folder}: add it to the table`);
    name = up;
  }
  return name;
}

describe("architecture", () => {
  test("every source folder has a rule and a face", () => {
    const folders = new Set(sources.map(({ folder }) => ruleOf(folder)));
    const faces = new Set(
      sources.filter(({ path }) => path.endsWith("/mod.ts")).map((s) => s.folder),
    );
    expect([...folders].filter((folder) => folder !== "kernel" && !faces.has(folder))).toEqual([]);
  });

  test("folders import only what the table allows, and each other through mod.ts", () => {
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

  test("tslab and ky are each imported by the files meant for it alone", () => {
    const importers = (name: string) =>
      sources
        .filter(({ imports }) => imports.some((it) => it === name || it.startsWith(`${name}/`)))
        .map(({ path }) => path);
    expect(importers("ky")).toEqual(["lib/client/call-ky.ts", "lib/client/ky-options.ts"]);
    expect(importers("tslab").length).toBeLessThanOrEqual(1);
  });

  test("packages that few requests need are loaded by those alone", () => {
    const heavy =
      /^\s*(?:import|export)\s+(?!type\b)[^;"']*?from\s*["'](?:tough-cookie|oauth4webapi|aws4fetch|@noble\/hashes|undici)\b/m;
    expect(sources.filter(({ text }) => heavy.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

/** The code without its strings and line comments: `Symbol.for("Deno.customInspect")` names none. */
function withoutTexts(code: string): string {
  return code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/\/\/.*$/gm, "");
}

function violations({ path, folder, imports }: Source): readonly string[] {
  const own = ruleOf(folder);
  const rule = RULES[own];
  return imports.flatMap((name) => {
    // The declarations that cells see import the library by its name; they are text here.
    if (name === "restlab") return [];
    if (name.startsWith("node:")) {
      return path.startsWith("lib/") ? [`${path} imports ${name}`] : [];
    }
    if (!name.startsWith(".")) {
      const allowed = rule?.packages.some((it) => name === it || name.startsWith(`${it}/`));
      return allowed ? [] : [`${path} imports package ${name}`];
    }
    const target = relative(ROOT, resolve(ROOT, folder, name));
    const other = ruleOf(dirname(target));
    if (other === own) return [];
    if (!rule?.folders.includes(other)) return [`${path} imports ${target}`];
    const isFace = target === `${other}/mod.ts` || (own === "kernel" && other === "kernel");
    return isFace ? [] : [`${path} imports ${target} past its mod.ts`];
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
