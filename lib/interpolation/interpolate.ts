import type { Fault } from "./faults/mod.ts";
import { TemplateSyntaxError } from "./faults/mod.ts";
import type { PathPlaceholder } from "./parse/mod.ts";
import { endsInString, scanTemplate } from "./parse/mod.ts";
import type { Place, RenderOptions } from "./render/mod.ts";
import { isPresent, PlaceholderRenderer } from "./render/mod.ts";
import type { Value, Variables } from "./values/mod.ts";
import { refuseValue, snapshotValue } from "./values/mod.ts";

const THROWING: RenderOptions = {};
const PLACES: ReadonlySet<string> = new Set<Place>(["text", "url", "header", "json"]);

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
  const faults: Fault[] = [];
  const renderer = new PlaceholderRenderer(
    template,
    variables as Variables,
    place,
    THROWING,
    admit,
  );
  let text = "";
  let inString = false;
  scanTemplate(template, undefined, faults, (part) => {
    if (typeof part !== "string") {
      text += renderer.render(part, inString);
    } else {
      text += part;
      if (place === "json") inString = endsInString(part, inString);
    }
  });
  if (faults.length > 0) throw new TemplateSyntaxError(template, faults);
  renderer.finish();
  return text;
}

/** The caller's values were never checked: one that is reached is checked as `setVar` would. */
function admit(
  value: unknown,
  placeholder: PathPlaceholder,
  variables: Variables,
): Value | undefined {
  if (value !== undefined) return snapshotValue(value, placeholder.text);
  if (isPresent(placeholder, variables)) throw refuseValue(undefined).at(placeholder.text);
  return undefined;
}
