import { isNumberText, stepText } from "../../interpolation/mod.ts";
import type { Found, NameRule } from "./names.ts";

// Stops `{ password: "…" }` in values of programs and in parsed JSON, and what is nested below such a name.

/** Members of an object of credentials that are not secret themselves. */
const BESIDE =
  /^(?:user|users|user_?name|login|name|e?mail|account|tenant|type|kind|scheme|realm|region|host|url|uri|scope|issuer|audience|grant_?type|client_?id|id|expir\w*|path|domain|algorithm|alg|in|method)$/i;

/** Whether a number under this name counts something: `total_tokens: 150000`. */
export function isCount(name: string): boolean {
  return /s$/i.test(name) && !/pass$/i.test(name);
}

/** What is secret at a place of a value, by the names on the path to it. */
export interface Place {
  /** Declared to be secret, secret by a name, or not secret. */
  readonly state: "declared" | "named" | "open";
  /** Whether a number is a secret: in a declared secret, and directly below a secret name. */
  readonly takesNumbers: boolean;
}

export const DECLARED: Place = { state: "declared", takesNumbers: true };
export const OPEN: Place = { state: "open", takesNumbers: false };

/** The place of a member; items of a list have that of the list. */
export function placeOfMember(outer: Place, name: string, isSecretName: NameRule): Place {
  if (outer.state === "declared") return outer;
  if (isSecretName(name)) return { state: "named", takesNumbers: !isCount(name) };
  const isBeside = outer.state === "open" || BESIDE.test(name);
  return isBeside ? OPEN : { state: "named", takesNumbers: false };
}

/** A value may have a million items; this many are searched. */
const MOST = 20_000;
const DEEPEST = 50;

/** How a value is searched. */
export interface SearchedValue {
  /** The path of a placeholder that refers to the value, if there is one. */
  readonly path?: string | undefined;
  /** Where the value is; {@link OPEN} unless told. */
  readonly place?: Place;
  readonly isSecretName: NameRule;
}

/** The secret texts inside a value: all of them if it was declared secret, else those below secret names. */
export function findSecretValues(
  value: unknown,
  { path: root, place = OPEN, isSecretName }: SearchedValue,
  found: Found,
): void {
  const seen = new Set<object>();
  let left = MOST;
  const visit = (item: unknown, path: string | undefined, at: Place, depth: number): void => {
    if (--left < 0 || depth > DEEPEST) return;
    const text = textOf(item, at);
    if (text !== undefined) found(text, path === undefined ? undefined : `{{${path}}}`);
    if (!isContainer(item) || seen.has(item)) return;
    seen.add(item);
    for (const [key, inner] of item instanceof Map ? item : Object.entries(item)) {
      const step = Array.isArray(item) ? Number(key) : String(key);
      const inside = typeof step === "number" ? at : placeOfMember(at, step, isSecretName);
      visit(inner, path === undefined ? undefined : path + stepText(step), inside, depth + 1);
    }
  };
  visit(value, root, place, 0);
}

/** The text of a leaf that is secret. */
function textOf(item: unknown, { state, takesNumbers }: Place): string | undefined {
  if (typeof item === "string") return state === "open" ? undefined : item;
  return isNumeric(item) && takesNumbers ? String(item) : undefined;
}

/** Whether a value is a number, one that is kept as its text included. */
export function isNumeric(item: unknown): boolean {
  if (typeof item === "number" || typeof item === "bigint") return true;
  return typeof item === "object" && item !== null && isNumberText(item);
}

function isContainer(item: unknown): item is object {
  const isObject = typeof item === "object" && item !== null;
  return isObject && !(item instanceof Date || ArrayBuffer.isView(item) || isNumberText(item));
}
