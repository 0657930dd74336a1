import type { Exchange } from "../../exchange/mod.ts";
import { isReachableName } from "../../interpolation/mod.ts";
import type { Redactor } from "../../secrets/mod.ts";

/** Where a value that is shown comes from. */
export interface Origin {
  /** How a person gets the value again: a placeholder or an expression; absent where there is no way. */
  readonly path?: Path;
  /** How many items or keys an array or object has in truth, where only its head is at hand. */
  readonly total?: (container: object) => number | undefined;
}

/** A way to a value. */
export interface Path {
  readonly form: "placeholder" | "expression";
  /** Without the braces of a placeholder. */
  readonly text: string;
  /** The keys in it. */
  readonly keys: readonly string[];
}

/** Comes from nowhere that has a name. */
export const NOWHERE: Origin = {};

const LONGEST = 160;
const STEPS = {
  placeholder: /^[\p{L}\p{M}\p{Nd}_-]+$/u,
  expression: /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u,
} as const;
// A placeholder stands on one line, and knows no escapes but those of quote and backslash.
const UNWRITABLE = { placeholder: /\p{Cc}|[\u2028\u2029]/u, expression: /\p{Surrogate}/u } as const;

/** The body of an answer: as a placeholder where its request has a name, else as what the client has last. */
export function bodyPath({ request }: Exchange): Path {
  const { name } = request;
  return name !== undefined && isReachableName(name)
    ? { form: "placeholder", text: `${name}.response.body`, keys: [] }
    : { form: "expression", text: "client.last.json", keys: [] };
}

/** The path of an item or a property; none where it would be too long to be of use. */
export function stepInto({ path, ...rest }: Origin, key: string | number): Origin {
  if (path === undefined || String(key).length > LONGEST) return rest;
  const text = path.text + stepText(key, path.form);
  if (text.length > LONGEST || UNWRITABLE[path.form].test(text)) return rest;
  const keys = typeof key === "number" ? path.keys : [...path.keys, key];
  return { ...rest, path: { form: path.form, text, keys } };
}

function stepText(key: string | number, form: Path["form"]): string {
  if (typeof key === "number") return `[${key}]`;
  if (STEPS[form].test(key)) return `.${key}`;
  return `[${form === "expression" ? JSON.stringify(key) : quote(key)}]`;
}

function quote(key: string): string {
  return `"${key.replace(/["\\]/g, "\\$&")}"`;
}

/** The path as a person copies it; none where it contains a secret. */
export function pathText({ path }: Origin, { key }: Redactor): string | undefined {
  if (path === undefined || path.keys.some((name) => key(name) !== name)) return undefined;
  return path.form === "placeholder" ? `{{${path.text}}}` : path.text;
}

/** How many items a list has. */
export function lengthOf(items: readonly unknown[], { total }: Origin): number {
  return total?.(items) ?? items.length;
}
