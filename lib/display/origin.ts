import { type Exchange, isSuperseded } from "../exchange/mod.ts";
import { isReachableName, sizeOf, stepText } from "../interpolation/mod.ts";
import type { Redactor } from "../secrets/mod.ts";

/** Where a displayed value comes from. */
export interface Origin {
  /** How to write the value: a placeholder or an expression, if there is one. */
  readonly path?: Path;
  /** The number of items or keys of an array or object of which only the head was parsed. */
  readonly total?: (container: object) => number | undefined;
}

/** How to write a value. */
interface Path {
  readonly form: "placeholder" | "expression";
  /** The text, without the braces of a placeholder. */
  readonly text: string;
}

/** The origin of a value that cannot be written. */
export const NO_ORIGIN: Origin = {};

const LONGEST = 160;
const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
// A placeholder is on one line, and its only escapes are those of quotes and backslashes.
const UNWRITABLE = {
  placeholder: /[\p{Cc}\p{Surrogate}\u2028\u2029]/u,
  expression: /\p{Surrogate}/u,
} as const;

/**
 * The body of a response: a placeholder if its request has a name that refers to this very response,
 * otherwise what follows the exchange in an expression. The last exchange of a client is soon another one.
 */
export function bodyPath(exchange: Exchange): Path {
  const { name } = exchange.request;
  return name !== undefined && isReachableName(name) && !isSuperseded(exchange)
    ? { form: "placeholder", text: `${name}.response.body` }
    : { form: "expression", text: ".json" };
}

/** The origin of an item or a property; without a path when that would be too long to be useful. */
export function stepInto({ path, ...rest }: Origin, key: string | number): Origin {
  if (path === undefined || String(key).length > LONGEST) return rest;
  const text = path.text + writeStep(key, path.form);
  if (text.length > LONGEST || UNWRITABLE[path.form].test(String(key))) return rest;
  return { ...rest, path: { form: path.form, text } };
}

function writeStep(key: string | number, form: Path["form"]): string {
  if (form === "placeholder" || typeof key === "number") return stepText(key);
  return IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** The path as it can be copied; `undefined` if it would contain a secret. */
export function pathText({ path }: Origin, { key }: Redactor): string | undefined {
  if (path === undefined || key(path.text) !== path.text) return undefined;
  return path.form === "placeholder" ? `{{${path.text}}}` : path.text;
}

/** The number of items of a list. */
export function lengthOf(items: readonly unknown[], { total }: Origin): number {
  return total?.(items) ?? sizeOf(items);
}
