/**
 * What a response promises of the next one: a summary that is stored with a document, or an OpenAPI
 * description; and the comparison of responses with it. It sends nothing.
 */

export {
  type Comparison,
  compareResponses,
  pairResponses,
  type ResponseDifference,
  type Verdict,
  verdictOn,
} from "./compare-responses.ts";
export { createOpenApiChecker, type OpenApiChecker } from "./openapi.ts";
export { OpenApiError, readDescription } from "./openapi-description.ts";
export {
  ignoredPaths,
  type PlacedSummary,
  type ResponseSummary,
  readSummary,
} from "./response-summary.ts";
export { type SummaryOptions, summarizeRecorded, summarizeResponse } from "./summarize.ts";
