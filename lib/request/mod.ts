/**
 * The request language: parses texts as in `.http` files into drafts, renders drafts with values, and
 * distinguishes request cells from code. It accesses no network and no files.
 */

export { type CheckCode, type CheckFault, type CheckOptions, checkText } from "./check/mod.ts";
export {
  type Annotation,
  type AssignmentDraft,
  type BodyDraft,
  type Entry,
  explainUnsent,
  type HeaderDraft,
  InvalidHeaderError,
  isDisabled,
  isSecretName,
  LineValues,
  lateLine,
  noteOf,
  type Prompt,
  placeholdersOf,
  promptsOf,
  RequestCheckError,
  type RequestDraft,
  RequestSyntaxError,
  referencesOf,
  resolveAssignment,
  type SaveDraft,
  toPrompt,
} from "./draft/mod.ts";
export { parseEntries, parseRequests, scriptVariables, startsAsRequest } from "./parse/mod.ts";
export {
  type BodyFile,
  type BodyMixture,
  type MessageStep,
  type RenderedRequest,
  type RenderRequestOptions,
  renderRequest,
} from "./render/mod.ts";
