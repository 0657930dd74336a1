/**
 * Runs the compliance suite of JSONPath (RFC 9535), github.com/jsonpath-standard/jsonpath-compliance-test-suite, whose text
 * is not a part of this project:
 *
 *     npx bun test/peers/jsonpath-suite.ts PATH/cts.json
 */
import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { isDeepStrictEqual } from "node:util";
import type { Value } from "../../lib/interpolation/mod.ts";
import { parsePath } from "../../lib/interpolation/path.ts";
import { selectAll } from "../../lib/interpolation/select-json.ts";

interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document: Value;
  readonly result?: unknown;
  readonly results?: readonly unknown[];
  readonly invalid_selector?: boolean;
}

const [, , file] = argv;
if (file === undefined)
  throw new Error("Name the file: npx bun test/peers/jsonpath-suite.ts cts.json");
const { tests } = JSON.parse(readFileSync(file, "utf8")) as { readonly tests: readonly Case[] };

function selected({ document, selector }: Case): unknown {
  try {
    return selectAll(document, selector);
  } catch (error) {
    if (error instanceof SyntaxError) return "invalid";
    throw error;
  }
}

const isRight = (
  { invalid_selector: isInvalid, result, results = [result] }: Case,
  found: unknown,
) =>
  isInvalid === true ? found === "invalid" : results.some((one) => isDeepStrictEqual(one, found));

const wrong = tests.filter((one) => !isRight(one, selected(one)));
const unwritable = tests.filter(
  ({ selector, invalid_selector: isInvalid }) =>
    isInvalid !== true && !/[\r\n]/.test(selector) && parsePath(selector) === undefined,
);
console.log(`${tests.length - wrong.length} of ${tests.length} as the suite says`);
for (const one of wrong) {
  console.log(`${one.name}: ${JSON.stringify(one.selector)} gave ${JSON.stringify(selected(one))}`);
}
console.log(`${unwritable.length} without line breaks cannot be written in a request text`);
for (const { name, selector } of unwritable) console.log(`${name}: ${JSON.stringify(selector)}`);
if (wrong.length >= 10) exit(1);
