import type { Part, Template } from "../parse/mod.ts";
import { quotedParts } from "../parse/mod.ts";
import type { Variables } from "../values/mod.ts";
import { PlaceholderRenderer } from "./placeholder-renderer.ts";
import type { Place, RenderOptions } from "./render-options.ts";

const NO_OPTIONS: RenderOptions = {};

/**
 * Puts values into a template. A value is never looked at for placeholders.
 *
 * @param template What {@link parseTemplate} returned.
 * @param variables The values, by name; what {@link snapshotValue} gave can always be rendered.
 * @param place Where the text goes.
 * @param options What to do about placeholders without a value; ranges.
 * @returns The text; a placeholder without a value stands in it as written.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value, unless
 * `options.unresolved` receives them or `options.missing` is `keep`.
 */
export function renderTemplate(
  template: Template,
  variables: Variables,
  place: Place,
  options: RenderOptions = NO_OPTIONS,
): string {
  const { parts } = template;
  const renderer = new PlaceholderRenderer(template.source, variables, place, options);
  const quoted = place === "json" ? quotedParts(template) : undefined;
  const { ranges } = options;
  let text = "";
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as Part;
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const start = text.length;
    text += renderer.render(part, quoted !== undefined && quoted[index] === 1);
    if (ranges !== undefined) ranges.push({ placeholder: part, start, end: text.length });
  }
  renderer.finish();
  return text;
}
