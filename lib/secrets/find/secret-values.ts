import { stepText } from "../../interpolation/mod.ts";
import type { Found, NameRule } from "./names.ts";

// Stops `{ password: "…" }` in values of programs and in parsed JSON, and what is nested below such a name.

/** Members of an object of credentials that are not secret themselves. */
const BESIDE =
  /^(?:user|users|user_?name|login|name|e?mail|account|tenant|type|kind|scheme|realm|region|host|url|uri|scope|issuer|audience|grant_?type|client_?id|id|expir\w*|path|domain|algorithm|alg|in|method)$/i;

/** Whether a number under this name counts something: `total_tokens: 150000`. */
export function isCount(name: string): boolean {
  return /s$/i.test(name) && !/pass$/i.test(name);
}

/** Declared to be secret, secret by its name, or not secret. */
export type SecretState = "told" | "named" | "open";

/** Whether a member of an object is secret, by its name and by the state of the object. */
export function insideOf(outer: SecretState, name: string, isSecretName: NameRule): SecretState {
  if (outer === "told") return outer;
  if (isSecretName(name)) return "named";
  return outer === "named" && !BESIDE.test(name) ? "named" : "open";
}

/** A value may have a million items; this many are searched. */
const MOST = 20_000;
const DEEPEST = 50;

interface Visited {
  readonly path: string | undefined;
  readonly state: SecretState;
  /** Whether a number is a secret: in a declared secret, and directly below a secret name. */
  readonly takesNumbers: boolean;
}

/** How a value is searched. */
export interface SearchedValue {
  /** The path of a placeholder that refers to the value, if there is one. */
  readonly path?: string | undefined;
  /** Whether the whole value is secret; `open` unless told. */
  readonly state?: SecretState;
  readonly isSecretName: NameRule;
}

/**
 * The secret texts inside a value: all of them if the value itself is secret, else those below secret
 * names.
 */
export function findSecretValues(
  value: unknown,
  { path, state = "open", isSecretName }: SearchedValue,
  found: Found,
): void {
  const seen = new Set<object>();
  let left = MOST;
  const visit = (item: unknown, at: Visited, depth: number): void => {
    if (--left < 0 || depth > DEEPEST) return;
    const text = textOf(item, at.takesNumbers);
    if (text !== undefined && at.state !== "open") {
      found(text, at.path === undefined ? undefined : `{{${at.path}}}`);
    }
    if (text !== undefined || !isContainer(item) || seen.has(item)) return;
    seen.add(item);
    for (const [key, inner] of item instanceof Map ? item : Object.entries(item)) {
      visit(inner, inside(at, Array.isArray(item) ? Number(key) : String(key)), depth + 1);
    }
  };
  const inside = (at: Visited, step: string | number): Visited => {
    const path = at.path === undefined ? undefined : at.path + stepText(step);
    if (typeof step === "number") return { ...at, path };
    const state = insideOf(at.state, step, isSecretName);
    const isNamed = isSecretName(step) && !isCount(step);
    return { path, state, takesNumbers: state === "told" || isNamed };
  };
  const takesNumbers = state === "told" || (state === "named" && !isCount(path ?? ""));
  visit(value, { path, state, takesNumbers }, 0);
}

/** The text of a leaf; of a number, only where it may be a secret. */
function textOf(item: unknown, takesNumbers: boolean): string | undefined {
  if (typeof item === "string") return item;
  const isNumber = typeof item === "number" || typeof item === "bigint" || isLosslessNumber(item);
  return isNumber && takesNumbers ? String(item) : undefined;
}

/** Whether a value is a number that is kept as its text. */
export function isLosslessNumber(item: unknown): boolean {
  return typeof item === "object" && item !== null && "isLosslessNumber" in item;
}

function isContainer(item: unknown): item is object {
  const isObject = typeof item === "object" && item !== null;
  return isObject && !(item instanceof Date || ArrayBuffer.isView(item) || isLosslessNumber(item));
}
