import { isObjectValue, type Value } from "../interpolation/mod.ts";

/** The key of logins in JetBrains' environment files. */
export const SECURITY = "Security";

/** The secret properties of a login; the others are names and addresses. */
const SECRET_KEY = /secret|password|^token$/i;

/** The texts of logins that are secret. */
export function secretTextsIn(value: Value): readonly string[] {
  if (!isObjectValue(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (typeof one !== "string") return secretTextsIn(one);
    return SECRET_KEY.test(key) ? [one] : [];
  });
}
