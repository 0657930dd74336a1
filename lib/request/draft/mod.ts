/** Drafts: requests and variable lines as plain data with templates, positions and annotations. */

export {
  annotationKey,
  annotationWarning,
  findAnnotation,
  isDisabled,
  noteOf,
  refusedAnnotation,
  verifyRuleOf,
} from "./annotations.ts";

export { resolveAssignment } from "./assign.ts";
export type {
  Annotation,
  AssignmentDraft,
  BodyDraft,
  Entry,
  FileDraft,
  HeaderDraft,
  ImportDraft,
  LoopDraft,
  Remark,
  RequestDraft,
  RequestText,
  RunDraft,
  SaveDraft,
  ScriptDraft,
  ScriptEntry,
  SkippedScript,
} from "./draft.ts";
export { InvalidHeaderError, RequestCheckError, RequestSyntaxError } from "./errors.ts";
export { findHeader, isHeaderName, splitHeader } from "./header-line.ts";
export { inFile, isFaulty, nameFile } from "./in-file.ts";
export { LineValues, lateLine, withGiven } from "./line-values.ts";
export { beginsAsJson, isFormType, isJsonType, JSON_TYPE } from "./media-type.ts";
export {
  isCommonMethod,
  isForeignProtocol,
  isKnownMethod,
  isMethodToken,
  nearMethod,
  toMethod,
} from "./methods.ts";
export {
  entriesOf,
  type NamedRequest,
  namedRequests,
  nameOf,
  neededLines,
  readNames,
} from "./named.ts";
export { listName, passesOf, passNames } from "./passes.ts";
export { isSecretName, type Prompt, promptsOf, toPrompt } from "./prompts.ts";
export { explainUnsent, referencesOf } from "./references.ts";
export {
  hasScheme,
  isBareTarget,
  isClearTarget,
  isTarget,
  isVersion,
  partAtEnd,
  startsBody,
  startsComment,
  startsItem,
  startsOption,
  type TargetPart,
  targetEnd,
  wordEnd,
} from "./target.ts";
export { bodyTemplates, mapTemplates, placeholdersOf } from "./templates.ts";
