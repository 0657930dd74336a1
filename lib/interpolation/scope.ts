import type { PathPlaceholder } from "./template.ts";
import type { Value, Variables } from "./value.ts";

/** What a lookup gives when there is nothing: no value of a variable can be `undefined`. */
export const MISSING: undefined = undefined;

/**
 * Looks up a placeholder's value: own properties only, and of an array its elements only.
 *
 * @returns The value, or {@link MISSING}.
 */
export function resolvePath(placeholder: PathPlaceholder, variables: Variables): Value | undefined {
  let value = lookUp(variables, placeholder.name);
  const { steps } = placeholder;
  for (let index = 0; index < steps.length; index++) {
    value = takeStep(value, steps[index] as string | number);
  }
  return value;
}

/** The value of one variable, inherited members excluded. */
export function lookUp(variables: Variables, name: string): Value | undefined {
  if (isMap(variables)) return variables.get(name);
  return Object.hasOwn(variables, name) ? variables[name] : MISSING;
}

/** Tells a map, one of another realm or a read-only view too, from an object. */
export function isMap(variables: Variables): variables is ReadonlyMap<string, Value> {
  if (variables instanceof Map) return true;
  const { get, has, keys } = variables as { readonly [name: string]: unknown };
  return typeof get === "function" && typeof has === "function" && typeof keys === "function";
}

/** Tells whether the whole path is there, though what stands at its end may be `undefined`. */
export function isPresent(placeholder: PathPlaceholder, variables: Variables): boolean {
  const { name, steps } = placeholder;
  const last = steps.at(-1);
  if (last === undefined) {
    return isMap(variables) ? variables.has(name) : Object.hasOwn(variables, name);
  }
  const holder = resolvePath({ ...placeholder, steps: steps.slice(0, -1) }, variables);
  if (typeof holder !== "object" || holder === null) return false;
  return Array.isArray(holder)
    ? typeof last === "number" && last < holder.length
    : Object.hasOwn(holder, last);
}

/** One step into a value. A step into nothing, and one that is not there, gives {@link MISSING}. */
export function takeStep(value: Value | undefined, step: string | number): Value | undefined {
  if (typeof value !== "object" || value === null) return MISSING;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : MISSING;
  const object = value as { readonly [key: string]: Value };
  return Object.hasOwn(object, step) ? object[step] : MISSING;
}
