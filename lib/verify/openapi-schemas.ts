import {
  dereference,
  encodePointer,
  type OutputUnit,
  type Schema,
  type ValidationResult,
  validate,
} from "@cfworker/json-schema";
import type { LimitTime } from "../assertions/mod.ts";
import { isRecord, memberOf, type Path } from "../interpolation/mod.ts";
import { type Description, decodePointerStep, type Json } from "./openapi-description.ts";

/** A part of a value that its schema does not allow. */
interface SchemaFault {
  /** Where it is. */
  readonly path: Path;
  /** What is wrong; it may contain texts of the value. */
  readonly message: string;
}

/** Validates values by the schemas of a description. */
export type ValidateSchema = (schema: unknown, value: unknown) => readonly SchemaFault[];

const BASE = new URL("https://description.invalid/");
/** Keywords that only pass on what is wrong within them. */
const PASSING =
  /^(?:\$ref|properties|patternProperties|items|prefixItems|additionalItems|allOf|if|dependentSchemas)$/;
const MOST = 10;

/** Creates the validation of requests or of responses. */
export function createSchemas(
  description: Description,
  direction: Direction,
  limitTime: LimitTime,
): ValidateSchema {
  const lookup: Record<string, Schema | boolean> = Object.create(null);
  const convert = (schema: unknown): Schema | boolean =>
    toJsonSchema(schema, { direction, isVersion30: description.isVersion30 });
  const schemas = memberOf(memberOf(description.document, "components"), "schemas");
  for (const [name, schema] of Object.entries(isRecord(schemas) ? schemas : {})) {
    dereference(convert(schema), lookup, BASE, `/components/schemas/${encodePointer(name)}`);
  }
  const converted = new Map<unknown, Schema | boolean>();
  const prepare = (schema: unknown): Schema | boolean => {
    const known = converted.get(schema);
    if (known !== undefined) return known;
    const own = convert(schema);
    dereference(own, lookup, BASE, `/inline/${converted.size}`);
    converted.set(schema, own);
    return own;
  };
  return (schema, value) => {
    try {
      const prepared = prepare(schema);
      const run = (): ValidationResult => validate(value, prepared, "2020-12", lookup, false);
      const { errors } = limitTime(run, JSON.stringify(value).length);
      const causes = errors.filter(({ keyword }) => !PASSING.test(keyword));
      return (causes.length === 0 ? errors : causes).slice(0, MOST).map(toFault);
    } catch (error) {
      // A reference to another file, one that refers to itself, an invalid pattern, or one without end.
      const reason =
        error instanceof RangeError
          ? "it refers to itself"
          : ((error as Error).message.split("\n", 1)[0] ?? "").replace(/\s+Absolute URI .*/s, "");
      return [{ path: [], message: `The schema cannot be used: ${reason}` }];
    }
  };
}

function toFault({ instanceLocation, error }: OutputUnit): SchemaFault {
  const steps = instanceLocation.split("/").slice(1).map(decodePointerStep);
  return { path: steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)), message: error };
}

/** Whether a body is sent or received: some members belong to one of both only. */
type Direction = "request" | "response";

interface ConvertOptions {
  readonly direction: Direction;
  /** Whether it is a schema of OpenAPI 3.0. */
  readonly isVersion30: boolean;
}

type KeywordKind = "value" | "schema" | "list" | "map";

/** How the value of a keyword is converted. Other keywords are left out, as they check nothing. */
const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map([
  ...kindOf(
    "value",
    "$ref type enum const format required pattern minimum maximum exclusiveMinimum exclusiveMaximum " +
      "multipleOf minLength maxLength minItems maxItems uniqueItems minContains maxContains " +
      "minProperties maxProperties dependentRequired",
  ),
  ...kindOf(
    "schema",
    "items contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames not if then else",
  ),
  ...kindOf("list", "allOf anyOf oneOf prefixItems"),
  ...kindOf("map", "properties patternProperties dependentSchemas $defs"),
]);

function kindOf(kind: KeywordKind, keywords: string): readonly (readonly [string, KeywordKind])[] {
  return keywords.split(" ").map((keyword) => [keyword, kind]);
}

/** Deeper schemas allow anything: the stack has no room for them. */
const DEEPEST = 200;

/** Converts a schema of a description to a JSON Schema (2020-12), with the keywords that a validator checks. */
function toJsonSchema(schema: unknown, options: ConvertOptions, depth = 0): Schema | boolean {
  if (typeof schema === "boolean") return schema;
  if (!isRecord(schema) || depth > DEEPEST) return true;
  const below = (inner: unknown): Schema | boolean => toJsonSchema(inner, options, depth + 1);
  const entries = Object.entries(schema).flatMap(([key, value]) => {
    const kind = KEYWORDS.get(key);
    if (kind === "value") return [[key, value] as const];
    if (kind === "schema") return [[key, below(value)] as const];
    if (kind === "list" && Array.isArray(value)) return [[key, value.map(below)] as const];
    if (kind !== "map" || !isRecord(value)) return [];
    const members = Object.entries(value).map(([name, member]) => [name, below(member)] as const);
    return [[key, Object.fromEntries(members)] as const];
  });
  const converted = withDirection(Object.fromEntries(entries), schema, options.direction);
  return options.isVersion30 ? fromVersion30(converted, schema) : converted;
}

/** Members that the other side sets need not be there: `readOnly` ones in requests, `writeOnly` in responses. */
function withDirection(
  converted: Schema,
  { properties, required }: Json,
  direction: Direction,
): Schema {
  if (!Array.isArray(required) || !isRecord(properties)) return converted;
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const isOther = (name: unknown): boolean => {
    const member = Object.hasOwn(properties, String(name)) ? properties[String(name)] : undefined;
    return isRecord(member) && member[mark] === true;
  };
  return { ...converted, required: required.filter((name) => !isOther(name)) };
}

/** `nullable`, and exclusive limits that are true or false, are those of OpenAPI 3.0. */
function fromVersion30(converted: Schema, schema: Json): Schema {
  // Siblings of a reference are ignored.
  if (typeof schema["$ref"] === "string") return { $ref: schema["$ref"] };
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = converted;
  const limits = {
    ...limit("minimum", "exclusiveMinimum", minimum, exclusiveMinimum),
    ...limit("maximum", "exclusiveMaximum", maximum, exclusiveMaximum),
  };
  if (schema["nullable"] !== true || others.type === undefined) return { ...others, ...limits };
  return {
    ...others,
    ...limits,
    type: [others.type, "null"].flat() as NonNullable<Schema["type"]>,
    ...(others.enum === undefined ? {} : { enum: [...others.enum, null] }),
  };
}

function limit(name: string, exclusiveName: string, value: unknown, exclusive: unknown): Schema {
  if (value === undefined) return {};
  return exclusive === true ? { [exclusiveName]: value } : { [name]: value };
}
