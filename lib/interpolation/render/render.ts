import type { Template } from "../parse/mod.ts";
import type { Variables } from "../values/mod.ts";
import type { Place, RenderOptions } from "./render-options.ts";
import { createRendering, renderPlaceholder, reportMissing } from "./render-placeholder.ts";

/**
 * Inserts values into a template. Values are never parsed for placeholders.
 *
 * @param template A template of {@link parseTemplate}.
 * @param variables The values, by name; every copy of {@link snapshotValue} can be rendered.
 * @param place Where the text goes.
 * @param options What happens to placeholders without a value; ranges.
 * @returns The text; a placeholder without a value stays in it as written.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value, unless
 * `options.unresolved` receives them or `options.missing` is `keep`.
 */
export function renderTemplate(
  template: Template,
  variables: Variables,
  place: Place,
  options: RenderOptions = {},
): string {
  const rendering = createRendering(template, variables, place, options);
  let text = "";
  let isQuoted = false;
  for (const part of template.parts) {
    if (typeof part === "string") {
      text += part;
      isQuoted = place === "json" && endsInString(part, isQuoted);
    } else {
      const start = text.length;
      text += renderPlaceholder(part, isQuoted, rendering);
      options.ranges?.push({ placeholder: part, start, end: text.length });
    }
  }
  reportMissing(rendering);
  return text;
}

/**
 * Whether text ends inside a JSON string. Only literal text counts: a value cannot open or close a
 * string.
 */
function endsInString(text: string, beginsInString: boolean): boolean {
  let inString = beginsInString;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '"') inString = !inString;
    else if (text[index] === "\\" && inString) index += 1;
  }
  return inString;
}
