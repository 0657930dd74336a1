import {
  type AssertionLocation,
  type AssertionResult,
  isFailedAssertion,
} from "../assertions/mod.ts";
import { maskAssertion } from "../exchange/mod.ts";
import type { Block, Cell } from "./block.ts";
import { shortCell } from "./cell.ts";
import { formatCount } from "./units.ts";
import type { ViewContext } from "./view-context.ts";

/** The columns of the table; those that no result fills are left out. */
const ASSERTION_COLUMNS: readonly (readonly [
  title: string,
  text: (result: AssertionResult) => string,
])[] = [
  ["", ({ passed, skipped }) => (passed ? "passed" : skipped === true ? "skipped" : "failed")],
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

/**
 * Displays results: those of tests, of assertions, or of both.
 *
 * @param areReported Whether an error reports those that have failed.
 */
export function viewResults(
  results: readonly AssertionResult[],
  context: ViewContext,
  areReported: boolean,
): Block[] {
  const areTests = results.every(({ name }) => name !== undefined);
  const noun = areTests ? "test" : "assertion";
  if (areReported) return countResults(results, noun);
  const masked = results.map((result) => maskAssertion(result, context.masker.mask));
  return viewMaskedResults(masked, noun, context);
}

/** Displays the number of results if all passed, else a table of them. */
export function viewMaskedResults(
  results: readonly AssertionResult[],
  noun: string,
  context: ViewContext,
): Block[] {
  const failed = results.filter(isFailedAssertion);
  const count = countResults(results, noun);
  return failed.length === 0 ? count : [...count, toTable(results, failed, context)];
}

/** How many results there are of each kind, in one line. */
export function countResults(results: readonly AssertionResult[], noun: string): Block[] {
  if (results.length === 0) return [];
  const failed = results.filter(isFailedAssertion);
  const all = formatCount(results.length, noun);
  if (failed.length === 0) {
    const passed = results.filter((one) => one.passed).length;
    const skipped = results.length - passed;
    const text =
      skipped === 0 ? `${all} passed` : `${formatCount(passed, noun)} passed, ${skipped} skipped`;
    return [{ kind: "note", level: "info", text }];
  }
  const text = `${failed.length} of ${all} failed`;
  return [{ kind: "note", level: "error", text }];
}

/** A table of all assertions in order; of too many, those that failed. */
function toTable(
  assertions: readonly AssertionResult[],
  failed: readonly AssertionResult[],
  { limits }: ViewContext,
): Block {
  const shown = assertions.length > limits.fields ? failed.slice(0, limits.fields) : assertions;
  const columns = ASSERTION_COLUMNS.filter(([, text]) =>
    shown.some((result) => text(result) !== ""),
  );
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
