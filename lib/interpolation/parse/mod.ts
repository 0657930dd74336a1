/**
 * Parses template text into literal parts and placeholders, with their paths (names, indexes, quoted
 * keys, JSONPath) and positions. Values are not known here.
 */

export { joinParts, joinTemplates } from "./join.ts";
export {
  type JsonPath,
  JsonPathFault,
  type JsonPathOperand,
  type JsonPathOperator,
  type JsonPathSegment,
  type JsonPathSelector,
  type JsonPathTest,
  parseJsonPath,
  type SliceSelector,
} from "./json-path.ts";
export { isReachableName } from "./names.ts";
export { collectTemplate, escapeBraces, parseTemplate, writeTemplate } from "./parse.ts";
export type {
  GeneratedPlaceholder,
  Part,
  PathPlaceholder,
  Placeholder,
  Template,
} from "./template.ts";
