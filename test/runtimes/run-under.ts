import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { startServers } from "../support/http-server.ts";
import type { CheckOutcome } from "./check.ts";
import { clientContract } from "./client-contract.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Runs the client's contract under another runtime and makes a test of each of its checks.
 *
 * @param runtime The command in node_modules/.bin and the arguments before the script.
 */
export function describeClientUnder(runtime: string, ...args: readonly string[]): void {
  describe(`client under ${runtime}`, () => {
    let outcomes: readonly CheckOutcome[] = [];

    beforeAll(async () => {
      const servers = await startServers();
      const folder = mkdtempSync(join(tmpdir(), "restlab-contract-"));
      const file = join(folder, "outcomes.json");
      const { close, ...addresses } = servers;
      const fixture = join(import.meta.dirname, "client-fixture.ts");
      try {
        await promisify(execFile)(
          join(ROOT, "node_modules/.bin", runtime),
          [...args, fixture, JSON.stringify(addresses), file],
          { cwd: ROOT },
        );
        outcomes = JSON.parse(readFileSync(file, "utf8"));
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await close();
      }
    });

    test.each(clientContract.map(({ name }) => name))("%s", (name) => {
      const outcome = outcomes.find((one) => one.name === name);
      expect(outcome, "the check was run").toBeDefined();
      expect(outcome?.failure).toBeUndefined();
    });
  });
}
