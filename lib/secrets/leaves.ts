import { stepText } from "../interpolation/mod.ts";
import type { Found } from "./find.ts";
import type { NameRule } from "./names.ts";

/** What stands beside secrets without being one, in an object of credentials. */
const BESIDE =
  /^(?:user|users|user_?name|login|name|e?mail|account|tenant|type|kind|scheme|realm|region|host|url|uri|scope|issuer|audience|grant_?type|client_?id|id|expir\w*|path|domain|algorithm|alg|in|method)$/i;
/** A value of a person's may have a million items; so many are looked at. */
const MOST = 20_000;
const DEEPEST = 50;

/**
 * The texts inside a value that are secret: all of them where it is secret itself, else those below
 * names that say so.
 *
 * @param path How a placeholder names the value; nothing where none does.
 */
export function findLeaves(
  value: unknown,
  options: {
    readonly path: string | undefined;
    /** Whether all of it is secret: since somebody said so, by its name, or not. */
    readonly state: SecretState;
    readonly isSecretName: NameRule;
  },
  found: Found,
): void {
  const seen = new Set<object>();
  let left = MOST;
  const visit = (
    item: unknown,
    path: string | undefined,
    state: SecretState,
    depth: number,
  ): void => {
    if (--left < 0 || depth > DEEPEST) return;
    if (typeof item !== "object" || item === null) {
      const isText = typeof item === "string" || (state === "told" && isNumeric(item));
      if (state !== "open" && isText)
        found(String(item), path === undefined ? path : `{{${path}}}`);
      return;
    }
    if (item instanceof Date && state === "told" && !Number.isNaN(item.getTime())) {
      visit(item.toISOString(), path, state, depth);
      return;
    }
    if (item instanceof Date || ArrayBuffer.isView(item) || seen.has(item)) return;
    seen.add(item);
    if ("isLosslessNumber" in item) {
      visit(String(item), path, state, depth);
      return;
    }
    const entries = item instanceof Map ? item.entries() : Object.entries(item);
    for (const [key, inner] of entries) {
      const step = Array.isArray(item) ? Number(key) : String(key);
      const at = path === undefined ? path : path + stepText(step);
      visit(inner, at, stateOf(state, step), depth + 1);
    }
  };
  const stateOf = (outer: SecretState, step: string | number): SecretState => {
    if (outer === "told" || typeof step === "number") return outer;
    if (options.isSecretName(step)) return "named";
    return outer === "named" && !BESIDE.test(step) ? "named" : "open";
  };
  visit(value, options.path, options.state, 0);
}

/** Secret since somebody said so, secret by name, or not. */
export type SecretState = "told" | "named" | "open";

function isNumeric(item: unknown): boolean {
  return typeof item === "number" || typeof item === "bigint";
}
