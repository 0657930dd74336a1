import type * as Library from "@cfworker/json-schema";
import { isRecord, shorten } from "../../../lib/interpolation/mod.ts";

type Lists = Pick<
  typeof Library,
  "dereference" | "schemaArrayKeyword" | "schemaKeyword" | "schemaMapKeyword"
>;

/** What the value of a keyword has to be; the validator ignores or misreads any other. */
type Rule = readonly [wanted: string, isValid: (value: unknown) => boolean];

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
const isType = (value: unknown): boolean => TYPES.includes(value as string);
const isString = (value: unknown): boolean => typeof value === "string";
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isString);
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

const COUNT: Rule = ["a whole number from 0", isCount];
const NUMBER: Rule = ["a number", Number.isFinite];
const LIMIT: Rule = ["a number", (value) => typeof value === "boolean" || Number.isFinite(value)];
const LIST: Rule = ["an array", Array.isArray];
const SCHEMA: Rule = ["a schema, which is an object or a boolean", isSchema];
const SCHEMAS: Rule = [
  "a list of schemas",
  (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
];
const SCHEMA_MAP: Rule = [
  "an object of schemas",
  (value) => isRecord(value) && Object.values(value).every(isSchema),
];

const RULES: Readonly<Record<string, Rule>> = {
  type: [
    `one of ${TYPES.join(", ")}, or a list of these`,
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
  ],
  required: ["a list of names", isNames],
  enum: LIST,
  pattern: ["a regular expression", isPattern],
  format: ["a string", isString],
  $ref: ["a string", isString],
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: LIMIT,
  exclusiveMaximum: LIMIT,
  multipleOf: ["a number above 0", (value) => Number.isFinite(value) && Number(value) > 0],
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  items: ["a schema or a list of schemas", (value) => isSchema(value) || SCHEMAS[1](value)],
  patternProperties: [
    "an object of schemas by regular expressions",
    (value) => SCHEMA_MAP[1](value) && Object.keys(Object(value)).every(isPattern),
  ],
};

/** The schemas in a schema, by their URLs. */
type Lookup = Readonly<Record<string, Library.Schema | boolean>>;

/**
 * Checks a JSON Schema.
 *
 * @param lists What the validator knows of keywords that contain schemas.
 * @returns The schemas in it.
 * @throws {TypeError} A keyword has a value that it cannot have, or a reference leads nowhere.
 */
export function checkSchema(root: Library.Schema | boolean, lists: Lists): Lookup {
  checkKeywords(root, "#", lists);
  let lookup: Lookup;
  try {
    lookup = lists.dereference(root);
  } catch (error) {
    throw new TypeError(`Cannot use the JSON Schema: ${(error as Error).message}`);
  }
  for (const schema of Object.values(lookup)) {
    if (typeof schema === "boolean" || schema.__absolute_ref__ === undefined) continue;
    if (lookup[schema.__absolute_ref__] !== undefined) continue;
    throw new TypeError(
      `Cannot use the JSON Schema: the "$ref" ${JSON.stringify(schema.$ref)} does not exist in it, and other schemas are not loaded`,
    );
  }
  return lookup;
}

function checkKeywords(schema: unknown, pointer: string, lists: Lists): void {
  if (!isRecord(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const { rule, inner } = lookAt(keyword, value, lists);
    if (rule !== undefined && !rule[1](value)) {
      throw new TypeError(
        `Cannot use the JSON Schema: at ${pointer}, "${keyword}" is ${shorten(JSON.stringify(value), 80)}, not ${rule[0]}`,
      );
    }
    for (const [path, one] of inner) checkKeywords(one, `${pointer}/${keyword}${path}`, lists);
  }
}

/** The rule of a keyword, and the schemas in its value. */
function lookAt(
  keyword: string,
  value: unknown,
  { schemaArrayKeyword, schemaKeyword, schemaMapKeyword }: Lists,
): { readonly rule?: Rule; readonly inner: readonly (readonly [path: string, one: unknown])[] } {
  const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
  const inside = (): (readonly [string, unknown])[] =>
    Object.entries(Object(value)).map(([key, one]) => [`/${key}`, one]);
  if (Object.hasOwn(schemaMapKeyword, keyword))
    return { rule: rule ?? SCHEMA_MAP, inner: inside() };
  if (Object.hasOwn(schemaArrayKeyword, keyword) && Array.isArray(value)) {
    return { rule: rule ?? SCHEMAS, inner: inside() };
  }
  if (Object.hasOwn(schemaArrayKeyword, keyword) && keyword !== "items") {
    return { rule: SCHEMAS, inner: [] };
  }
  if (Object.hasOwn(schemaKeyword, keyword)) return { rule: rule ?? SCHEMA, inner: [["", value]] };
  return { ...(rule && { rule }), inner: [] };
}

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isRecord(value);
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === "string" && new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
