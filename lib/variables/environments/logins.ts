import type { Value } from "../../interpolation/mod.ts";
import type { EnvironmentVariable } from "./environment-variable.ts";

/** The key of logins in JetBrains' environment files. */
export const SECURITY = "Security";

/** The secret properties of a login; the others are names and addresses. */
const SECRET_KEY = /secret|password|^token$/i;

/**
 * Merges the logins of a file into those of the previous one: a private file adds the secrets to the
 * logins of the public file.
 */
export function withLogins(
  variable: EnvironmentVariable,
  before: EnvironmentVariable | undefined,
): EnvironmentVariable {
  const own = variable.value;
  if (own === undefined) return variable;
  const value = before?.value === undefined ? own : mergeDeep(before.value, own);
  return { ...variable, value, secret: false, secretTexts: secretTextsIn(value) };
}

function mergeDeep(before: Value, value: Value): Value {
  if (!isRecord(before) || !isRecord(value)) return value;
  const merged = new Map(Object.entries(before));
  for (const [key, one] of Object.entries(value)) {
    const own = merged.get(key);
    merged.set(key, own === undefined ? one : mergeDeep(own, one));
  }
  return Object.fromEntries(merged);
}

function secretTextsIn(value: Value): readonly string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === "string" ? (SECRET_KEY.test(key) ? [one] : []) : secretTextsIn(one),
  );
}

/** Whether a value is an object with keys. */
export function isRecord(value: Value | undefined): value is { readonly [key: string]: Value } {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}
