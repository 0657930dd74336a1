/**
 * A template language: text with placeholders such as `{{user.tags[0]}}` is parsed into parts with
 * positions, and the parts are rendered with values, encoded for the place that the text goes to.
 * Parsing never sees a value, and a value is never parsed. It depends on nothing.
 */

export {
  createFault,
  createFaultReporter,
  createLocator,
  FAULT_LIMIT,
  type Fault,
  type Faulty,
  firstLineSpan,
  locate,
  nearNames,
  type SourceText,
  type Span,
  shorten,
  summarizeFaults,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
} from "./faults/mod.ts";
export { interpolate } from "./interpolate.ts";
export {
  collectTemplate,
  escapeBraces,
  type GeneratedPlaceholder,
  isReachableName,
  JsonPathFault,
  type JsonPathSegment,
  type JsonPathSelector,
  joinParts,
  joinTemplates,
  type Part,
  type PathPlaceholder,
  type Placeholder,
  parseJsonPath,
  parseTemplate,
  type Template,
  writeTemplate,
} from "./parse/mod.ts";
export {
  createLookup,
  isMap,
  jsonPathRoot,
  type LateValue,
  LateValues,
  type Place,
  type RenderedRange,
  renderTemplate,
  resolvePlaceholder,
  selectJson,
} from "./render/mod.ts";
export {
  createNumberText,
  type Explanation,
  type Generated,
  isNumberText,
  isRecord,
  JSON_NUMBER,
  memberOf,
  type NumberText,
  parseWrittenNumber,
  renderJson,
  type Scope,
  snapshotValue,
  stepText,
  type Value,
  type Variables,
} from "./values/mod.ts";
