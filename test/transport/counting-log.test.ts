import { expect, test } from "vitest";
import { createCountingLog } from "../../kernel/jupyter/zmtp/mod.ts";

test("a line is logged once, and then with its count at each power of ten", () => {
  const lines: string[] = [];
  const log = createCountingLog((line) => lines.push(line));
  for (let count = 0; count < 1500; count++) log("The signature is wrong");
  log("Another matter");
  expect(lines).toEqual([
    "The signature is wrong",
    "The signature is wrong (10 times so far)",
    "The signature is wrong (100 times so far)",
    "The signature is wrong (1000 times so far)",
    "Another matter",
  ]);
});

test("lines that always differ do not flood the log either", () => {
  const lines: string[] = [];
  const log = createCountingLog((line) => lines.push(line));
  for (let count = 0; count < 100_000; count++) log(`It claims ${count} bytes`);
  expect(lines.length).toBeLessThan(40);
  expect(lines.at(-1)).toMatch(/^It claims \d+ bytes \(10000 lines of other kinds so far\)$/);
});
