import { chmodSync, readFileSync } from "node:fs";
import type { RolldownOptions } from "rolldown";

/** What every start needs comes along; what some starts load later stays the installed one. */
const BUNDLED = [
  "eventsource-parser",
  "get-east-asian-width",
  "http-link-header",
  "js-tokens",
  "jsonc-parser",
  "ky",
  "picocolors",
  // Bun would put an implementation of its own in its place.
  "ws",
];

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
// Who wants realistic data installs faker.
const installed = [...Object.keys(dependencies), "@faker-js/faker"].filter(
  (name) => !BUNDLED.includes(name),
);
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

const builds: RolldownOptions[] = [program, threads];

export default builds;
