import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin, RolldownOptions } from "rolldown";
import ts from "typescript";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
// All else is brought along: what every start needs, `ws`, for which Bun has an implementation of its own, and what
// has types that would change the program of who installs the package. Who wants realistic data installs faker.
const installed = [...Object.keys(dependencies), "@faker-js/faker"];
// `new URL("..", import.meta.url)` is a folder, and nothing to bring along.
const external = new RegExp(`^(\\.\\.$|node:|(${installed.join("|")})(/|$))`);

/** The folders of the packages that are brought along. */
const brought = new Set<string>();

/** The folder of the package that a file belongs to. */
const folderOf = (path: string): string =>
  /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "";

const noted: Plugin = {
  name: "noted",
  generateBundle(_, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type === "chunk") for (const id of output.moduleIds) brought.add(folderOf(id));
    }
  },
};

/** Few files instead of many: Node spends most of a short run on opening modules. */
const shared = {
  platform: "node",
  external,
  // The main file of jsonc-parser requires its parts by a parameter, which no bundler follows.
  resolve: { mainFields: ["module", "main"] },
  // The files that `new URL("./logo.png", import.meta.url)` names come along.
  experimental: { resolveNewUrlToAsset: true },
} satisfies RolldownOptions;

/**
 * What a page loads when it needs it is loaded with the program: Deno 2.9 breaks the prompt if code that is interrupted
 * is waiting for a module.
 */
const early: Plugin = {
  name: "early",
  transform: {
    filter: { id: /\/lib\// },
    handler(code) {
      const imports: string[] = [];
      const changed = code.replace(/\bawait import\(("\.[^"]+\.ts")\)/g, (_, path) => {
        const name = `$early${imports.length}`;
        imports.push(`import * as ${name} from ${path};`);
        return `await ${name}`;
      });
      return imports.join("") + changed;
    },
  },
};

const program: RolldownOptions = {
  ...shared,
  input: {
    "lib/interpolate": "lib/interpolate.ts",
    "lib/parse": "lib/parse.ts",
    "kernel/main": "kernel/main.ts",
    "kernel/library": "kernel/library.ts",
    "kernel/platform/library": "kernel/platform/library.ts",
    "kernel/run/library": "kernel/run/library.ts",
  },
  output: {
    dir: "dist",
    cleanDir: true,
    format: "esm",
    chunkFileNames: "chunks/[name]-[hash].js",
    assetFileNames: "assets/[name][extname]",
    sourcemap: false,
  },
  plugins: [
    noted,
    early,
    {
      name: "require",
      // In a program of CommonJS that another bundler makes of it, `import.meta.url` is undefined.
      renderChunk: (code) =>
        code.replace("createRequire(import.meta.url)", 'createRequire(import.meta.url ?? "/")'),
    },
    {
      name: "executable",
      transform: (code) => code.replace(/^#!.*/, "#!/usr/bin/env node"),
      writeBundle: () => chmodSync("dist/kernel/main.js", 0o755),
    },
  ],
};

/** The library for browsers and other runtimes: nothing of it knows Node, and a bundler finds all that it needs. */
const everywhere: RolldownOptions = {
  platform: "browser",
  external,
  resolve: shared.resolve,
  input: {
    mod: "lib/mod.ts",
    interpolate: "lib/interpolate.ts",
    parse: "lib/parse.ts",
  },
  output: {
    dir: "dist/everywhere",
    format: "esm",
    // A bundler leaves out whole files that are not used, but seldom parts of one.
    preserveModules: true,
    preserveModulesRoot: "lib",
    // Tools treat a folder `node_modules` as a package of others.
    entryFileNames: ({ name }) => `${name.replace("node_modules/", "packages/")}.js`,
    sourcemap: false,
  },
  plugins: [noted],
};

/** For programs that cannot load modules, such as tests of Jest: one file with all packages. */
const commonjs: RolldownOptions = {
  platform: "node",
  resolve: shared.resolve,
  input: { "kernel/library": "kernel/library.ts" },
  output: {
    dir: "dist",
    format: "cjs",
    entryFileNames: "[name].cjs",
    codeSplitting: false,
    minify: true,
    sourcemap: false,
  },
  plugins: [noted],
};

/** Other threads share nothing with it: a part of the program could bring the whole of it along. */
const threads: RolldownOptions = {
  ...shared,
  input: {
    "kernel/jupyter/worker": "kernel/jupyter/worker.ts",
    "kernel/platform/watcher": "kernel/platform/watcher.ts",
  },
  output: {
    dir: "dist",
    format: "esm",
    chunkFileNames: "chunks/thread-[name]-[hash].js",
    sourcemap: false,
  },
  plugins: [noted],
};

const EXPECT = "node_modules/@vitest/expect/dist/index";

/**
 * What cells find as they do in a checkout, where no other program looks for types. `expect` is loaded when a cell first
 * uses it, at once: it is a file by itself.
 */
const expectation: RolldownOptions = {
  ...shared,
  input: { [EXPECT]: `${EXPECT}.js` },
  output: { dir: "dist", format: "esm", sourcemap: false },
  plugins: [
    noted,
    {
      name: "declarations",
      generateBundle() {
        const types = "node_modules/@types/node/index.d.ts";
        for (const path of findDeclarations(types, `${EXPECT}.d.ts`)) {
          const fileName = relative(".", path);
          this.emitFile({ type: "asset", fileName, source: readFileSync(path) });
          brought.add(folderOf(path));
        }
        const source = writeNotices();
        this.emitFile({ type: "asset", fileName: "THIRD-PARTY-NOTICES.txt", source });
      },
    },
  ],
};

/** Finds declarations and all that they refer to, with what the compiler reads of their packages. */
function findDeclarations(...given: readonly string[]): ReadonlySet<string> {
  const options = { module: ts.ModuleKind.Preserve };
  const paths = new Set(given.map((path) => resolve(path)));
  // What is added while this runs is looked at as well.
  for (const path of paths) {
    if (!path.endsWith("ts")) continue;
    const { importedFiles, referencedFiles } = ts.preProcessFile(readFileSync(path, "utf8"));
    for (const { fileName } of referencedFiles) paths.add(resolve(dirname(path), fileName));
    for (const { fileName } of importedFiles.filter((it) => !isBuiltin(it.fileName))) {
      const { resolvedModule } = ts.resolveModuleName(fileName, path, options, ts.sys);
      if (resolvedModule !== undefined) paths.add(resolvedModule.resolvedFileName);
    }
    paths.add(join(folderOf(path), "package.json"));
  }
  return paths;
}

/** Licenses ask for their texts beside the code. */
function writeNotices(): string {
  const notices = [...brought].filter(Boolean).map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    if (files.length === 0) throw new Error(`${name} has no text of its license to bring along`);
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  const head = "restlab contains code or declarations of these packages.";
  return `${[head, ...notices.toSorted()].join(`\n\n${"=".repeat(80)}\n\n`)}\n`;
}

const builds: RolldownOptions[] = [program, everywhere, commonjs, threads, expectation];

export default builds;
