import { basename, join, resolve } from "node:path";
import process from "node:process";
import { rolldown } from "rolldown";
import type { RuntimeName } from "./command.ts";
import { makeFolder } from "./folders.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The runtime whose contracts run here: a project of vitest sets it, and `node` is the default. */
export const RUNTIME: RuntimeName = (process.env["RESTLAB_TEST_RUNTIME"] ?? "node") as RuntimeName;

/** Whether the contracts are run here with what is the same on every runtime: on Node, or where all is asked for. */
export const RUNS_ALL: boolean = RUNTIME === "node" || process.env["RESTLAB_CONTRACTS"] === "all";

/** How a runtime starts a script: a program, and the words before those of the script. */
export type Launch = readonly [program: string, ...words: string[]];

/**
 * How the runtime of this project starts a script of the tests. Node 20 does not read TypeScript: it gets the script
 * bundled, as the package is.
 */
export async function launchOf(script: string): Promise<Launch> {
  const preload = ["--preload", join(ROOT, "test/support/package-ws.mjs")];
  if (RUNTIME === "bun") return [join(ROOT, "node_modules/.bin/bun"), ...preload, script];
  const deno = ["run", "--allow-all", "--cached-only", "--no-lock", "--quiet", script];
  if (RUNTIME === "deno") return [join(ROOT, "node_modules/.bin/deno"), ...deno];
  return [process.execPath, await bundle(script)];
}

async function bundle(script: string): Promise<string> {
  // Beside the packages, so that it finds them.
  const folder = makeFolder("bundle", join(ROOT, "node_modules"));
  const build = await rolldown({ input: script, platform: "node", external: /^[^./]/, cwd: ROOT });
  await build.write({ dir: folder, format: "esm" });
  return join(folder, basename(script).replace(/\.ts$/, ".js"));
}
