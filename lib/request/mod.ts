/**
 * The request language: parses texts as in `.http` files into drafts, renders drafts with values, and
 * distinguishes request cells from code. It accesses no network and no files.
 */

export { annotationKey, isDisabled, noteOf } from "./annotations.ts";
export { parseAssertions, startsAsAssertions } from "./assertion-lines.ts";
export { LineValues, lateLine, resolveAssignment, withGiven } from "./assignments.ts";
export { startsAsRequest } from "./cell.ts";
export { type CheckOptions, checkParsedText, checkText } from "./check.ts";
export type { CheckCode, CheckFault } from "./check-request.ts";
export {
  type Annotation,
  type AssignmentDraft,
  type BodyDraft,
  type Entry,
  entriesOf,
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
  type Remark,
  type RequestDraft,
  type RequestText,
  type RunDraft,
  referencesOf,
  type SaveDraft,
  type ScriptDraft,
  type ScriptEntry,
  type SkippedScript,
} from "./draft.ts";
export { InvalidHeaderError, RequestCheckError, RequestSyntaxError } from "./errors.ts";
export {
  type ExpandedText,
  type ExpandOptions,
  expandText,
  filesOf,
  resolvePath,
} from "./expand.ts";
export { beginsAsJson, findHeader, isHeaderName, isJsonType, JSON_TYPE } from "./header-line.ts";
export { findJsonFault } from "./json-fault.ts";
export { type ParsedText, parseEntries, parseRequests, parseText, readText } from "./parse.ts";
export { listName, passesOf } from "./passes.ts";
export { isSecretName, type Prompt, promptsOf, toPrompt } from "./prompts.ts";
export {
  type BodyFile,
  type BodyMixture,
  completeUrl,
  type MessageStep,
  type RenderedRequest,
  type RenderRequestOptions,
  renderRequest,
} from "./render.ts";
export { encodingLabel } from "./render-body.ts";
export { isMethodToken } from "./request-line.ts";
export { GLOBAL_VARIABLE, scriptVariables, skipScripts } from "./scripts.ts";
export { startsItem } from "./target.ts";
export { placeholdersOf } from "./templates.ts";
