/**
 * What a response promises, as a summary that is stored with a document, and the comparison of responses with
 * such summaries. It sends nothing.
 */

export {
  type Comparison,
  compareResponses,
  type ResponseDifference,
  type Verdict,
  verdictOn,
} from "./compare-responses.ts";
export { type Pairs, pairResponses } from "./pair.ts";
export { readSummary } from "./read-summary.ts";
export type { Omission, PlacedSummary, ResponseSummary } from "./response-summary.ts";
export { ignoredPaths } from "./stored-body.ts";
export { type SummaryOptions, summarizeRecorded, summarizeResponse } from "./summarize.ts";
