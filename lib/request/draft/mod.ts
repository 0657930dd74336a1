/** Drafts: requests and variable lines as plain data with templates, positions and annotations. */

export { annotationRemark, isDisabled, noteOf, refusedAnnotation } from "./annotations.ts";
export { resolveAssignment } from "./assign.ts";
export type {
  Annotation,
  AssignmentDraft,
  BodyDraft,
  Entry,
  FileDraft,
  HeaderDraft,
  RequestDraft,
  SaveDraft,
} from "./draft.ts";
export { InvalidHeaderError, RequestCheckError, RequestSyntaxError } from "./errors.ts";
export { LineValues, lateLine } from "./line-values.ts";
export {
  isCommonMethod,
  isForeignProtocol,
  isKnownMethod,
  isMethodToken,
  nearMethod,
  toMethod,
} from "./methods.ts";
export { isSecretName, type Prompt, promptsOf, toPrompt } from "./prompts.ts";
export { explainUnsent, referencesOf } from "./references.ts";
export { shorten } from "./shorten.ts";
export {
  hasScheme,
  isBareTarget,
  isClearTarget,
  isTarget,
  isVersion,
  targetEnd,
  wordEnd,
} from "./target.ts";
export { bodyTemplates, mapTemplates, placeholdersOf } from "./templates.ts";
