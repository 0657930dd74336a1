import { parseTemplate } from "./parse.ts";
import { renderTemplate } from "./render.ts";
import { isMap, resolvePlaceholder } from "./scope.ts";
import type { Template } from "./template.ts";
import { isDate, isNumberText, type Value, type Variables } from "./value.ts";
import { copyNumbers, objectOf, writtenEntries } from "./written.ts";

/**
 * The value of a text with placeholders, wherever it is written: a text that is one placeholder is its value, with its
 * type, and any other is a text, in which an object takes one line: nobody knows yet whether it goes into a header.
 *
 * @param options What happens to placeholders without a value.
 * @throws {UnresolvedPlaceholderError} With all placeholders without a value.
 */
export function fillTemplate(
  template: Template,
  variables: Variables,
  options: { readonly missing?: "error" | "keep" } = {},
): Value {
  const [first, ...more] = template.parts;
  const isValue = typeof first === "object" && more.length === 0 && first.encoding === undefined;
  const value = isValue ? resolvePlaceholder(first, variables) : undefined;
  return value === undefined ? renderTemplate(template, variables, "lines", options) : value;
}

/**
 * Fills the texts in a value that a person wrote, text by text: what they become is never parsed.
 *
 * @param steps A path: nothing beside it is filled.
 * @throws {TemplateSyntaxError} A placeholder is broken.
 * @throws {UnresolvedPlaceholderError} A placeholder has no value.
 * @throws {Error} The secret that a text names is not there.
 */
export function fillValue(
  value: Value,
  variables: Variables,
  [step, ...below]: readonly (string | number)[] = [],
): Value {
  if (typeof value === "string") {
    const reference = isMap(variables) ? variables.reference?.(value) : undefined;
    if (reference !== undefined) return reference.resolve();
    return value.includes("{{") ? fillTemplate(parseTemplate(value), variables) : value;
  }
  const fill = (key: string | number, one: Value): Value => {
    if (step === undefined) return fillValue(one, variables);
    return String(key) === String(step) ? fillValue(one, variables, below) : one;
  };
  return mapMembers(value, fill);
}

/** The texts in a value, to any depth. */
export function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  const texts: string[] = [];
  mapMembers(value, (_key, one) => {
    for (const text of textsIn(one)) texts.push(text);
    return one;
  });
  return texts;
}

function mapMembers(value: Value, change: (key: string | number, one: Value) => Value): Value {
  if (Array.isArray(value))
    return copyNumbers(
      value.map((one, at) => change(at, one)),
      value,
    );
  if (typeof value !== "object" || value === null || isDate(value) || isNumberText(value)) {
    return value;
  }
  const members = writtenEntries(value as { readonly [key: string]: Value });
  const changed = objectOf(members.map(([key, one]) => [key, change(key, one)] as const));
  return copyNumbers(changed, value);
}
