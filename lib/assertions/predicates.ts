import { isNumberText, renderJson, type Value } from "../interpolation/mod.ts";
import { parseJson, toCanonicalJson } from "../json/mod.ts";

/** What a predicate compares a value with. */
type Operand = "none" | "value" | "number" | "text" | "pattern" | "digest";

/** A predicate by its names; digests are compared by `hasDigest`. */
export interface Predicate {
  /** The name in results first, then its synonyms. */
  readonly names: readonly string[];
  readonly operand: Operand;
  /** What a failure expects instead of a value: "a number". */
  readonly expects?: string;
  /** @param expected The rendered value, an empty text if the predicate takes none. */
  readonly test?: (actual: unknown, expected: string) => boolean;
}

/** The algorithms of predicates, with the length of their digests in bytes. */
export const HASHES: Readonly<Record<string, number>> = { md5: 16, sha256: 32, sha512: 64 };

/** The predicates of httpYac, with its meaning of each; a `not` before any of them negates it. */
export const PREDICATES: readonly Predicate[] = [
  { names: ["==", "===", "equals"], operand: "value", test: isEqual },
  { names: ["!=", "!=="], operand: "value", test: (actual, text) => !isEqual(actual, text) },
  { names: [">="], operand: "number", test: compareBy((one, other) => one >= other) },
  { names: ["<="], operand: "number", test: compareBy((one, other) => one <= other) },
  { names: [">"], operand: "number", test: compareBy((one, other) => one > other) },
  { names: ["<"], operand: "number", test: compareBy((one, other) => one < other) },
  {
    names: ["startsWith"],
    operand: "text",
    test: (actual, text) => toText(actual)?.startsWith(text) === true,
  },
  {
    names: ["endsWith"],
    operand: "text",
    test: (actual, text) => toText(actual)?.endsWith(text) === true,
  },
  {
    names: ["contains", "includes"],
    operand: "text",
    test: (actual, text) =>
      toText(actual)?.includes(text) === true ||
      (Array.isArray(actual) && actual.some((one) => isEqual(one, text))),
  },
  {
    names: ["matches", "regex"],
    operand: "pattern",
    test: (actual, text) =>
      new RegExp(text, "u").test(toText(actual) ?? "") && actual !== undefined,
  },
  // As in httpYac, "exists" is false for 0, false, null and an empty text.
  { names: ["exists", "isTrue"], operand: "none", expects: "a true value", test: Boolean },
  { names: ["isFalse"], operand: "none", expects: "a false value", test: (actual) => !actual },
  { names: ["isNumber"], operand: "none", expects: "a number", test: isNumber },
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

/** The expected text is read as a value of the type that the response has. */
function isEqual(actual: unknown, expected: string): boolean {
  if (typeof actual === "number") return actual === toNumber(expected);
  // Digits that a double would change are compared as they are written.
  if (isNumber(actual)) return toText(actual) === expected.trim();
  if (typeof actual === "boolean") return actual === toBoolean(expected);
  if (typeof actual === "string") return actual === expected;
  if (actual === undefined) return expected === "undefined";
  if (actual === null) return expected === "null";
  try {
    return toCanonicalJson(actual) === toCanonicalJson(parseJson(expected));
  } catch {
    return toText(actual) === expected;
  }
}

function toBoolean(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  const number = Number.parseFloat(word);
  return Number.isNaN(number) ? word !== "" : number !== 0;
}

function compareBy(compare: (one: number, other: number) => boolean): Predicate["test"] & {} {
  return (actual, expected) => {
    const one = toNumber(actual);
    const other = toNumber(expected);
    return one !== undefined && other !== undefined && compare(one, other);
  };
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
    return typeof value === "object" ? renderJson(value as Value) : String(value);
  } catch {
    // A cycle, or an object that throws when it is read.
    return undefined;
  }
}

/** The number that a value is or begins with, as in httpYac. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const number = Number.parseFloat((toText(value) ?? "").trim());
  return Number.isNaN(number) ? undefined : number;
}

/** Whether a value is a number of JSON, one that a double would change included. */
function isNumber(value: unknown): boolean {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && isNumberText(value);
}
