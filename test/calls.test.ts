import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hasTools } from "./support/require.ts";

/**
 * What a second GET at the prompt passes through, from Enter to its table, as `node test/bench/calls.mjs` prints it.
 * A commit that raises a figure says why.
 */
const LIMITS = { files: 170, functions: 786, calls: 2_150 };

test.skipIf(!hasTools("node24"))("a GET at the prompt passes through few places", async () => {
  const script = join(import.meta.dirname, "bench/calls.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const counts = /^files (\d+), functions (\d+), calls (\d+)$/m.exec(stdout)?.slice(1).map(Number);
  const [files = NaN, functions = NaN, calls = NaN] = counts ?? [];
  expect(files).toBeLessThanOrEqual(LIMITS.files);
  expect(functions).toBeLessThanOrEqual(LIMITS.functions);
  expect(calls).toBeLessThanOrEqual(LIMITS.calls);
});
