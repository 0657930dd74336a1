import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { hasTools, TOOLS } from "../support/require.ts";

/**
 * What depends most on the version of Node: sending, files, the code cache, sockets, threads. On Node 22 only sending is
 * tested: for the rest the versions before and after it are enough.
 */
const CONTRACTS = {
  node22: ["test/runtimes/client.contract.ts"],
  node24: [
    "test/runtimes/client.contract.ts",
    "test/transport/transport.contract.ts",
    "test/platform",
  ],
} as const;

/** The suite itself runs on Node 20; here it runs its contracts on the newer ones. */
describe.each(["node22", "node24"] as const)("the contracts on %s", (name) => {
  test.skipIf(!hasTools(name))("hold", { timeout: 600_000 }, async () => {
    // The variables of this run would make the other one a part of it.
    const env = Object.entries(process.env).filter(
      ([key]) => !/^(?:VITEST|NODE_ENV|TEST)/.test(key),
    );
    const run = promisify(execFile)(
      TOOLS[name],
      ["node_modules/vitest/vitest.mjs", "run", "--project", "node", ...CONTRACTS[name]],
      { env: { ...Object.fromEntries(env), NO_COLOR: "1" }, maxBuffer: 64 * 1024 * 1024 },
    );
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    expect(stdout).toMatch(/Test Files +\d+ passed \(\d+\)/);
    expect(stdout).not.toMatch(/ failed/);
  });
});
