import type { AssertionLocation, AssertionResult } from "../../assertions/mod.ts";
import { type Exchange, maskExchange } from "../../exchange/mod.ts";
import type { Block, Cell, ViewContext } from "../blocks/mod.ts";
import { formatCount, shortCell } from "../blocks/mod.ts";

/** Displays the results of assertions: their number if all passed, else a table of them. */
export function viewAssertions(exchange: Exchange, context: ViewContext): Block[] {
  const { assertions } = maskExchange(exchange, context.masking, context.showsSecrets);
  if (assertions.length === 0) return [];
  const failed = assertions.filter(({ passed }) => !passed);
  const all = formatCount(assertions.length, "assertion");
  if (failed.length === 0) return [{ kind: "note", level: "info", text: `${all} passed` }];
  const text = `${failed.length} of ${all} failed`;
  return [{ kind: "note", level: "error", text }, toTable(assertions, failed, context)];
}

/** The columns of the table; those that no result fills are left out. */
const COLUMNS: readonly (readonly [title: string, text: (result: AssertionResult) => string])[] = [
  ["", ({ passed }) => (passed ? "passed" : "failed")],
  [
    "assertion",
    ({ name, text }) => (name === undefined || name === text ? text : `${name}: ${text}`),
  ],
  ["expected", ({ expected = "" }) => expected],
  ["found", ({ actual = "" }) => actual],
  ["message", ({ message = "" }) => message],
  ["at", ({ location }) => placeOf(location)],
];

/** A table of all assertions in order; of too many, those that failed. */
function toTable(
  assertions: readonly AssertionResult[],
  failed: readonly AssertionResult[],
  { limits }: ViewContext,
): Block {
  const shown = assertions.length > limits.fields ? failed.slice(0, limits.fields) : assertions;
  const columns = COLUMNS.filter(([, text]) => shown.some((result) => text(result) !== ""));
  const rows = shown.map((result) =>
    columns.map(([, text]): Cell => shortCell("text", text(result), limits.cell)),
  );
  return {
    kind: "table",
    columns: columns.map(([title]) => title),
    rows,
    total: assertions.length,
    totalColumns: columns.length,
  };
}

function placeOf({ file, line }: AssertionLocation): string {
  return file === undefined ? `line ${line}` : `${file}:${line}`;
}
