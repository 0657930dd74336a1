import { createView, viewResults } from "../../../lib/display/mod.ts";
import { maskAssertion } from "../../../lib/exchange/mod.ts";
import type { AssertionResult, SourceText } from "../../../lib/mod.ts";
import { CellExit, InterruptedError } from "../cell/mod.ts";
import { type CellOutput, type Locate, show } from "../output/mod.ts";
import { FailedTestsError } from "./failed-tests-error.ts";
import { createPlaces } from "./places.ts";
import { Tests } from "./tests.ts";

/** The cell that contains the tests. */
interface TestedCell extends SourceText {
  /** What a trace calls it. */
  readonly name: string;
  readonly locate: Locate;
}

/**
 * Runs the code of a cell and the tests in it, adds their results to the output and shows them below it.
 *
 * @param run Runs the code to its end, the tests that it has called excepted.
 * @throws The error of the code; a {@link FailedTestsError} if a test has failed.
 */
export async function withTests<T extends { readonly value: unknown }>(
  output: CellOutput,
  { source, firstLine, name, locate }: TestedCell,
  run: (settle: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { owner, secrets } = output;
  const mask = (text: string): string => secrets.mask(text);
  const tests = new Tests({
    placeOf: createPlaces(locate, name, undefined),
    location: { line: firstLine ?? 1, column: 1 },
    text: { source, firstLine },
    mask,
    isEnd: (error) =>
      owner.reason !== undefined || error instanceof CellExit || error instanceof InterruptedError,
  });
  let ended: T | undefined;
  try {
    ended = await tests.run(() => run(() => tests.settle()));
    const failed = tests.close().filter(({ passed }) => !passed);
    if (failed.length > 0) {
      const masked = failed.map((result) => maskAssertion(result, mask));
      throw new FailedTestsError({ source, firstLine }, masked);
    }
    return ended;
  } catch (error) {
    tests.addFailure(error);
    throw error;
  } finally {
    output.assertions.push(...tests.close());
    showResults(tests.resultsBeside(ended?.value), output);
  }
}

/** Shows the results of the tests or assertions of a cell below its output. */
export function showResults(
  assertions: readonly AssertionResult[],
  { sink, secrets }: Pick<CellOutput, "sink" | "secrets">,
): void {
  if (assertions.length === 0) return;
  const view = createView((context) => viewResults(assertions, context));
  // A program gets them under the name that they have in an exchange.
  const shown = show({ assertions }, secrets, view);
  sink.display(shown);
}
