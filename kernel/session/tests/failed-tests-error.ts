import { createFailure } from "../../../lib/assertions/mod.ts";
import { FAULT_LIMIT, summarizeFaults } from "../../../lib/interpolation/mod.ts";
import type { AssertionResult, Fault, Faulty, SourceText } from "../../../lib/mod.ts";

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
