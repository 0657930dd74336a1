import { chmodSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import type { RolldownOptions } from "rolldown";
import ts from "typescript";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
// All else is brought along: what every start needs, `ws`, for which Bun has an implementation of its own, and what
// has types that would change the program of who installs the package. Who wants realistic data installs faker.
const installed = [...Object.keys(dependencies), "@faker-js/faker"];
// `new URL("..", import.meta.url)` is a folder, and nothing to bring along.
const external = new RegExp(`^(\\.\\.$|node:|(${installed.join("|")})(/|$))`);

/** Few files instead of many: Node spends most of a short run on opening modules. */
const shared = {
  platform: "node",
  external,
  // The main file of jsonc-parser requires its parts by a parameter, which no bundler follows.
  resolve: { mainFields: ["module", "main"] },
  // The files that `new URL("./logo.png", import.meta.url)` names come along.
  experimental: { resolveNewUrlToAsset: true },
} satisfies RolldownOptions;

const program: RolldownOptions = {
  ...shared,
  input: {
    "lib/mod": "lib/mod.ts",
    "kernel/main": "kernel/main.ts",
    "kernel/library": "kernel/library.ts",
    "kernel/platform/library": "kernel/platform/library.ts",
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
    {
      name: "executable",
      transform: (code) => code.replace(/^#!.*/, "#!/usr/bin/env node"),
      writeBundle: () => chmodSync("dist/kernel/main.js", 0o755),
    },
  ],
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
};

/** Where cells find `expect` and their types: as in a checkout, and where no other program looks for types. */
const BROUGHT = "dist/node_modules";
const EXPECT = "@vitest/expect/dist/index";

/** It is loaded when a cell first uses it, at once: a file by itself. */
const expectation: RolldownOptions = {
  ...shared,
  input: { [EXPECT]: `node_modules/${EXPECT}.js` },
  output: { dir: BROUGHT, format: "esm", sourcemap: false },
  plugins: [
    {
      name: "declarations",
      generateBundle() {
        for (const path of findDeclarations("@types/node/index.d.ts", `${EXPECT}.d.ts`)) {
          const fileName = relative("node_modules", path);
          this.emitFile({ type: "asset", fileName, source: readFileSync(path) });
        }
      },
    },
  ],
};

/** Finds declarations and all that they refer to, with what the compiler reads of their packages. */
function findDeclarations(...names: readonly string[]): ReadonlySet<string> {
  const options = { module: ts.ModuleKind.Preserve };
  const paths = new Set(names.map((name) => resolve("node_modules", name)));
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

/** The folder of the package that a file belongs to. */
const folderOf = (path: string): string =>
  /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "";

const builds: RolldownOptions[] = [program, threads, expectation];

export default builds;
