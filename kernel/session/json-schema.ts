import { shorten, type Value, valueAt } from "../../lib/interpolation/mod.ts";
import {
  dialectOf,
  SchemaError,
  type SchemaFault,
  Schemas,
  validate,
} from "../../lib/schema/mod.ts";
import { limitTime } from "../platform/mod.ts";

const URI = "https://schema.invalid/";

/**
 * Checks a value of JSON by a JSON Schema.
 *
 * @param size The characters of the value as JSON.
 * @returns The first place where it does not match.
 * @throws {TypeError} The schema is not valid, or its draft is not supported.
 */
export function checkJson(schema: unknown, value: unknown, size: number): SchemaFault | undefined {
  const copy = copyOf(schema);
  const dialect = dialectIn(copy);
  checkKeywords(copy);
  const schemas = new Schemas();
  try {
    const resource = schemas.add(URI, copy, dialect);
    schemas.checkReferences();
    return limitTime(() => validate({ schema: copy, resource }, value, schemas), size)[0];
  } catch (error) {
    if (error instanceof SchemaError) throw unusable(error.message);
    throw error instanceof RangeError ? unusable("it is nested too deeply") : error;
  }
}

function unusable(reason: string): TypeError {
  return new TypeError(`Cannot use the JSON Schema: ${reason}`);
}

/** The schema as JSON, which nothing changes. */
function copyOf(schema: unknown): object | boolean {
  const isSchema = typeof schema === "boolean" || (typeof schema === "object" && schema !== null);
  if (!isSchema || Array.isArray(schema)) {
    throw new TypeError(
      "Calling toMatchSchema failed: the schema is neither a JSON Schema, which is an object, nor a Standard Schema",
    );
  }
  try {
    return JSON.parse(JSON.stringify(schema));
  } catch (error) {
    throw unusable(`it is not JSON: ${(error as Error).message.split("\n")[0]}`);
  }
}

function dialectIn(schema: object | boolean): NonNullable<ReturnType<typeof dialectOf>> {
  const url: unknown = typeof schema === "object" ? Reflect.get(schema, "$schema") : undefined;
  const known = url === undefined ? 2020 : dialectOf(url);
  if (known !== undefined) return known;
  throw unusable(
    `the "$schema" ${JSON.stringify(url)} is not supported; draft 4, 6, 7, 2019-09 and 2020-12 are`,
  );
}

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
const SCHEMA = { $ref: "#" };
const SCHEMAS = { type: "array", minItems: 1, items: SCHEMA };
const SCHEMA_MAP = { type: "object", additionalProperties: SCHEMA };

/** What the keywords of a JSON Schema of any draft can be; a validation meets only those that a value leads to. */
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
 * Checks the keywords of a JSON Schema.
 *
 * @throws {TypeError} One has a value that it cannot have.
 */
function checkKeywords(root: object | boolean): void {
  const schemas = new Schemas();
  const resource = schemas.add(URI, META_SCHEMA, 2020);
  const [fault] = validate({ schema: META_SCHEMA, resource }, root, schemas);
  if (fault === undefined) return;
  const found = valueAt(root as Value, { steps: fault.path });
  const place = ["#", ...fault.path].map(String).join("/");
  throw unusable(
    `the value at ${place} is ${shorten(JSON.stringify(found) ?? "", 80)}: ${fault.message}`,
  );
}
