import type { AssertionLocation, AssertionResult } from "../../assertions/mod.ts";
import { type Exchange, maskAssertion, maskExchange } from "../../exchange/mod.ts";
import { type Block, type Cell, formatCount, shortCell, type ViewContext } from "../blocks/mod.ts";

/** Displays the results of the assertions of an exchange. */
export function viewAssertions(exchange: Exchange, context: ViewContext): Block[] {
  const { assertions } = maskExchange(exchange, context.masking, context.showsSecrets);
  return viewMasked(assertions, "assertion", context);
}

/** Displays results: those of tests, of assertions, or of both. */
export function viewResults(results: readonly AssertionResult[], context: ViewContext): Block[] {
  const masked = results.map((result) => maskAssertion(result, (text) => context.redact(text)));
  const areTests = results.every(({ name }) => name !== undefined);
  return viewMasked(masked, areTests ? "test" : "assertion", context);
}

/** Displays the number of results if all passed, else a table of them. */
function viewMasked(
  results: readonly AssertionResult[],
  noun: string,
  context: ViewContext,
): Block[] {
  if (results.length === 0) return [];
  const failed = results.filter(({ passed }) => !passed);
  const all = formatCount(results.length, noun);
  if (failed.length === 0) return [{ kind: "note", level: "info", text: `${all} passed` }];
  const text = `${failed.length} of ${all} failed`;
  return [{ kind: "note", level: "error", text }, toTable(results, failed, context)];
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
  ["path", ({ path = "" }) => path],
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
