import { createFailure, isFailedAssertion } from "../../lib/assertions/mod.ts";
import { createView, viewResults } from "../../lib/display/mod.ts";
import { maskAssertion } from "../../lib/exchange/mod.ts";
import { FAULT_LIMIT, summarizeFaults } from "../../lib/interpolation/mod.ts";
import type { AssertionResult, Fault, Faulty, SourceText } from "../../lib/mod.ts";
import { createMasker } from "../../lib/secrets/mod.ts";
import { CellExit, InterruptedError } from "./cell/mod.ts";
import type { CellOutput } from "./output.ts";
import { show } from "./show.ts";
import { createPlaces } from "./test-group.ts";
import { Tests } from "./tests.ts";
import type { Locate } from "./trace.ts";

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
  const { mask } = createMasker(secrets);
  const tests = new Tests({
    placeOf: createPlaces(locate, name, undefined),
    location: { line: firstLine ?? 1, column: 1 },
    text: { source, firstLine },
    mask,
    isEnd: (error) =>
      owner.reason !== undefined || error instanceof CellExit || error instanceof InterruptedError,
  });
  let ended: T | undefined;
  let areReported = false;
  try {
    ended = await tests.run(() => run(() => tests.settle()));
    const failed = tests.close().filter(isFailedAssertion);
    if (failed.length > 0) {
      const masked = failed.map((result) => maskAssertion(result, mask));
      throw new FailedTestsError({ source, firstLine }, masked);
    }
    return ended;
  } catch (error) {
    areReported = error instanceof FailedTestsError || !tests.close().some(isFailedAssertion);
    tests.addFailure(error);
    throw error;
  } finally {
    output.assertions.push(...tests.close());
    showResults(tests.resultsBeside(ended?.value), areReported, output);
  }
}

/**
 * Shows the results of the tests or assertions of a cell below its output.
 *
 * @param areReported Whether an error reports those that have failed.
 */
export function showResults(
  assertions: readonly AssertionResult[],
  areReported: boolean,
  { sink, secrets }: Pick<CellOutput, "sink" | "secrets">,
): void {
  if (assertions.length === 0) return;
  const view = createView((context) => viewResults(assertions, context, areReported));
  // A program gets them under the name that they have in an exchange.
  const shown = show({ assertions }, secrets, view);
  sink.display(shown);
}

/** Tests of a cell have failed. */
export class FailedTestsError extends Error implements Faulty {
  override readonly name = "AssertionError";
  readonly source: string;
  readonly faults: readonly Fault[];

  /** @param failed The results, masked: their texts are cut. */
  constructor(text: SourceText, failed: readonly AssertionResult[]) {
    const faults = failed.slice(0, FAULT_LIMIT).map((result) => createFailure(result, text));
    super(summarizeFaults(faults));
    this.source = text.source;
    this.faults = faults;
    // The frames are those of restlab, not of the cell.
    this.stack = `${this.name}: ${this.message}`;
  }
}
