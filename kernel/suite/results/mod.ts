/**
 * The results of a suite as data: what was sent, what was checked, and why it failed. Nothing in them contains a
 * secret.
 *
 * @module
 */

export { Collector, failedCase } from "./collector.ts";
export {
  type CaseResult,
  type CaseStatus,
  countCases,
  describeCounts,
  describeExchanges,
  describePlace,
  describeProblems,
  type ExchangeSummary,
  type FileResult,
  isFlaky,
  messagesOf,
  type Place,
  type Problem,
  type SuiteResult,
  statusOf,
  titleOf,
  warningsOf,
} from "./results.ts";
export { shorten } from "./shorten.ts";
