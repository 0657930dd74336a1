/**
 * The request language: parses texts as in `.http` files into drafts, renders drafts with values, and
 * distinguishes request cells from code. It accesses no network and no files.
 */

export {
  annotationKey,
  isDisabled,
  noteOf,
  type Polling,
  pollingOf,
} from "./annotations.ts";
export {
  LineValues,
  lateLine,
  referenceOfLine,
  resolveAssignment,
  targetOf,
  withGiven,
} from "./assignments.ts";
export { readCredentials } from "./authorization.ts";
export { findJsonComments } from "./body-lines.ts";
export { parseAssertions, startsAsAssertions, startsAsRequest } from "./cell.ts";
export { charsetOf, encodeText, explainMissing } from "./charset.ts";
export type { CheckCode, CheckFault } from "./check-request.ts";
export { curlAnnotations } from "./curl-entry.ts";
export {
  type Annotation,
  type AssignmentDraft,
  type BodyDraft,
  type Entry,
  entriesOf,
  explainCycle,
  explainUnsent,
  type FileDraft,
  type HeaderDraft,
  type ImportDraft,
  type LoopDraft,
  type NamedRequest,
  namedRequests,
  nameFile,
  nameOf,
  neededLines,
  type Reference,
  type Remark,
  type RequestDraft,
  type RequestText,
  type RunDraft,
  referencesOf,
  type SaveDraft,
  type ScriptDraft,
  type ScriptEntry,
  type SkippedScript,
  setsAny,
  withoutLines,
} from "./draft.ts";
export { InvalidHeaderError, RequestCheckError, RequestSyntaxError } from "./errors.ts";
export {
  type ExpandedText,
  type ExpandOptions,
  expandText,
  filesOf,
  resolvePath,
} from "./expand.ts";
export {
  beginsAsJson,
  type ClientCertificate,
  findHeader,
  isHeaderName,
  isJsonType,
  JSON_TYPE,
} from "./header-line.ts";
export { indentation, type Line, lineAt } from "./line.ts";
export { CREATED_BOUNDARY, createBoundary } from "./multipart.ts";
export { type OutlineLine, readOutline } from "./outline.ts";
export { type ParsedText, parseEntries, parseRequests, parseText, readText } from "./parse.ts";
export { type CurlRequest, parseCurl } from "./parse-curl.ts";
export { listName, passesOf } from "./passes.ts";
export {
  type CheckOptions,
  checkText,
  type PreparedText,
  type PrepareOptions,
  prepareText,
} from "./prepare.ts";
export { isSecretName, type Prompt, promptsOf, toPrompt } from "./prompts.ts";
export { unsentMessage, unsentReason } from "./remarks.ts";
export {
  type BodyFile,
  type BodyMixture,
  type MessageStep,
  type RenderedParts,
  type RenderedRequest,
  type RenderRequestOptions,
  renderRequest,
} from "./render.ts";
export { encodingLabel } from "./render-body.ts";
export { explainForbidden, FORBIDDEN_METHOD, isMethodToken } from "./request-line.ts";
export {
  explainRunScript,
  GLOBAL_VARIABLE,
  scriptVariables,
  skipScripts,
} from "./scripts.ts";
export { completeUrl, REMOVED_FROM_URL, startsBody, startsItem } from "./target.ts";
export { placeholdersOf } from "./templates.ts";
