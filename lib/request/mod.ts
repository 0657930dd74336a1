/**
 * The request language: a text as in `.http` files is parsed into drafts (templates with their
 * positions), and drafts are rendered with values into requests. It also tells a cell that holds a
 * request from one that holds code. It touches no network and no file, and depends on
 * `lib/interpolation` alone.
 */

export { isDisabled, noteOf } from "./annotations.ts";
export { type ResolveAssignmentOptions, resolveAssignment } from "./assign.ts";
export { startsAsRequest } from "./cell.ts";
export { type CheckOptions, checkText } from "./check.ts";
export type { CheckCode, CheckFault } from "./check-fault.ts";
export type {
  Annotation,
  AssignmentDraft,
  BodyDraft,
  Entry,
  HeaderDraft,
  RequestDraft,
  SaveDraft,
} from "./draft.ts";
export { InvalidHeaderError, RequestCheckError, RequestSyntaxError } from "./errors.ts";
export { parseEntries, parseRequests } from "./parse.ts";
export { isSecretName, type Prompt, promptsOf, toPrompt } from "./prompts.ts";
export { type Reference, referencesOf } from "./references.ts";
export { type RenderRequestOptions, renderRequest } from "./render.ts";
export type { BodyFile, BodyMixture, MessageStep, RenderedRequest } from "./rendered.ts";
export { placeholdersOf, templatesOf } from "./templates.ts";
