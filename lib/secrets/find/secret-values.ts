import { stepText } from "../../interpolation/mod.ts";
import type { Found, NameRule } from "../names/mod.ts";

/** Members of an object of credentials that are not secret themselves. */
const BESIDE =
  /^(?:user|users|user_?name|login|name|e?mail|account|tenant|type|kind|scheme|realm|region|host|url|uri|scope|issuer|audience|grant_?type|client_?id|id|expir\w*|path|domain|algorithm|alg|in|method)$/i;
/** Whether a number under this name counts something: `total_tokens: 150000`. */
export function isCount(name: string): boolean {
  return /s$/i.test(name) && !/pass$/i.test(name);
}

/** A value may have a million items; this many are searched. */
const MOST = 20_000;
const DEEPEST = 50;

/**
 * The secret texts inside a value: all of them if the value itself is secret, else those below secret
 * names.
 *
 * @param path The path of a placeholder that refers to the value, if there is one.
 */
export function findSecretValues(
  value: unknown,
  options: {
    readonly path: string | undefined;
    /** Whether the whole value is secret. */
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
    /** Whether a number is a secret: in a declared secret, and directly below a secret name. */
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

/** Declared to be secret, secret by its name, or not secret. */
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
