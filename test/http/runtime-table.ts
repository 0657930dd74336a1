import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckOutcome } from "./check.ts";

const FILE = join(import.meta.dirname, "../../notebooks/reference-runtimes.md");
const COLUMNS = ["node", "deno", "bun"];

/** What a runtime can do, from what its checks saw: `yes`, or the words of its refusal. */
export function rowsOf(outcomes: readonly CheckOutcome[]): Readonly<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const { ability, lacks = [] } of outcomes) {
    if (ability !== undefined) rows[ability] ??= "yes";
    for (const [lacking, reason] of lacks) rows[lacking] = `no: ${reason}`;
  }
  return rows;
}

/** What the published table says of a runtime. */
export function rowsInNotebook(runtime: string): Readonly<Record<string, string>> {
  const lines = readFileSync(FILE, "utf8").split("\n");
  const rows = lines.filter((line) => /^\| (?!---|What )/.test(line));
  return Object.fromEntries(
    rows.map((line) => {
      const [ability = "", ...cells] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [ability, cells[COLUMNS.indexOf(runtime)] ?? ""];
    }),
  );
}
