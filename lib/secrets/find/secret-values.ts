import { stepText } from "../../interpolation/mod.ts";
import type { Found, NameRule } from "../names/mod.ts";

/** What stands beside secrets without being one, in an object of credentials. */
const BESIDE =
  /^(?:user|users|user_?name|login|name|e?mail|account|tenant|type|kind|scheme|realm|region|host|url|uri|scope|issuer|audience|grant_?type|client_?id|id|expir\w*|path|domain|algorithm|alg|in|method)$/i;
/** Whether a number under this name counts something: `total_tokens: 150000`. */
export function isCount(name: string): boolean {
  return /s$/i.test(name) && !/pass$/i.test(name);
}

/** A value of a person's may have a million items; so many are looked at. */
const MOST = 20_000;
const DEEPEST = 50;

/**
 * The texts inside a value that are secret: all of them where it is secret itself, else those below
 * names that say so.
 *
 * @param path How a placeholder names the value; nothing where none does.
 */
export function findSecretValues(
  value: unknown,
  options: {
    readonly path: string | undefined;
    /** Whether all of it is secret: since somebody said so, by its name, or not. */
    readonly state: SecretState;
    readonly isSecretName: NameRule;
  },
  found: Found,
): void {
  const { isSecretName } = options;
  const seen = new Set<object>();
  let left = MOST;
  const visit = (
    item: unknown,
    path: string | undefined,
    state: SecretState,
    depth: number,
    /** Whether a number is a secret here: where somebody said so, and right below a secret name. */
    takesNumbers: boolean,
  ): void => {
    if (--left < 0 || depth > DEEPEST) return;
    if (typeof item !== "object" || item === null) {
      const isText = typeof item === "string" || (takesNumbers && isNumeric(item));
      if (state !== "open" && isText)
        found(String(item), path === undefined ? path : `{{${path}}}`);
      return;
    }
    if (item instanceof Date && state === "told" && !Number.isNaN(item.getTime())) {
      visit(item.toISOString(), path, state, depth, false);
      return;
    }
    if (item instanceof Date || ArrayBuffer.isView(item) || seen.has(item)) return;
    seen.add(item);
    if ("isLosslessNumber" in item) {
      if (takesNumbers) visit(String(item), path, state, depth, false);
      return;
    }
    const entries = item instanceof Map ? item.entries() : Object.entries(item);
    for (const [key, inner] of entries) {
      const step = Array.isArray(item) ? Number(key) : String(key);
      const at = path === undefined ? path : path + stepText(step);
      const inside = typeof step === "number" ? state : insideOf(state, step, isSecretName);
      const isOwn = typeof step === "number" ? takesNumbers : isSecretName(step) && !isCount(step);
      visit(inner, at, inside, depth + 1, inside === "told" || isOwn);
    }
  };
  const isNamed = options.state === "named" && !isCount(options.path ?? "");
  visit(value, options.path, options.state, 0, options.state === "told" || isNamed);
}

/** Secret since somebody said so, secret by name, or not. */
export type SecretState = "told" | "named" | "open";

/** Whether a member of an object is secret, by its name and by the state of the object. */
export function insideOf(outer: SecretState, name: string, isSecretName: NameRule): SecretState {
  if (outer === "told") return outer;
  if (isSecretName(name)) return "named";
  return outer === "named" && !BESIDE.test(name) ? "named" : "open";
}

function isNumeric(item: unknown): boolean {
  return typeof item === "number" || typeof item === "bigint";
}
