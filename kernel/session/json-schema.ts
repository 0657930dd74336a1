import type * as Library from "@cfworker/json-schema";
import { isRecord, shorten } from "../../lib/interpolation/mod.ts";
import { limitTime, requireModule } from "../platform/mod.ts";

/** Where a value does not match a schema, and why. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The drafts that the validator has, by what `$schema` says. */
const DRAFTS: readonly (readonly [pattern: RegExp, draft: Library.SchemaDraft])[] = [
  [/\/draft-04\//, "4"],
  // Draft 7 has added to draft 6, and changed nothing of it.
  [/\/draft-0[67]\//, "7"],
  [/\/draft\/2019-09\//, "2019-09"],
  [/\/draft\/2020-12\//, "2020-12"],
];

let library: typeof Library | undefined;

/**
 * Checks JSON by a JSON Schema.
 *
 * @param json The value as a text.
 * @returns The first place where it does not match.
 * @throws {TypeError} The schema is not valid, or its draft is not supported.
 */
export function checkJson(schema: unknown, json: string): SchemaIssue | undefined {
  library ??= requireModule("@cfworker/json-schema", import.meta.url) as typeof Library;
  const { validate } = library;
  const value: unknown = JSON.parse(json);
  const copy = copyOf(schema);
  const draft = draftOf(copy);
  const lookup = checkSchema(copy, library);
  try {
    const run = (): Library.ValidationResult => validate(value, copy, draft, lookup);
    const { valid, errors } = limitTime(run, json.length);
    if (valid) return undefined;
    // Earlier errors are those of the enclosing schemas.
    const { instanceLocation = "#", error = "The value is not valid" } = errors.at(-1) ?? {};
    return { path: stepsOf(instanceLocation, value), message: error };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TypeError("Cannot use the JSON Schema: it refers to itself without end");
  }
}

/** The validator adds to the schema, which may be frozen. */
function copyOf(schema: unknown): Library.Schema | boolean {
  const isSchema = typeof schema === "boolean" || (typeof schema === "object" && schema !== null);
  if (!isSchema || Array.isArray(schema)) {
    throw new TypeError(
      "Calling toMatchSchema failed: the schema is neither a JSON Schema, which is an object, nor a Standard Schema",
    );
  }
  try {
    return JSON.parse(JSON.stringify(schema));
  } catch (error) {
    const { message } = error as Error;
    throw new TypeError(`Cannot use the JSON Schema: it is not JSON: ${message.split("\n")[0]}`);
  }
}

function draftOf(schema: Library.Schema | boolean): Library.SchemaDraft {
  const url: unknown = typeof schema === "object" ? schema.$schema : undefined;
  if (url === undefined) return "2020-12";
  const known = DRAFTS.find(([pattern]) => pattern.test(String(url)));
  if (known !== undefined) return known[1];
  throw new TypeError(
    `Cannot use the JSON Schema: the "$schema" ${JSON.stringify(url)} is not supported; draft 4, 6, 7, 2019-09 and 2020-12 are`,
  );
}

/** The steps of a JSON Pointer; those into an array are numbers. */
function stepsOf(pointer: string, root: unknown): readonly (string | number)[] {
  let value = root;
  const [, ...keys] = pointer.split("/");
  return keys.map((encoded) => {
    const key = decodeURI(encoded).replaceAll("~1", "/").replaceAll("~0", "~");
    const step = Array.isArray(value) ? Number(key) : key;
    value = Reflect.get(Object(value), step);
    return step;
  });
}

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
function checkSchema(root: Library.Schema | boolean, lists: Lists): Lookup {
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
