import {
  compareNumbers,
  isJsonNumber,
  isMultipleOf,
  isObjectValue,
  isRecord,
  isWholeNumber,
  type JsonNumber,
  shorten,
} from "../interpolation/mod.ts";
import { compareValues, toCanonicalJson } from "../json/mod.ts";
import { hasFormat } from "./formats.ts";
import { type Json, SchemaError } from "./schemas.ts";

/** What a keyword says of one value, without schemas in it: what is wrong, as a message. */
export type Assertion = (
  wanted: unknown,
  value: unknown,
  schema: Json,
  matches: (pattern: string, text: string) => boolean,
) => string | undefined;

const TYPES: Readonly<Record<string, readonly [name: string, is: (value: unknown) => boolean]>> = {
  null: ["null", (value) => value === null],
  boolean: ["a boolean", (value) => typeof value === "boolean"],
  object: ["an object", isObjectValue],
  array: ["an array", Array.isArray],
  integer: ["an integer", (value) => isJsonNumber(value) && isWholeNumber(value)],
  number: ["a number", isJsonNumber],
  string: ["a string", (value) => typeof value === "string"],
};

/** Whether two values of JSON are equal; numbers are if they are of equal value. */
function isEqual(one: unknown, other: unknown): boolean {
  return compareValues(one, other).next().done === true;
}

function write(value: unknown): string {
  return shorten(toCanonicalJson(value), 80);
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

function numberOf(wanted: unknown): JsonNumber {
  if (isJsonNumber(wanted)) return wanted;
  throw new SchemaError(`${write(wanted)} stands where a number is needed`);
}

/** The value of a keyword that must be a list. */
export function listOf(wanted: unknown): readonly unknown[] {
  if (Array.isArray(wanted)) return wanted;
  throw new SchemaError(`${write(wanted)} stands where a list is needed`);
}

function limit(phrase: string, isWithin: (order: number) => boolean): Assertion {
  return (wanted, value) => {
    if (!isJsonNumber(value) || isWithin(compareNumbers(value, numberOf(wanted)))) return undefined;
    return `${value} is ${phrase} ${wanted}`;
  };
}

/** A limit which a sibling, true or false in draft 4 and OpenAPI 3.0, may make exclusive. */
function eitherLimit(exclusive: string, inclusive: Assertion, strict: Assertion): Assertion {
  return (wanted, value, schema, matches) =>
    (schema[exclusive] === true ? strict : inclusive)(wanted, value, schema, matches);
}

const below = limit("not less than", (order) => order < 0);
const above = limit("not greater than", (order) => order > 0);
/** Exclusive limits that are true or false belong to `minimum` and `maximum`. */
const unlessBoolean =
  (assertion: Assertion): Assertion =>
  (wanted, ...others) =>
    typeof wanted === "boolean" ? undefined : assertion(wanted, ...others);

type Size = readonly [noun: string, of: (value: unknown) => number | undefined];
const CHARACTERS: Size = [
  "character",
  (value) => (typeof value === "string" ? [...value].length : undefined),
];
const ITEMS: Size = ["item", (value) => (Array.isArray(value) ? value.length : undefined)];
const MEMBERS: Size = [
  "member",
  (value) => (isObjectValue(value) ? Object.keys(value).length : undefined),
];

function size([noun, of]: Size, isLeast: boolean): Assertion {
  return (wanted, value) => {
    const found = of(value);
    if (found === undefined) return undefined;
    const order = compareNumbers(found, numberOf(wanted));
    if (isLeast ? order >= 0 : order <= 0) return undefined;
    return `${count(found, noun)} ${found === 1 ? "is" : "are"} ${isLeast ? "fewer" : "more"} than ${wanted}`;
  };
}

/** The keywords that say something of a value by themselves; they are those of the vocabulary "validation". */
export const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  type(wanted, value) {
    const names = typeof wanted === "string" ? [wanted] : listOf(wanted);
    const types = names.map((name) => {
      const type = Object.hasOwn(TYPES, String(name)) ? TYPES[String(name)] : undefined;
      if (type === undefined) throw new SchemaError(`the type ${write(name)} is unknown`);
      return type;
    });
    if (types.some(([, is]) => is(value))) return undefined;
    const found = Object.values(TYPES).find(([, is]) => is(value))?.[0];
    const isFraction = found === "a number" && names.includes("integer");
    const expected = types.map(([name]) => name).join(" or ");
    return `Expected ${expected}, found ${isFraction ? String(value) : found}`;
  },
  enum(wanted, value) {
    const values = listOf(wanted);
    if (values.some((one) => isEqual(one, value))) return undefined;
    return `Expected one of ${shorten(values.map(write).join(", "), 80)}`;
  },
  const: (wanted, value) => (isEqual(wanted, value) ? undefined : `Expected ${write(wanted)}`),
  multipleOf(wanted, value) {
    if (!isJsonNumber(value) || isMultipleOf(value, numberOf(wanted))) return undefined;
    return `${value} is not a multiple of ${wanted}`;
  },
  minimum: eitherLimit(
    "exclusiveMinimum",
    limit("less than", (order) => order >= 0),
    above,
  ),
  maximum: eitherLimit(
    "exclusiveMaximum",
    limit("greater than", (order) => order <= 0),
    below,
  ),
  exclusiveMinimum: unlessBoolean(above),
  exclusiveMaximum: unlessBoolean(below),
  minLength: size(CHARACTERS, true),
  maxLength: size(CHARACTERS, false),
  minItems: size(ITEMS, true),
  maxItems: size(ITEMS, false),
  minProperties: size(MEMBERS, true),
  maxProperties: size(MEMBERS, false),
  pattern(wanted, value, _schema, matches) {
    if (typeof value !== "string" || matches(String(wanted), value)) return undefined;
    return `Does not match the pattern ${write(wanted)}`;
  },
  uniqueItems(wanted, value) {
    if (wanted !== true || !Array.isArray(value)) return undefined;
    const places = new Map<string, number>();
    for (const [at, item] of value.entries()) {
      const text = toCanonicalJson(item);
      const before = places.get(text);
      if (before !== undefined) return `Items ${before} and ${at} are equal`;
      places.set(text, at);
    }
    return undefined;
  },
  dependentRequired(wanted, value) {
    if (!isObjectValue(value) || !isRecord(wanted)) return undefined;
    for (const [name, needed] of Object.entries(wanted)) {
      if (!Object.hasOwn(value, name)) continue;
      const missing = listOf(needed).find((one) => !Object.hasOwn(value, String(one)));
      if (missing !== undefined)
        return `Member ${write(missing)} is missing, which ${write(name)} needs`;
    }
    return undefined;
  },
  format(wanted, value) {
    return hasFormat(String(wanted), value) ? undefined : `Is not of the format ${write(wanted)}`;
  },
};
