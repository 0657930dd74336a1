import { parseTemplate } from "./parse.ts";
import { type Place, renderTemplate } from "./render.ts";
import type { Variables } from "./value.ts";

/**
 * Fills the placeholders of a text.
 *
 * @param template Text with placeholders such as `{{name}}`, `{{user.tags[0]}}`, `{{head["a b"]}}`.
 * @param variables The values, by name: a `Map` or a plain object.
 * @param place Where the text goes; `text` when left out.
 * @returns The text.
 * @throws {TemplateSyntaxError} With every broken placeholder.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value.
 * @throws {TypeError} When a value has no rendering, for example a function or a cycle.
 * @example
 * ```ts
 * interpolate("/users/{{user.id}}", { user: { id: 7 } }); // "/users/7"
 * ```
 */
export function interpolate(
  template: string,
  variables: Variables | Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>,
  place: Place = "text",
): string {
  return renderTemplate(parseTemplate(template), variables as Variables, place);
}
