import { rmSync } from "node:fs";
import type { RolldownOptions } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/**
 * One declaration file of what the compiler has emitted, one for each source file: a cell's compiler
 * opens one file instead of hundreds, and what no face exports is in nobody's way.
 */
const config: RolldownOptions = {
  input: {
    "lib/mod": "dist/types/lib/mod.d.ts",
    "kernel/platform/library": "dist/types/kernel/platform/library.d.ts",
  },
  external: /^[^./]/,
  plugins: [
    dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }),
    { name: "clean", writeBundle: () => rmSync("dist/types", { recursive: true }) },
  ],
  output: { dir: "dist", format: "esm", chunkFileNames: "chunks/[name].d.ts" },
};

export default config;
