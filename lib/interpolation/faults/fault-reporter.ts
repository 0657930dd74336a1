import { FAULT_LIMIT } from "./errors.ts";
import type { Fault, SourceText, Span } from "./fault.ts";
import { createFault } from "./position.ts";

/** Adds a fault to a list; returns false when the list is full. */
type FaultReporter = (span: Span, message: string, hint?: string) => boolean;

/**
 * Creates a function that adds faults to a bounded list, with their positions.
 *
 * @param text The text that spans refer to.
 * @param faults The list; it may already contain faults of other templates of the same source.
 */
export function createFaultReporter(text: SourceText, faults: Fault[]): FaultReporter {
  return (span, message, hint) => {
    if (faults.length > FAULT_LIMIT) return false;
    if (faults.length === FAULT_LIMIT) {
      const more = `More faults follow: only the first ${FAULT_LIMIT} are reported`;
      faults.push(createFault(text, span, more));
      return false;
    }
    faults.push(createFault(text, span, message, hint));
    return true;
  };
}
