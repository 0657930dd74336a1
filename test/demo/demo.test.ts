import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll } from "vitest";
import { demoContract } from "./contract.ts";

// Node 20 runs no TypeScript, so it gets the fixture built.
const folder = mkdtempSync(join(tmpdir(), "restlab-demo-"));
const file = join(folder, "fixture.mjs");

beforeAll(async () => {
  await build({ input: "test/demo/fixture.ts", platform: "node", output: { file } });
});
afterAll(() => rm(folder, { recursive: true }));

demoContract("Node", process.execPath, file);
