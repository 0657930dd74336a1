import type { Value } from "../../interpolation/mod.ts";
import type { EnvironmentVariable } from "./environment-variable.ts";
import { isObjectValue } from "./typed-values.ts";

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
  if (!isObjectValue(before) || !isObjectValue(value)) return value;
  const entries = Object.entries(value).map(([key, one]): [string, Value] => {
    const former = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, former === undefined ? one : mergeDeep(former, one)];
  });
  return Object.fromEntries([...Object.entries(before), ...entries]);
}

function secretTextsIn(value: Value): readonly string[] {
  if (!isObjectValue(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (typeof one !== "string") return secretTextsIn(one);
    return SECRET_KEY.test(key) ? [one] : [];
  });
}
