import { chmodSync, readFileSync } from "node:fs";
import type { RolldownOptions } from "rolldown";

/** What every start needs comes along; what some starts load later stays the installed one. */
const BUNDLED = [
  "eventsource-parser",
  "get-east-asian-width",
  "http-link-header",
  "ky",
  "lossless-json",
  "picocolors",
];

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const installed = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name));
const external = new RegExp(`^(node:|(${installed.join("|")})(/|$))`);

/** Few files instead of many: Node spends most of a short run on opening modules. */
const config: RolldownOptions = {
  input: {
    "lib/mod": "lib/mod.ts",
    "kernel/main": "kernel/main.ts",
    "kernel/platform/library": "kernel/platform/library.ts",
    "kernel/jupyter/worker": "kernel/jupyter/worker.ts",
  },
  platform: "node",
  external,
  output: {
    dir: "dist",
    cleanDir: true,
    format: "esm",
    chunkFileNames: "chunks/[name]-[hash].js",
    sourcemap: false,
  },
  plugins: [
    {
      name: "executable",
      writeBundle: () => chmodSync("dist/kernel/main.js", 0o755),
    },
  ],
};

export default config;
