import { maskAssertion } from "../../lib/exchange/mod.ts";
import type { Client } from "../../lib/mod.ts";
import type { CellOutput } from "./output/mod.ts";
import { FailedTestsError, showResults } from "./tests/mod.ts";

/**
 * Evaluates the assertions of a cell without a request against the last answer, adds the results to the output and
 * shows them.
 *
 * @throws {FailedTestsError} An assertion has failed.
 */
export async function runAssertions(
  client: Pick<Client, "evaluateAssertions">,
  source: string,
  output: CellOutput,
  options: NonNullable<Parameters<Client["evaluateAssertions"]>[1]>,
): Promise<void> {
  const results = await client.evaluateAssertions(source, options);
  output.assertions.push(...results);
  showResults(results, output);
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length === 0) return;
  const masked = failed.map((one) => maskAssertion(one, (text) => output.secrets.mask(text)));
  throw new FailedTestsError({ source, firstLine: options.firstLine }, masked);
}
