import { dataOf, tagOf } from "./members.ts";
import type { GeneratedPlaceholder } from "./template.ts";
import {
  createNumberText,
  isNoted,
  JSON_NUMBER,
  type NumberText,
  namesOf,
  notedText,
} from "./written.ts";

/** Everything that a variable may contain and a placeholder can insert. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | NumberText
  | readonly Value[]
  | { readonly [key: string]: Value };

/**
 * Variables that are looked up when a placeholder needs them. A scope may also generate values, and
 * explain why it lacks a variable.
 */
export interface Scope {
  /** The value of a variable, or `undefined` when there is none. */
  get(name: string): Value | undefined;
  /** Whether there is a variable of that name. */
  has(name: string): boolean;
  /** The names, for suggestions in errors. */
  keys(): Iterable<string>;
  /** Generates the value of `{{$name …}}`, for each placeholder separately. */
  generate?(placeholder: GeneratedPlaceholder): Generated;
  /** Explains why there is no variable of a name, with the path that was to follow it, if the scope knows. */
  explain?(name: string, steps?: readonly (string | number)[]): Explanation | undefined;
  /** Whether a name with dots is that of a variable: it then goes before a member. */
  isWhole?(name: string): boolean;
  /**
   * A variable that has no value yet, since something beside the path cannot be filled: what the path leads to is
   * filled in it, or the reason why it cannot be.
   */
  partOf?(name: string, steps: readonly (string | number)[]): Generated | undefined;
  /** The reference that a text is which a person wrote as a value; `undefined` for any other text. */
  reference?(text: string): Reference | undefined;
}

/** A text that names a secret instead of being one: `op://Private/api/token`. */
export interface Reference {
  /** What it begins with: `op`. */
  readonly scheme: string;
  /** The rest: `Private/api/token`. */
  readonly path: string;
  /** All of it. */
  readonly text: string;
  /** Whether its secret is fetched when something that uses it is sent. */
  readonly isWaiting: boolean;
  /**
   * Returns the secret.
   *
   * @throws {Error} It was not fetched yet, or cannot be.
   */
  resolve(): string;
}

/** The key of the value that an object stands for where it is used whole: the body of a response. */
export const wholeValue: unique symbol = Symbol.for("restlab.wholeValue");

/** The key of a text that says why an object has few members: what the body of a response is, which is not JSON. */
export const notJson: unique symbol = Symbol.for("restlab.notJson");

/** What objects with those keys have. */
export interface Whole {
  readonly [wholeValue]?: Value;
  readonly [notJson]?: string | undefined;
}

/** The result of `{{$name …}}`: a value, or why there is none. */
export type Generated = { readonly value: Value } | Explanation;

/** Why a placeholder has no value, and what to do about it. */
export interface Explanation {
  /** What is wrong, as it follows a colon: lower-case start, no final period. */
  readonly message: string;
  /** A suggestion, or what to do. */
  readonly hint?: string | undefined;
}

/** The variables that a template is rendered with, by name; a `Map` is a {@link Scope}. */
export type Variables = Scope | { readonly [name: string]: Value };

/** Whether a value is an object but not an array: a literal, a parsed one, or a class instance. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object with members: neither a list, nor a date, nor a number that keeps its digits. */
export function isObjectValue(value: unknown): value is { readonly [key: string]: Value } {
  return isRecord(value) && !isDate(value) && !isNumberText(value);
}

/** An own member of a value; `undefined` if the value is not an object or has no such member. */
export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Reads a JSON number as a value that is inserted with the same text: a number where its decimal text is
 * the same, else a bigint or a {@link NumberText}.
 *
 * @param text A number as JSON writes it, as of `1.0`, `1e3` or `9007199254740993`.
 * @throws {TypeError} The text is not a JSON number.
 */
export function parseWrittenNumber(text: string): number | bigint | NumberText {
  if (renderDecimal(Number(text)) === text) return Number(text);
  return /^(?:0|-?[1-9]\d*)$/.test(text) ? BigInt(text) : createNumberText(text);
}

/** Whether an object is a {@link NumberText}, and not data with the same key. */
export function isNumberText(value: object): value is NumberText {
  if (!("isLosslessNumber" in value) || dataOf(value, "isLosslessNumber") !== true) return false;
  const write = dataOf(value, "toString");
  if (typeof write !== "function") return false;
  return JSON_NUMBER.test(String(write.call(value)));
}

/**
 * Writes a number in decimal digits without an exponent: the shortest digits that parse to the same
 * number, padded with zeros.
 *
 * @param number A finite number; minus zero is written as `0`.
 */
export function renderDecimal(number: number): string {
  const text = String(number);
  const at = text.indexOf("e");
  if (at === -1) return text;
  const exponent = Number(text.slice(at + 1));
  const sign = number < 0 ? "-" : "";
  const [whole = "", fraction = ""] = text.slice(sign.length, at).split(".");
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits + "0".repeat(exponent - fraction.length);
}

/** The bytes of a buffer, or of a view of one, which are not copied; `undefined` of anything else. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return tagOf(value) === "ArrayBuffer" ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** Whether an object is a date, also one of another realm (a `vm` context, a frame). */
export function isDate(value: unknown): value is Date {
  if (tagOf(value) !== "Date") return false;
  try {
    Date.prototype.getTime.call(value);
    return true;
  } catch {
    // Its tag says "Date", but it has no time value.
    return false;
  }
}

const PLAIN_PROPERTY = /^[\p{L}\p{M}\p{Nd}_-]+$/u;

/** A step in the syntax of a path: `.name`, `["a b"]` or `[0]`. */
export function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return PLAIN_PROPERTY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/**
 * Writes a value as JSON. Unlike `JSON.stringify` it supports bigints, keeps the digits of a
 * {@link NumberText}, and writes numbers without an exponent.
 *
 * @param value The value.
 * @param indent Spaces per level; 0 gives one line without blanks.
 * @param margin A prefix of all lines but the first.
 * @throws {TypeError} The value is nested too deeply for the stack of the runtime, or too long.
 * @example
 * ```ts
 * renderJson({ id: 9007199254740993123n, at: new Date(0) }); // '{"id":9007199254740993123,"at":"1970-01-01T00:00:00.000Z"}'
 * renderJson([1e21]); // "[1000000000000000000000]"
 * ```
 */
export function renderJson(value: Value, indent = 0, margin = ""): string {
  if (isPlainJson(value)) {
    const text = JSON.stringify(value, null, indent);
    return margin === "" ? text : text.replaceAll("\n", `\n${margin}`);
  }
  try {
    return writeValue(value, indent === 0 ? "" : `\n${margin}`, " ".repeat(indent));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TypeError("Cannot write the value as JSON: it is nested too deeply or too long", {
      cause: error,
    });
  }
}

const DEEPEST = 100;

/**
 * Whether a value consists of texts, usual numbers, lists and plain objects, so that `JSON.stringify` writes it as
 * {@link renderJson} does: in a third of the time, which is felt where a large answer is put into a request.
 */
export function isPlainJson(value: unknown, depth: number = 0): value is Value {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") {
    const size = Math.abs(value);
    return (size >= 1e-6 && size < 1e21) || size === 0;
  }
  if (typeof value !== "object" || depth > DEEPEST || isNoted(value)) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlainJson(item, depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const object = value as { readonly [key: string]: unknown } & Whole;
  if (object["toJSON"] !== undefined || object[wholeValue] !== undefined) return false;
  for (const key in object) if (!isPlainJson(object[key], depth + 1)) return false;
  return true;
}

function writeValue(value: Value, lineBreak: string, unit: string): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return renderDecimal(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return writeArray(value, lineBreak, unit);
  if (isDate(value)) return `"${value.toISOString()}"`;
  if (isNumberText(value)) return value.toString();
  const whole = (value as Whole)[wholeValue];
  if (whole !== undefined) return writeValue(whole, lineBreak, unit);
  return writeObject(value as { readonly [key: string]: Value }, lineBreak, unit);
}

function writeArray(items: readonly Value[], lineBreak: string, unit: string): string {
  if (items.length === 0) return "[]";
  const inner = lineBreak === "" ? "" : lineBreak + unit;
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as Value;
    text += index === 0 ? inner : `,${inner}`;
    text += notedText(items, index, item) ?? writeValue(item, inner, unit);
  }
  return `${text}${lineBreak}]`;
}

function writeObject(
  object: { readonly [key: string]: Value },
  lineBreak: string,
  unit: string,
): string {
  const inner = lineBreak === "" ? "" : lineBreak + unit;
  const colon = lineBreak === "" ? ":" : ": ";
  let text = "";
  for (const key of namesOf(object)) {
    text += (text === "" ? inner : `,${inner}`) + JSON.stringify(key) + colon;
    const value = object[key] as Value;
    text += notedText(object, key, value) ?? writeValue(value, inner, unit);
  }
  return text === "" ? "{}" : `{${text}${lineBreak}}`;
}
