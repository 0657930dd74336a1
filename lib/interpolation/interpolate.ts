import { type PathPlaceholder, parseTemplate } from "./parse/mod.ts";
import { isPresent, type Place, renderTemplate } from "./render/mod.ts";
import { refuseValue, snapshotValue, type Value, type Variables } from "./values/mod.ts";

const PLACES: ReadonlySet<string> = new Set<Place>(["text", "url", "header", "json"]);

/**
 * Fills the placeholders of a text.
 *
 * @param template Text with placeholders such as `{{name}}`, `{{user.tags[0]}}`, `{{head["a b"]}}`.
 * @param variables The values, by name: a `Map` or a plain object.
 * @param place Where the text goes; `text` by default.
 * @returns The text.
 * @throws {TemplateSyntaxError} With every broken placeholder.
 * @throws {UnresolvedPlaceholderError} With every placeholder that has no value.
 * @throws {TypeError} A value cannot be rendered, for example a function or a cycle.
 * @example
 * ```ts
 * interpolate("/users/{{user.id}}", { user: { id: 7 } }); // "/users/7"
 * interpolate('{"name": "{{name}}"}', { name: 'Ada "L"' }, "json"); // '{"name": "Ada \\"L\\""}'
 * interpolate("?filter={{filter}}", { filter: { tags: ["a"] } }, "url"); // '?filter={"tags":["a"]}'
 * ```
 */
export function interpolate(
  template: string,
  variables: Variables | Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>,
  place: Place = "text",
): string {
  if (typeof template !== "string") {
    throw new TypeError(
      `Cannot interpolate: the template is of the type ${typeof template}, not a string`,
    );
  }
  if (typeof variables !== "object" || variables === null) {
    throw new TypeError("Cannot interpolate: the variables are neither an object nor a Map");
  }
  if (!PLACES.has(place)) {
    throw new TypeError(`Cannot interpolate for place "${place}": use text, url, header or json`);
  }
  return renderTemplate(parseTemplate(template), variables as Variables, place, { admit });
}

/** The caller's values were never stored: each one that is used is checked as by `setVar`. */
function admit(
  value: unknown,
  placeholder: PathPlaceholder,
  variables: Variables,
): Value | undefined {
  if (value !== undefined) return snapshotValue(value, placeholder.text);
  if (isPresent(placeholder, variables)) throw refuseValue(undefined).at(placeholder.text);
  return undefined;
}
