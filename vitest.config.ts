import { availableParallelism } from "node:os";
import type { TestProjectInlineConfiguration, ViteUserConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { SummaryReporter } from "./test/support/summary-reporter.ts";

// A test waits for what it needs. What had to be tried again on a loaded machine is listed at the end.
const common = {
  retry: process.env["CI"] === "true" ? 2 : 1,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ["test/support/clean-up.ts"],
};
/**
 * The contracts of what differs by runtime: they run on Node, Deno and Bun. The others show the same code on each, and
 * run on Node, as do parts of these (`RUNS_ALL`), but for `RESTLAB_CONTRACTS=all`.
 */
const DIFFERING = [
  "test/http/http",
  "test/jupyter/kernel",
  "test/notebook/{endings,not-awaited,notebooks}",
  "test/repl/{bodies,prompt,runs}",
  "test/runtimes/client",
  "test/secrets/{masking,references}",
  "test/session/session",
  "test/transport/transport",
].map((path) => `${path}.contract.ts`);
const contracts =
  process.env["RESTLAB_CONTRACTS"] === "all" ? ["test/**/*.contract.ts"] : DIFFERING;

const runtime = (name: string): TestProjectInlineConfiguration => ({
  test: {
    ...common,
    name,
    include: contracts,
    env: { RESTLAB_TEST_RUNTIME: name },
    isolate: false,
  },
});

/** What starts no process and takes a few seconds at most: `npm run test:quick`. */
const LIBRARY = [
  "test/{architecture,examples,one-of-each}.test.ts",
  "test/{assertions,client,exchange,interpolation,json,openapi,schema,variables}/**/*.test.ts",
  "test/import/{documents,hostile}.test.ts",
  "test/curl/!(round-trip).test.ts",
  "test/display/!(limits|masked-markup).test.ts",
  "test/request/!(hostile).test.ts",
  "test/http/{middleware,request}/**/*.test.ts",
  "test/{arguments,repl/editor,session/tests,suite/reports,suite/selection}/*.test.ts",
  "test/har/{match,read-har}.test.ts",
  "test/http/{body-buffer,origin-rule}.test.ts",
  "test/jupyter/{cursor,wire}.test.ts",
  "test/secrets/{arriving,bodies,holes,mask,media,names,reveal,stream}.test.ts",
  "test/session/{cell,complete-magic,depth,display-queue,private-cell,request-hint,response-types}.test.ts",
  "test/suite/{collector,run-in-order}.test.ts",
  "test/terminal/{ascii,pending,printer}.test.ts",
  "test/transport/{endpoint,publisher,router,subscriptions,zmtp-*}.test.ts",
  "test/verify/{compare-responses,output-metadata,pair}.test.ts",
  "test/{check/join-cells,notebook/cell-ids,notebook/path-glob}.test.ts",
];

/** What computes for seconds in a worker: collecting garbage takes longer in one that has loaded much. */
const ALONE = [
  "test/display/{limits,masked-markup}.test.ts",
  "test/linear/*.test.ts",
  "test/request/hostile.test.ts",
  "test/secrets/{flood,long}.test.ts",
  "test/secrets/audit/*.test.ts",
  "test/session/answers-are-data.test.ts",
];

/**
 * `node` and `alone` contain everything that needs one runtime only, `library` a part of it again; each other project
 * runs the shared contracts, in processes of their own. The files of all but `alone` share their modules: loading them
 * for each file took longer than many tests.
 */
const config: ViteUserConfig = {
  test: {
    // Many tests wait for processes of their own: with four workers two cores are hardly ever idle.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Keeps translated modules in files: the projects read the same ones, and so does the next run.
    experimental: { fsModuleCache: true },
    reporters: ["default", new SummaryReporter()],
    projects: [
      {
        test: {
          ...common,
          name: "node",
          include: ["test/**/*.{test,contract}.ts"],
          exclude: [...ALONE, "**/node_modules/**"],
          isolate: false,
        },
      },
      { test: { ...common, name: "alone", include: ALONE } },
      { test: { ...common, name: "library", include: LIBRARY, isolate: false } },
      runtime("deno"),
      runtime("bun"),
    ],
  },
};

export default config;
