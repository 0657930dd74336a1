/**
 * Where a template is wrong: spans, lines and columns, the errors that carry them, and near names to
 * suggest. The lowest floor of the template language: it imports nothing.
 */

export {
  FAULT_LIMIT,
  summarizeFaults,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
} from "./errors.ts";
export type { Fault, Faulty, Span } from "./fault.ts";
export { createFaultReporter, type FaultReporter } from "./fault-reporter.ts";
export { nearNames } from "./near-names.ts";
export { createFault, createLocator, locate } from "./position.ts";
