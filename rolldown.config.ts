import { chmodSync, readFileSync } from "node:fs";
import type { RolldownOptions } from "rolldown";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const external = new RegExp(`^(node:|(${Object.keys(dependencies).join("|")})(/|$))`);

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
