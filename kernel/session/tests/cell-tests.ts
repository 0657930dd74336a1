import { createView, viewResults } from "../../../lib/display/mod.ts";
import { maskAssertion } from "../../../lib/exchange/mod.ts";
import { CellExit, InterruptedError } from "../cell/mod.ts";
import {
  type CellOutput,
  currentOutput,
  type Locate,
  runOutsideCells,
  show,
} from "../output/mod.ts";
import { FailedTestsError } from "./failed-tests-error.ts";
import { createPlaces } from "./places.ts";
import { Tests } from "./tests.ts";

/** The global `test` of TypeScript cells. */
export type Test = (name: string, run: () => unknown) => Promise<void>;

/** The cell that contains the tests. */
interface TestedCell {
  readonly source: string;
  /** What a trace calls it. */
  readonly name: string;
  readonly locate: Locate;
}

/** The tests of the cells that are running. */
const running = new WeakMap<CellOutput, Tests>();

/** Creates the global `test`, which adds a test to the cell whose code calls it. */
export function createTest(): Test {
  return (name, run) => {
    const output = currentOutput();
    const tests = output && running.get(output);
    if (tests !== undefined) return tests.test(name, run);
    throw new Error(`Cannot run the test "${String(name)}": no TypeScript cell is running here`);
  };
}

/**
 * Runs the code of a cell and the tests in it, adds their results to the output and shows them below it.
 *
 * @param run Runs the code to its end, the tests that it has called excepted.
 * @throws The error of the code; a {@link FailedTestsError} if a test has failed.
 */
export async function withTests<T>(
  output: CellOutput,
  { source, name, locate }: TestedCell,
  run: (settle: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { owner, secrets } = output;
  const mask = (text: string): string => secrets.mask(text);
  const tests = new Tests({
    placeOf: createPlaces(locate, name, undefined),
    location: { line: 1, column: 1 },
    source,
    mask,
    isEnd: (error) =>
      owner.reason !== undefined || error instanceof CellExit || error instanceof InterruptedError,
  });
  running.set(output, tests);
  try {
    const value = await run(() => tests.settle());
    const failed = tests.results().filter(({ passed }) => !passed);
    if (failed.length > 0) {
      const masked = failed.map((result) => maskAssertion(result, mask));
      throw new FailedTestsError(source, masked);
    }
    return value;
  } catch (error) {
    tests.addFailure(error);
    throw error;
  } finally {
    running.delete(output);
    const results = tests.results();
    output.assertions.push(...results);
    if (results.length > 0) {
      const view = createView((context) => viewResults(results, context));
      // A program gets them under the name that they have in an exchange.
      const shown = show({ assertions: results }, secrets, view);
      runOutsideCells(() => output.sink.display(shown));
    }
  }
}
