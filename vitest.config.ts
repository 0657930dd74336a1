import { availableParallelism } from "node:os";
import type { TestProjectInlineConfiguration, ViteUserConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

// Terminals, kernels and browsers are driven by the clock: on a loaded machine a moment may be missed.
// What fails twice fails, and in CI, whose machines are shared, three times.
const retry = process.env["CI"] === "true" ? 2 : 1;
const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry,
  setupFiles: ["test/support/clean-up.ts"],
};
const runtime = (name: string): TestProjectInlineConfiguration => ({
  test: { ...common, name, include: [`test/**/*.${name}.test.ts`], isolate: false },
});

const UNDER_OTHERS = ["test/**/*.deno.test.ts", "test/**/*.bun.test.ts", "node_modules/**"];
/** What starts no process and keeps no state beside its modules. */
const LIBRARY = [
  "test/{architecture,examples}.test.ts",
  "test/{assertions,client,curl,display,exchange,interpolation,openapi,request,shape,variables}/**/*.test.ts",
  "test/http/{middleware,request}/**/*.test.ts",
  "test/{jupyter/wire,transport/zmtp-*}.test.ts",
];

/**
 * `library` and `node` contain everything that needs one runtime only; each other project runs the shared contracts.
 * The files of all but `node` share their modules: loading them for each file took longer than many tests. The
 * contracts run in processes of their own.
 */
const config: ViteUserConfig = {
  test: {
    // Most tests wait for processes of their own: on two cores two at a time left a fifth of both idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: "library",
          include: LIBRARY,
          exclude: UNDER_OTHERS,
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: [...LIBRARY, ...UNDER_OTHERS],
        },
      },
      runtime("deno"),
      runtime("bun"),
    ],
  },
};

export default config;
