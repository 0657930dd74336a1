import type { GeneratedPlaceholder, PathPlaceholder, Placeholder } from "../parse/mod.ts";
import type { Generated, Scope, Value, Variables } from "../values/mod.ts";
import { selectFirst } from "./select-json.ts";

/** What a lookup gives when there is nothing: no value of a variable can be `undefined`. */
export const MISSING: undefined = undefined;

/** Looks up variables by name. */
export type Lookup = (name: string) => Value | undefined;

/** Makes the lookup for variables; inherited members of an object are no variables. */
export function createLookup(variables: Variables): Lookup {
  if (isMap(variables)) return (name) => variables.get(name);
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : MISSING);
}

/** Tells a map or a scope, a map of another realm too, from an object. */
export function isMap(variables: Variables): variables is ReadonlyMap<string, Value> | Scope {
  if (variables instanceof Map) return true;
  const { get, has, keys } = variables as { readonly [name: string]: unknown };
  return typeof get === "function" && typeof has === "function" && typeof keys === "function";
}

/** Makes the value of a generated placeholder; nothing where the variables make none. */
export function generate(
  placeholder: GeneratedPlaceholder,
  variables: Variables,
): Generated | undefined {
  const scope = isMap(variables) ? (variables as Scope) : undefined;
  return scope?.generate?.(placeholder);
}

/**
 * Finds the value that a placeholder stands for, with its type.
 *
 * @param placeholder What {@link parseTemplate} found.
 * @param variables The values, by name.
 * @returns The value, or `undefined` where there is none.
 */
export function resolvePlaceholder(
  placeholder: Placeholder,
  variables: Variables,
): Value | undefined {
  if (placeholder.kind === "path") return resolvePath(placeholder, createLookup(variables));
  const generated = generate(placeholder, variables);
  return generated !== undefined && "value" in generated ? generated.value : MISSING;
}

/** Tells whether the whole path is there, though what stands at its end may be `undefined`. */
export function isPresent(placeholder: PathPlaceholder, variables: Variables): boolean {
  const { name, steps, query } = placeholder;
  if (query !== undefined) return resolvePlaceholder(placeholder, variables) !== MISSING;
  const last = steps.at(-1);
  if (last === undefined) {
    return isMap(variables) ? variables.has(name) : Object.hasOwn(variables, name);
  }
  const way = { ...placeholder, steps: steps.slice(0, -1) };
  const holder = resolvePath(way, createLookup(variables));
  if (typeof holder !== "object" || holder === null) return false;
  if (!Array.isArray(holder)) return Object.hasOwn(holder, last);
  return typeof last === "number" && last < holder.length;
}

/**
 * Looks up a placeholder's value: own properties only, and of an array its elements only.
 *
 * @returns The value, or {@link MISSING}.
 */
export function resolvePath(placeholder: PathPlaceholder, lookUp: Lookup): Value | undefined {
  const { name, steps } = placeholder;
  let value = lookUp(name);
  for (let index = 0; index < steps.length; index++) {
    value = takeStep(value, steps[index] as string | number);
  }
  const { query } = placeholder;
  return query === undefined || value === MISSING ? value : selectFirst(value, query);
}

/** One step into a value. A step into nothing, and one that is not there, gives {@link MISSING}. */
export function takeStep(value: Value | undefined, step: string | number): Value | undefined {
  if (typeof value !== "object" || value === null) return MISSING;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : MISSING;
  const object = value as { readonly [key: string]: Value };
  return Object.hasOwn(object, step) ? object[step] : MISSING;
}
