/**
 * A draft and a scope to a rendered request: URL, headers and the body by its kind (JSON, GraphQL, a
 * multipart form, a sequence of messages). It sends nothing and reads no files.
 */

export { explainFinding, findInJson } from "./json-warning.ts";
export {
  completeTarget,
  headerFaults,
  type RenderedParts,
  type RenderRequestOptions,
  remarksOn,
  renderParts,
  renderRequest,
  schemeFault,
} from "./render.ts";
export type { BodyFile, BodyMixture, MessageStep, RenderedRequest } from "./rendered.ts";
