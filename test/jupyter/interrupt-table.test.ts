import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ENDLESS, ENDS } from "./interrupt-contract.ts";
import type { RuntimeName } from "./kernel-process.ts";

const FILE = join(import.meta.dirname, "../../notebooks/reference-jupyter.md");
const RUNTIMES: readonly RuntimeName[] = ["node", "deno", "bun"];

/** The outcome of a cell: the contract ends it, or reports that it cannot. */
function outcomeOn(runtime: RuntimeName, code: string): string {
  if (ENDS[runtime].includes(code)) return "ends";
  return ENDLESS[runtime].includes(code) ? "restart" : "not tried";
}

test("the reference page lists the interrupts that were measured on each runtime", () => {
  const rows = [...readFileSync(FILE, "utf8").matchAll(/^\| `(.*)` \| (.*) \| (.*) \| (.*) \|$/gm)];
  expect(rows.length).toBe(6);
  for (const [, code = "", ...said] of rows) {
    const seen = RUNTIMES.map((runtime) => outcomeOn(runtime, code));
    expect([code, ...said]).toEqual([code, ...seen]);
  }
});
