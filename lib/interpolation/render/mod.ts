/**
 * Renders a parsed template with the values of a scope, encoded for the place that the text goes to:
 * plain, JSON, a JSON string. All missing names are reported together.
 */

export { type LateValue, LateValues } from "./late-values.ts";
export { renderTemplate } from "./render.ts";
export type { Place, RenderedRange } from "./render-options.ts";
export { createLookup, isMap, isPresent, resolvePlaceholder } from "./scope.ts";
export { jsonPathRoot, selectJson } from "./select-json.ts";
