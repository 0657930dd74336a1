import { isNumberText, renderJson, type Value } from "../interpolation/mod.ts";

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

/** A value as JSON with the members of objects in order of their names, to compare it with others. */
export function toCanonicalJson(value: unknown): string | undefined {
  return toText(sorted(value, 0));
}

/** The number that a value is or begins with, as in httpYac. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const number = Number.parseFloat((toText(value) ?? "").trim());
  return Number.isNaN(number) ? undefined : number;
}

/** Whether a value is a number of JSON, one that a double would change included. */
export function isNumber(value: unknown): boolean {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && isNumberText(value);
}

/** Deeper values than JSON of APIs are compared as they are. */
const DEEPEST = 200;

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((inner) => sorted(inner, depth + 1));
  if (value instanceof Date || isNumberText(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner, depth + 1)]));
}
