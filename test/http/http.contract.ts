import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { hasTools } from "../support/require.ts";
import { launchOf, RUNTIME } from "../support/runtime.ts";
import { TRANSPORTS } from "../support/transports.ts";
import type { CheckOutcome } from "./check.ts";
import { httpContract } from "./contract.ts";
import { runChecks } from "./run-checks.ts";
import { type Places, startPlaces } from "./servers/servers.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Milliseconds for two hundred checks on a busy machine. */
const ALL_CHECKS = 240_000;

if (RUNTIME === "node") {
  // In this process, by Node's HTTP client. The contract of the client shows Node's fetch; `npm run test:all` has both here.
  const ways = process.env["RESTLAB_CONTRACTS"] === "all" ? TRANSPORTS : TRANSPORTS.slice(-1);
  for (const [way, lib] of ways) {
    describeContract(`Node with ${way}`, (places) => runChecks(places, lib));
  }
} else {
  describeContract(RUNTIME, async (places, folder) => {
    const files = [join(folder, "places.json"), join(folder, "outcomes.json")] as const;
    writeFileSync(files[0], JSON.stringify(places));
    const [program, ...words] = await launchOf("test/http/fixture.ts");
    await promisify(execFile)(program, [...words, ...files], { cwd: ROOT });
    return JSON.parse(readFileSync(files[1], "utf8"));
  });
}

function describeContract(
  where: string,
  check: (places: Places, folder: string) => Promise<readonly CheckOutcome[]>,
): void {
  describe(`HTTP contract on ${where}`, () => {
    let outcomes: readonly CheckOutcome[] = [];

    beforeAll(async () => {
      const { close, ...places } = await startPlaces();
      const folder = mkdtempSync(join(tmpdir(), "restlab-outcomes-"));
      try {
        outcomes = await check(places, folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await close();
      }
    }, ALL_CHECKS);

    test.for(httpContract)("$name", ({ name, tool }, { skip }) => {
      if (tool !== undefined && !hasTools(tool)) skip(`there is no ${tool}`);
      const outcome = outcomes.find((one) => one.name === name);
      expect(outcome, "the check was run").toBeDefined();
      expect(outcome?.failure).toBeUndefined();
    });
  });
}
