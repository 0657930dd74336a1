/**
 * A parsed template and a scope to text, encoded for the place it goes to: plain, JSON, a JSON string.
 * Every name that is missing is reported at once.
 */

export { PlaceholderRenderer } from "./placeholder-renderer.ts";
export { renderTemplate } from "./render.ts";
export type { Place, RenderedRange, RenderOptions } from "./render-options.ts";
export { createLookup, isMap, isPresent, resolvePlaceholder } from "./scope.ts";
export { jsonPathRoot } from "./select-json.ts";
