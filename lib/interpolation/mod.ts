/**
 * A template language: text with placeholders such as `{{user.tags[0]}}` is parsed into parts with
 * positions, and the parts are rendered with values, encoded for the place that the text goes to.
 * Parsing never sees a value, and a value is never parsed. It depends on nothing.
 */

export {
  addNumbers,
  compareNumbers,
  isJsonNumber,
  isMultipleOf,
  isWholeNumber,
  type JsonNumber,
} from "./decimal.ts";
export {
  createFault,
  createFaultReporter,
  createLocator,
  FAULT_LIMIT,
  type Fault,
  type Faulty,
  firstLineSpan,
  locate,
  type SourceText,
  type Span,
  shorten,
  summarizeFaults,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
} from "./fault.ts";
export { fillTemplate, fillValue, textsIn } from "./fill.ts";
export {
  JsonPathFault,
  type JsonPathSegment,
  type JsonPathSelector,
  parseJsonPath,
} from "./json-path.ts";
export {
  dataOf,
  findProperty,
  isError,
  isThenable,
  isUnread,
  itemsOf,
  keysOf,
  membersOf,
  messageOf,
  readable,
  readMember,
  readProperty,
  readStep,
  sizeOf,
  tagOf,
} from "./members.ts";
export { nearNames } from "./near-names.ts";
export {
  collectTemplate,
  escapeBraces,
  isReachableName,
  isVariableName,
  parseTemplate,
  writeTemplate,
} from "./parse.ts";
export {
  EVERY,
  type Path,
  parsePath,
  pathText,
  repeatedValues,
  type ValuePath,
  type ValuesOf,
  valueAt,
  writtenAt,
} from "./path.ts";
export {
  escapePartName,
  interpolate,
  type Place,
  type RenderedRange,
  renderTemplate,
} from "./render.ts";
export {
  createLookup,
  isMap,
  keepValues,
  type LateValue,
  LateValues,
  namedIn,
  partOf,
  resolvePlaceholder,
  variableOf,
  variablesNamed,
} from "./scope.ts";
export { countMatches, equalValues, jsonPathRoot, selectAll, selectJson } from "./select-json.ts";
export { snapshotValue } from "./snapshot.ts";
export {
  type Encoding,
  type GeneratedPlaceholder,
  joinParts,
  joinTemplates,
  mapPlaceholders,
  type Part,
  type PathPlaceholder,
  type Placeholder,
  STANDS_FOR_VALUE,
  shapeOf,
  sliceTemplate,
  type Template,
} from "./template.ts";
export {
  bytesOf,
  type Explanation,
  type Generated,
  isDate,
  isNumberText,
  isObjectValue,
  isRecord,
  memberOf,
  notJson,
  parseWrittenNumber,
  type Reference,
  renderJson,
  type Scope,
  stepText,
  type Value,
  type Variables,
  wholeValue,
} from "./value.ts";
export {
  asWritten,
  copyNumbers,
  createNumberText,
  isIndexName,
  JSON_NUMBER,
  type NumberText,
  namesOf,
  notedText,
  noteNames,
  noteNumbers,
  objectOf,
  writtenEntries,
} from "./written.ts";
