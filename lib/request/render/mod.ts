/** Renders drafts with values: URLs, headers and bodies. It sends nothing and reads no files. */

export { explainFinding, findInJson } from "./check-json.ts";
export { draftWarnings } from "./draft-warnings.ts";
export { encodingLabel } from "./file-encoding.ts";
export { findJsonFault } from "./json-fault.ts";
export {
  completeTarget,
  headerFaults,
  type RenderedParts,
  type RenderRequestOptions,
  renderParts,
  renderRequest,
  schemeFault,
} from "./render.ts";
export type { BodyFile, BodyMixture, MessageStep, RenderedRequest } from "./rendered.ts";
export { completeUrl } from "./url.ts";
