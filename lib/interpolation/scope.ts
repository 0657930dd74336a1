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
  if (variables instanceof Map) return variables.get(name);
  const record = variables as { readonly [name: string]: Value };
  return Object.hasOwn(record, name) ? record[name] : MISSING;
}

/** One step into a value. A step into nothing, and one that is not there, gives {@link MISSING}. */
export function takeStep(value: Value | undefined, step: string | number): Value | undefined {
  if (typeof value !== "object" || value === null) return MISSING;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : MISSING;
  const object = value as { readonly [key: string]: Value };
  return Object.hasOwn(object, step) ? object[step] : MISSING;
}
