import {
  addNumbers,
  compareNumbers,
  equalValues,
  isDate,
  isJsonNumber,
  isObjectValue,
  renderJson,
  shorten,
  type Value,
} from "../interpolation/mod.ts";
import { parseJson } from "../json/mod.ts";

/** What a predicate compares a value with. */
type Operand = "none" | "value" | "list" | "order" | "tolerance" | "text" | "pattern" | "digest";

/** A predicate by its names; digests are compared by `hasDigest`. */
export interface Predicate {
  /** The name in results first, then its synonyms. */
  readonly names: readonly string[];
  readonly operand: Operand;
  /** What a failure expects instead of a value: "a number". */
  readonly expects?: string;
  /** Whether `ignoreCase` may stand before it. */
  readonly isOfText?: boolean;
  /**
   * Whether it holds.
   *
   * @param expected The rendered value, an empty text if the predicate takes none.
   * @param flags Of a regular expression.
   * @returns A text says why nobody can tell: then the assertion fails, also after `not`.
   */
  readonly test?: (actual: unknown, expected: string, flags: string) => boolean | string;
}

/** The algorithms of predicates, with the length of their digests in bytes. */
export const HASHES: Readonly<Record<string, number>> = { md5: 16, sha256: 32, sha512: 64 };

/**
 * The predicates of httpYac and others. Where httpYac reads what a text begins with as a number, an order or an equality
 * holds here for the whole text alone. A `not` before any of them negates it.
 */
export const PREDICATES: readonly Predicate[] = [
  { names: ["==", "===", "equals"], operand: "value", isOfText: true, test: isEqual },
  {
    names: ["!=", "!=="],
    operand: "value",
    isOfText: true,
    test: (actual, text) => !isEqual(actual, text),
  },
  { names: [">="], operand: "order", test: compareBy((order) => order >= 0) },
  { names: ["<="], operand: "order", test: compareBy((order) => order <= 0) },
  { names: [">"], operand: "order", test: compareBy((order) => order > 0) },
  { names: ["<"], operand: "order", test: compareBy((order) => order < 0) },
  { names: ["~="], operand: "tolerance", test: isNear },
  {
    names: ["in"],
    operand: "list",
    isOfText: true,
    test: (actual, text) => itemsOf(text).some((one) => isEqual(actual, one)),
  },
  {
    names: ["startsWith"],
    operand: "text",
    isOfText: true,
    test: (actual, text) => toText(actual)?.startsWith(text) === true,
  },
  {
    names: ["endsWith"],
    operand: "text",
    isOfText: true,
    test: (actual, text) => toText(actual)?.endsWith(text) === true,
  },
  { names: ["contains", "includes"], operand: "text", isOfText: true, test: contains },
  {
    names: ["matches", "regex"],
    operand: "pattern",
    isOfText: true,
    test: (actual, text, flags) =>
      new RegExp(text, `u${flags}`).test(toText(actual) ?? "") && actual !== undefined,
  },
  // As in httpYac, "exists" is false for 0, false, null and an empty text.
  { names: ["exists"], operand: "none", expects: "a true value", test: Boolean },
  { names: ["isTrue"], operand: "none", expects: "a true value", test: Boolean },
  { names: ["isFalse"], operand: "none", expects: "a false value", test: (actual) => !actual },
  // "isDefined" is the one that says whether a member or a header is there.
  {
    names: ["isDefined"],
    operand: "none",
    expects: "any value",
    test: (actual) => actual !== undefined,
  },
  { names: ["isNull"], operand: "none", expects: "null", test: (actual) => actual === null },
  { names: ["isEmpty"], operand: "none", expects: "an empty value", test: isEmpty },
  { names: ["isNumber"], operand: "none", expects: "a number", test: isJsonNumber },
  { names: ["isString"], operand: "none", expects: "a string", test: isOfType("string") },
  { names: ["isBoolean"], operand: "none", expects: "a boolean", test: isOfType("boolean") },
  { names: ["isArray"], operand: "none", expects: "an array", test: Array.isArray },
  ...Object.keys(HASHES).map((name): Predicate => ({ names: [name], operand: "digest" })),
];

const BY_NAME: ReadonlyMap<string, Predicate> = new Map(
  PREDICATES.flatMap((predicate) => predicate.names.map((name) => [name.toLowerCase(), predicate])),
);

/** Finds a predicate by one of its names, in upper or lower case. */
export function findPredicate(name: string): Predicate | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** A number that a text is from its beginning to its end; `007` is none, since a number has no such digits. */
const NUMBER = /^[-+]?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Whether a text is a number. */
export function isNumeral(text: string): boolean {
  return NUMBER.test(text.trim());
}

/** The expected text is read as a value of the type that the response has. */
function isEqual(actual: unknown, expected: string): boolean {
  if (typeof actual === "string") return actual === expected;
  const text = expected.trim();
  // By all digits, since a double would change some.
  if (isJsonNumber(actual) && isNumeral(String(actual))) {
    return isNumeral(text) && compareNumbers(actual, text) === 0;
  }
  if (typeof actual !== "object" || actual === null) return String(actual) === text;
  if (isDate(actual)) return toText(actual) === text;
  try {
    return equalValues(actual as Value, parseJson(text) as Value);
  } catch {
    return toText(actual) === expected;
  }
}

/** An element of a list, a key of an object, a part of any other value as a text. */
function contains(actual: unknown, expected: string): boolean {
  if (Array.isArray(actual)) return actual.some((one) => isEqual(one, expected));
  if (isObjectValue(actual)) return Object.hasOwn(actual, expected);
  return toText(actual)?.includes(expected) === true;
}

/** Whether a value has neither characters nor elements nor members. */
function isEmpty(actual: unknown): boolean {
  if (isObjectValue(actual)) return Object.keys(actual).length === 0;
  return actual === "" || (Array.isArray(actual) && actual.length === 0);
}

/** The values of a list: `200, 201`, or JSON such as `["a,b", "c"]`. */
export function itemsOf(text: string): readonly string[] {
  try {
    const items: unknown = /^\s*\[/.test(text) ? parseJson(text) : undefined;
    if (Array.isArray(items)) return items.map((one) => toText(one) ?? "");
  } catch {
    // The brackets are a part of a text.
  }
  return text.split(",").map((one) => one.trim());
}

/** Two values of one kind have an order: numbers, dates with or without a time, or times. */
interface Ordered {
  readonly kind: "number" | "date" | "time";
  /** The number itself, or seconds. */
  readonly decimal: string;
}

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(?:[Zz]|([-+])(\d\d):?(\d\d))?)?$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?$/;
/** Seconds before the year 0, so that no date is a negative number, whose fraction would count backwards. */
const EARLIEST = 1e11;

/** What a value is in an order. A date alone is its midnight, and a time without a zone is one, in UTC. */
export function readOrdered(value: unknown): Ordered | undefined {
  const text = (toText(value) ?? "").trim();
  if (isNumeral(text)) return { kind: "number", decimal: text };
  const [isTime, ...parts] = TIME.exec(text) ?? [];
  if (isTime !== undefined) {
    const [hours = "", minutes = "", seconds = "0", fraction = ""] = parts;
    const isValid = hours < "24" && minutes < "60" && Number(seconds) < 61;
    const count = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return isValid ? { kind: "time", decimal: `${count}${fraction}` } : undefined;
  }
  return readDate(text);
}

function readDate(text: string): Ordered | undefined {
  const [isDay, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", ...zone] =
    DATE.exec(text) ?? [];
  if (isDay === undefined) return undefined;
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // V8 takes the 31st of February for a day of March.
  const isReal = !Number.isNaN(midnight.getTime()) && midnight.getUTCDate() === Number(day);
  if (!isReal || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const [sign, zoneHours = "0", zoneMinutes = "0"] = zone;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "-" ? -60 : 60);
  const ofDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return { kind: "date", decimal: `${EARLIEST + midnight.getTime() / 1000 + ofDay}${fraction}` };
}

function compareBy(holds: (order: number) => boolean): Predicate["test"] & {} {
  return (actual, expected) => {
    const [one, other] = [readOrdered(actual), readOrdered(expected)];
    if (one === undefined || other === undefined) {
      return `${quote(one === undefined ? actual : expected)} is not a number or a date`;
    }
    if (one.kind === other.kind) return holds(compareNumbers(one.decimal, other.decimal));
    return `${quote(actual)} is a ${one.kind}, and ${quote(expected)} a ${other.kind}`;
  };
}

/** A value and how far from it another may be: `0.30 ± 0.01`. */
export function readTolerance(text: string): readonly [value: string, most: string] | undefined {
  const [value = "", most = "", ...more] = text.split(/±|\+\/?-/).map((part) => part.trim());
  const isRead = more.length === 0 && isNumeral(value) && isNumeral(most);
  return isRead && !most.startsWith("-") ? [value, most] : undefined;
}

function isNear(actual: unknown, expected: string): boolean | string {
  const [value, most] = readTolerance(expected) ?? [];
  if (value === undefined || most === undefined)
    return `${quote(expected)} has no form such as 0.3 ± 0.01`;
  const found = (toText(actual) ?? "").trim();
  if (!isNumeral(found)) return `${quote(actual)} is not a number`;
  const least = addNumbers(value, most.startsWith("+") ? `-${most.slice(1)}` : `-${most}`);
  const greatest = addNumbers(value, most);
  return compareNumbers(found, least) >= 0 && compareNumbers(found, greatest) <= 0;
}

function quote(value: unknown): string {
  const text = toText(value);
  return text === undefined ? "A missing value" : `"${shorten(text, 80)}"`;
}

function isOfType(type: string): Predicate["test"] & {} {
  return (actual) => typeof actual === type;
}

/**
 * Whether bytes have a digest.
 *
 * @param expected The digest in base64, as in httpYac, or hexadecimal, as other tools print it.
 */
export async function hasDigest(
  algorithm: string,
  bytes: Uint8Array,
  expected: string,
): Promise<{ readonly matches: boolean; readonly actual: string }> {
  // Web Crypto has no MD5.
  const { bytesToHex } = await import("@noble/hashes/utils.js");
  const { sha256, sha512 } = await import("@noble/hashes/sha2.js");
  const { md5 } = await import("@noble/hashes/legacy.js");
  const hash = { sha256, sha512 }[algorithm] ?? md5;
  const digest = hash(bytes);
  const isHex = expected.length === 2 * digest.length;
  const actual = isHex ? bytesToHex(digest) : btoa(String.fromCharCode(...digest));
  return { matches: actual === (isHex ? expected.toLowerCase() : expected), actual };
}

/** The text of a value that a predicate compares; `undefined` for a value that is missing or not data. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value === undefined || typeof value === "function" || typeof value === "symbol") {
    return undefined;
  }
  try {
    // An error, or another object of a script, has a text of its own.
    if (value instanceof Error) return String(value);
    if (isDate(value)) return value.toISOString();
    return typeof value === "object" ? renderJson(value as Value) : String(value);
  } catch {
    // A cycle, or an object that throws when it is read.
    return undefined;
  }
}
