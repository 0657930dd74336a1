import type { GeneratedPlaceholder, PathPlaceholder, Placeholder } from "../parse/mod.ts";
import type { Generated, Scope, Value, Variables } from "../values/mod.ts";
import { selectFirst } from "./select-json.ts";

/** Looks up variables by name. */
export type Lookup = (name: string) => Value | undefined;

/** Creates the lookup for variables; inherited members of an object are not variables. */
export function createLookup(variables: Variables): Lookup {
  if (isMap(variables)) return (name) => variables.get(name);
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** Whether variables are a map or a scope rather than an object, across realms. */
export function isMap(variables: Variables): variables is Scope {
  if (variables instanceof Map) return true;
  const { get, has, keys } = variables as { readonly [name: string]: unknown };
  return typeof get === "function" && typeof has === "function" && typeof keys === "function";
}

/** Generates the value of a placeholder; `undefined` when the variables generate none. */
export function generate(
  placeholder: GeneratedPlaceholder,
  variables: Variables,
): Generated | undefined {
  return isMap(variables) ? variables.generate?.(placeholder) : undefined;
}

/**
 * Finds the value of a placeholder, with its type.
 *
 * @param placeholder A placeholder of {@link parseTemplate}.
 * @param variables The values, by name.
 * @returns The value, or `undefined` when there is none.
 */
export function resolvePlaceholder(
  placeholder: Placeholder,
  variables: Variables,
): Value | undefined {
  if (placeholder.kind === "path") return resolvePath(placeholder, createLookup(variables));
  const generated = generate(placeholder, variables);
  return generated !== undefined && "value" in generated ? generated.value : undefined;
}

/** Whether the whole path exists, even if its value is `undefined`. */
export function isPresent(placeholder: PathPlaceholder, variables: Variables): boolean {
  const { name, steps, query } = placeholder;
  if (query !== undefined) return resolvePlaceholder(placeholder, variables) !== undefined;
  const last = steps.at(-1);
  if (last === undefined) {
    return isMap(variables) ? variables.has(name) : Object.hasOwn(variables, name);
  }
  const parent = { ...placeholder, steps: steps.slice(0, -1) };
  const holder = resolvePath(parent, createLookup(variables));
  if (typeof holder !== "object" || holder === null) return false;
  if (!Array.isArray(holder)) return Object.hasOwn(holder, last);
  return typeof last === "number" && last < holder.length;
}

/** Looks up the value of a path: only own properties, and only elements of an array. */
export function resolvePath(placeholder: PathPlaceholder, lookUp: Lookup): Value | undefined {
  const { name, steps } = placeholder;
  let value = lookUp(name);
  for (const step of steps) value = takeStep(value, step);
  const { query } = placeholder;
  return query === undefined || value === undefined ? value : selectFirst(value, query);
}

/** The property or element of a value, or `undefined` when there is none. */
export function takeStep(value: Value | undefined, step: string | number): Value | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  const object = value as { readonly [key: string]: Value };
  return Object.hasOwn(object, step) ? object[step] : undefined;
}
