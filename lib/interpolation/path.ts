import { TemplateSyntaxError } from "./fault.ts";
import { parseTemplate } from "./parse.ts";
import { asStored, type Read, selectMatch } from "./select-json.ts";
import type { PathPlaceholder } from "./template.ts";
import { stepText, type Value } from "./value.ts";
import { asWritten } from "./written.ts";

/** A path into a value: names of members and indexes of items, and a JSONPath after them. */
export type ValuePath = Pick<PathPlaceholder, "steps" | "query" | "match">;

/**
 * Parses a path as a placeholder has it: `data.items[0]["a b"]`, `[0].id`.
 *
 * @returns `undefined` if it is not a path.
 */
export function parsePath(text: string): ValuePath | undefined {
  try {
    const [path, ...more] = parseTemplate(`{{_${text.startsWith("[") ? "" : "."}${text}}}`).parts;
    return typeof path === "object" && path.kind === "path" && more.length === 0 ? path : undefined;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return undefined;
    throw error;
  }
}

/** The value at the end of a path: only own properties, and only elements of an array. */
export function valueAt(
  start: Value | undefined,
  { steps, query, match }: ValuePath,
  read: Read = asStored,
): Value | undefined {
  let value = start;
  for (let at = 0; at < steps.length; at++) value = takeNext(value, steps, at, read);
  return query === undefined || value === undefined
    ? value
    : selectMatch(value, query, match, read);
}

/** The value at the end of a path, where a number keeps the text that it was written with. */
export function writtenAt(start: Value | undefined, path: ValuePath): Value | undefined {
  return valueAt(start, path, asWritten);
}

/** All values of a name; `undefined` if it has none. */
export type ValuesOf = (name: string) => Value | undefined;

/** A member of an object that gives all values of a name: `Set-Cookie` is a text, and `Set-Cookie[1]` the second. */
export const repeatedValues: unique symbol = Symbol("repeatedValues");

/** The value of the step at an index: before the index of an item, all values of a name. */
export function takeNext(
  value: Value | undefined,
  steps: ValuePath["steps"],
  at: number,
  read: Read = asStored,
): Value | undefined {
  const step = steps[at] as string | number;
  if (typeof steps[at + 1] !== "number" || typeof value !== "object" || value === null)
    return takeStep(value, step, read);
  const { [repeatedValues]: all } = value as { readonly [repeatedValues]?: ValuesOf };
  return all?.(String(step)) ?? takeStep(value, step, read);
}

/**
 * The property or element of a value, or `undefined` when there is none. The name `0` is that of an element, as in
 * JavaScript: `{{list.0.id}}` of Postman and httpYac.
 */
export function takeStep(
  value: Value | undefined,
  step: string | number,
  read: Read = asStored,
): Value | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    const index = indexOf(step);
    return typeof index === "number" ? read(value, index, value[index]) : undefined;
  }
  const object = value as { readonly [key: string]: Value };
  return Object.hasOwn(object, step) ? read(object, step, object[step]) : undefined;
}

/** The step into a list. */
export function indexOf(step: string | number): string | number {
  return typeof step === "string" && /^\d+$/.test(step) ? Number(step) : step;
}

/** The step to every item of an array, or to every member of a map. */
export const EVERY: unique symbol = Symbol("*");

/** A path into JSON from its root. */
export type Path = readonly (string | number | typeof EVERY)[];

/** A path as JSONPath (RFC 9535): `$.items[*].id`. */
export function pathText(path: Path): string {
  return `$${path.map((step) => (step === EVERY ? "[*]" : stepText(step))).join("")}`;
}
