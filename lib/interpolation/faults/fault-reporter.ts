import { FAULT_LIMIT } from "./errors.ts";
import type { Fault, Span } from "./fault.ts";
import { createLocator } from "./position.ts";

/** Adds a fault to a list; false tells that the list is full and nothing more need be looked for. */
export type FaultReporter = (span: Span, message: string, hint?: string) => boolean;

/**
 * Makes a function that adds faults to a list, finds their positions and keeps the list bounded.
 *
 * @param source The text that spans refer to.
 * @param faults The list; it may hold faults of other templates of the same source already.
 */
export function createFaultReporter(source: string, faults: Fault[]): FaultReporter {
  const locate = createLocator(source);
  return (span, message, hint) => {
    if (faults.length > FAULT_LIMIT) return false;
    const position = locate(span.start);
    if (faults.length === FAULT_LIMIT) {
      const more = `More faults follow: only the first ${FAULT_LIMIT} are reported`;
      faults.push({ message: more, span, ...position });
      return false;
    }
    faults.push({ message, span, ...position, ...(hint === undefined ? {} : { hint }) });
    return true;
  };
}
