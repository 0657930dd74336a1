import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServers, type TestServers } from "../support/http-server.ts";
import { launchOf, RUNTIME } from "../support/runtime.ts";
import { TRANSPORTS } from "../support/transports.ts";
import type { CheckOutcome } from "./check.ts";
import { clientContract } from "./client-contract.ts";

const ROOT = join(import.meta.dirname, "../..");

if (RUNTIME === "node") describe.each(TRANSPORTS)("client under node, by %s", describeHere);
else describe(`client under ${RUNTIME}`, describeInProcess);

/** The contract in this process, with one of Node's transports. */
function describeHere(_name: string, lib: (typeof TRANSPORTS)[number][1]): void {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers.close());

  test.each(clientContract)("$name", ({ run }) => run({ lib, ...servers }));
}

/** The contract in a process of the runtime, with a test for each of its checks. */
function describeInProcess(): void {
  let outcomes: readonly CheckOutcome[] = [];

  beforeAll(async () => {
    const { close, ...addresses } = await startServers();
    const folder = mkdtempSync(join(tmpdir(), "restlab-contract-"));
    const file = join(folder, "outcomes.json");
    const [program, ...words] = await launchOf("test/runtimes/client-fixture.ts");
    try {
      await promisify(execFile)(program, [...words, JSON.stringify(addresses), file], {
        cwd: ROOT,
      });
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
}
