import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { hasTools } from "../support/require.ts";
import type { CheckOutcome } from "./check.ts";
import { outgoingContract } from "./contract.ts";
import { runChecks } from "./run-checks.ts";
import { rowsInNotebook, rowsOf } from "./runtime-table.ts";
import { startPlaces } from "./servers.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Runs the contract of what goes out under a runtime, and makes a test of each of its checks.
 *
 * @param runtime `node` for this process, or the command in node_modules/.bin.
 * @param args The arguments before the script.
 */
export function describeOutgoingUnder(runtime: string, ...args: readonly string[]): void {
  describe(`what goes out under ${runtime}`, () => {
    let outcomes: readonly CheckOutcome[] = [];

    beforeAll(async () => {
      const { close, ...places } = await startPlaces();
      const folder = mkdtempSync(join(tmpdir(), "restlab-outcomes-"));
      const files = [join(folder, "places.json"), join(folder, "outcomes.json")] as const;
      try {
        if (runtime === "node") {
          outcomes = await runChecks(places);
          return;
        }
        writeFileSync(files[0], JSON.stringify(places));
        const fixture = join(import.meta.dirname, "fixture.ts");
        const program = join(ROOT, "node_modules/.bin", runtime);
        await promisify(execFile)(program, [...args, fixture, ...files], { cwd: ROOT });
        outcomes = JSON.parse(readFileSync(files[1], "utf8"));
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await close();
      }
    });

    test.for(outgoingContract)("$name", ({ name, tool }, { skip }) => {
      if (tool !== undefined && !hasTools(tool)) skip(`there is no ${tool}`);
      const outcome = outcomes.find((one) => one.name === name);
      expect(outcome, "the check was run").toBeDefined();
      expect(outcome?.failure).toBeUndefined();
    });

    test("the published table says what was seen", () => {
      expect(rowsInNotebook(runtime)).toEqual(rowsOf(outcomes));
    });
  });
}
