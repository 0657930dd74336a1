/**
 * The request language: parses texts as in `.http` files into drafts, renders drafts with values, and
 * distinguishes request cells from code. It accesses no network and no files.
 */

export {
  type CheckCode,
  type CheckFault,
  type CheckOptions,
  checkText,
  checkTextOfSession,
} from "./check/mod.ts";
export {
  type Annotation,
  type AssignmentDraft,
  annotationKey,
  type BodyDraft,
  type Entry,
  entriesOf,
  explainUnsent,
  type FileDraft,
  findHeader,
  type HeaderDraft,
  InvalidHeaderError,
  isDisabled,
  isJsonType,
  isSecretName,
  LineValues,
  type LoopDraft,
  lateLine,
  listName,
  type NamedRequest,
  namedRequests,
  nameFile,
  nameOf,
  neededLines,
  noteOf,
  type Prompt,
  passesOf,
  placeholdersOf,
  promptsOf,
  type Remark,
  RequestCheckError,
  type RequestDraft,
  RequestSyntaxError,
  type RequestText,
  referencesOf,
  resolveAssignment,
  type SaveDraft,
  toPrompt,
  withGiven,
} from "./draft/mod.ts";
export {
  type ExpandedText,
  type ExpandOptions,
  expandText,
  type FindText,
  filesOf,
  resolvePath,
} from "./imports/mod.ts";
export {
  type ParsedText,
  parseEntries,
  parseRequests,
  parseText,
  readText,
  scriptVariables,
  startsAsRequest,
} from "./parse/mod.ts";
export {
  type BodyFile,
  type BodyMixture,
  completeUrl,
  encodingLabel,
  type MessageStep,
  type RenderedRequest,
  type RenderRequestOptions,
  renderRequest,
} from "./render/mod.ts";
