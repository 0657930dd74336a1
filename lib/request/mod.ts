/**
 * The request language: a text as in `.http` files is parsed into drafts (templates with their
 * positions), and drafts are rendered with values into requests. It also tells a cell that holds a
 * request from one that holds code. It touches no network and no file, and depends on
 * `lib/interpolation` alone.
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
export { parseEntries, parseRequests, startsAsRequest } from "./parse/mod.ts";
export {
  type BodyFile,
  type BodyMixture,
  type MessageStep,
  type RenderedRequest,
  type RenderRequestOptions,
  renderRequest,
} from "./render/mod.ts";
