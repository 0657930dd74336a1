/**
 * Faults of a template: spans, lines and columns, the errors that carry them, and similar names to
 * suggest. It imports nothing.
 */

export {
  FAULT_LIMIT,
  summarizeFaults,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
} from "./errors.ts";
export type { Fault, Faulty, SourceText, Span } from "./fault.ts";
export { createFaultReporter } from "./fault-reporter.ts";
export { nearNames } from "./near-names.ts";
export { createFault, createLocator, firstLineSpan, locate } from "./position.ts";
export { shorten } from "./shorten.ts";
