import type * as Library from "@cfworker/json-schema";
import { shorten, type Value, valueAt } from "../../lib/interpolation/mod.ts";
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

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
const SCHEMA = { $ref: "#" };
const SCHEMAS = { type: "array", minItems: 1, items: SCHEMA };
const SCHEMA_MAP = { type: "object", additionalProperties: SCHEMA };

/** What the keywords of a JSON Schema of any draft can be; the validator ignores or misreads any other value. */
const META_SCHEMA = {
  type: ["object", "boolean"],
  properties: {
    type: {
      type: ["string", "array"],
      minItems: 1,
      items: { enum: TYPES },
      if: { type: "string" },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { enum: TYPES },
    },
    ...forEach("allOf anyOf oneOf prefixItems", SCHEMAS),
    ...forEach("properties $defs definitions dependentSchemas", SCHEMA_MAP),
    patternProperties: { ...SCHEMA_MAP, propertyNames: { format: "regex" } },
    ...forEach(
      "additionalItems additionalProperties contains propertyNames not if then else " +
        "unevaluatedItems unevaluatedProperties",
      SCHEMA,
    ),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    items: { if: { type: "array" }, then: SCHEMAS, else: SCHEMA },
    required: { type: ["array", "boolean"], items: { type: "string" } },
    enum: { type: "array" },
    pattern: { type: "string", format: "regex" },
    ...forEach("format $ref", { type: "string" }),
    ...forEach("minimum maximum", { type: "number" }),
    ...forEach("exclusiveMinimum exclusiveMaximum", { type: ["number", "boolean"] }),
    multipleOf: { type: "number", exclusiveMinimum: 0 },
    ...forEach("minLength maxLength minItems maxItems minProperties maxProperties", {
      type: "integer",
      minimum: 0,
    }),
  },
};

function forEach(keywords: string, schema: object): Readonly<Record<string, object>> {
  return Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, schema]));
}

/**
 * Checks a JSON Schema.
 *
 * @returns The schemas in it, by their URLs.
 * @throws {TypeError} A keyword has a value that it cannot have, or a reference leads nowhere.
 */
function checkSchema(
  root: Library.Schema | boolean,
  { dereference, validate }: typeof Library,
): Readonly<Record<string, Library.Schema | boolean>> {
  const fail = (reason: string): TypeError =>
    new TypeError(`Cannot use the JSON Schema: ${reason}`);
  const { errors } = validate(root, structuredClone(META_SCHEMA) as Library.Schema, "2020-12");
  const fault = errors.at(-1);
  if (fault !== undefined) {
    const steps = stepsOf(fault.instanceLocation, root);
    const found = shorten(JSON.stringify(valueAt(root as Value, { steps })) ?? "", 80);
    throw fail(`the value at ${fault.instanceLocation} is ${found}: ${fault.error}`);
  }
  let lookup: Readonly<Record<string, Library.Schema | boolean>>;
  try {
    lookup = dereference(root);
  } catch (error) {
    throw fail((error as Error).message);
  }
  for (const schema of Object.values(lookup)) {
    if (typeof schema === "boolean" || schema.__absolute_ref__ === undefined) continue;
    if (lookup[schema.__absolute_ref__] !== undefined) continue;
    const reference = JSON.stringify(schema.$ref);
    throw fail(`the "$ref" ${reference} does not exist in it, and other schemas are not loaded`);
  }
  return lookup;
}
