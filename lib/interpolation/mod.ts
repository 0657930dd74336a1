/**
 * A template language: text with placeholders such as `{{user.tags[0]}}` is parsed into parts with
 * positions, and parts are rendered with values by the place that the text goes to. Parsing never
 * sees a value, and a value is never parsed. It knows nothing of requests and depends on nothing.
 */

export {
  FAULT_LIMIT,
  summarizeFaults,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
} from "./errors.ts";
export type { Fault, Faulty, Span } from "./fault.ts";
export { createFaultReporter, type FaultReporter } from "./fault-reporter.ts";
export { interpolate } from "./interpolate.ts";
export { joinTemplates } from "./join.ts";
export { renderJson } from "./json.ts";
export { isReachableName } from "./names.ts";
export { nearNames } from "./near-names.ts";
export { createNumberText, isNumberText } from "./number-text.ts";
export { collectTemplate, parseTemplate } from "./parse.ts";
export { createFault, createLocator, locate, type Position } from "./position.ts";
export { renderTemplate } from "./render.ts";
export type { Place, RenderedRange, RenderOptions } from "./render-options.ts";
export { createLookup, isMap, resolvePlaceholder } from "./scope.ts";
export { jsonPathRoot } from "./select-json.ts";
export { snapshotValue } from "./snapshot.ts";
export { stepText } from "./step-text.ts";
export type {
  GeneratedPlaceholder,
  Part,
  PathPlaceholder,
  Placeholder,
  Template,
} from "./template.ts";
export type { Explanation, Generated, NumberText, Scope, Value, Variables } from "./value.ts";
