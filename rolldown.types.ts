import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RolldownOptions } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const plugin = dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false });
const output = { dir: "dist", format: "esm" } as const;

/**
 * One declaration file of what the compiler has emitted, one for each source file: a cell's compiler
 * opens one file instead of hundreds, and what no face exports is in nobody's way.
 */
const library: RolldownOptions = {
  input: { "lib/mod": "dist/types/lib/mod.d.ts" },
  external: /^[^./]/,
  plugins: [plugin],
  output,
};

/** They name types of the library, whose declarations must stay in one file. */
const others: RolldownOptions = {
  input: {
    "kernel/platform/library": "dist/types/kernel/platform/library.d.ts",
    "kernel/run/library": "dist/types/kernel/run/library.d.ts",
  },
  external: /^[^./]/,
  makeAbsoluteExternalsRelative: false,
  plugins: [
    {
      name: "library",
      resolveId: (id) =>
        /\/lib\/mod\.ts$/.test(id) ? { id: "../../lib/mod.js", external: true } : undefined,
    },
    plugin,
    {
      name: "parts",
      writeBundle() {
        for (const name of ["interpolate", "parse"]) {
          const text = readFileSync(`dist/types/lib/${name}.d.ts`, "utf8");
          writeFileSync(`dist/lib/${name}.d.ts`, text.replace(/"\.\/\w+\/mod\.ts"/, '"./mod.js"'));
        }
        rmSync("dist/types", { recursive: true });
      },
    },
  ],
  output,
};

const builds: RolldownOptions[] = [library, others];

export default builds;
