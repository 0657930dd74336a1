import { isRecord } from "../../lib/interpolation/mod.ts";

/** What a schema is sampled with. */
export interface SampleContext {
  /** Follows the reference of a value; `undefined` for one that leads nowhere. */
  readonly resolve: (value: unknown) => unknown;
}

/** A body that a person reads is shorter. A schema may stand for more values than fit into memory. */
const MOST_VALUES = 2_000;
const DEEPEST = 12;

/**
 * Makes a value that fits a schema of OpenAPI: of examples, defaults and enumerations where there are some. A reference
 * that leads back to itself ends there. Own code: no library that samples schemas has a limit of size, and schemas with
 * several references to each other grow exponentially.
 */
export function sampleSchema(schema: unknown, { resolve }: SampleContext): unknown {
  let count = 0;
  const within = new Set<unknown>();

  function sample(written: unknown, depth: number): unknown {
    const found = resolve(written);
    if (!isRecord(found) || within.has(found)) return undefined;
    count += 1;
    if (count > MOST_VALUES || depth > DEEPEST) return undefined;
    within.add(found);
    const value = exampleOf(found) ?? typedValue(found, depth);
    within.delete(found);
    return value;
  }

  function typedValue(found: Json, depth: number): unknown {
    const { allOf, oneOf, anyOf } = found;
    const choice = [oneOf, anyOf].find((list) => Array.isArray(list) && list.length > 0);
    const parts = [
      ...(Array.isArray(allOf) ? allOf : []),
      ...(Array.isArray(choice) ? [choice.find((one) => !isNull(resolve(one))) ?? choice[0]] : []),
    ].map((part) => sample(part, depth + 1));
    const own = plainValue(found, depth);
    if (parts.length === 0) return own;
    const objects = [...parts, own].filter(isRecord);
    if (objects.length === 0) return parts.find((part) => part !== undefined) ?? own;
    return Object.assign({}, ...objects);
  }

  function plainValue(found: Json, depth: number): unknown {
    const type = typeOf(found);
    if (type === "array") {
      const item = sample(
        found["items"] ?? (found["prefixItems"] as unknown[] | undefined)?.[0],
        depth + 1,
      );
      return item === undefined ? [] : [item];
    }
    if (type !== "object") return type === undefined ? undefined : scalar(type, found);
    const entries = Object.entries(
      isRecord(found["properties"]) ? found["properties"] : {},
    ).flatMap(([name, property]) => {
      // The server sets it.
      if ((resolve(property) as Json | undefined)?.["readOnly"] === true) return [];
      const value = sample(property, depth + 1);
      return value === undefined ? [] : [[name, value] as const];
    });
    const more =
      entries.length === 0 ? sample(found["additionalProperties"], depth + 1) : undefined;
    return Object.fromEntries(more === undefined ? entries : [["key", more]]);
  }

  return sample(schema, 0);
}

type Json = Readonly<Record<string, unknown>>;

function exampleOf({
  example,
  examples,
  const: constant,
  default: usual,
  enum: values,
}: Json): unknown {
  const first = Array.isArray(examples) ? examples[0] : undefined;
  return example ?? first ?? constant ?? usual ?? (Array.isArray(values) ? values[0] : undefined);
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && schema["type"] === "null";
}

function typeOf({ type, properties, additionalProperties, items }: Json): string | undefined {
  const [first] = [type].flat().filter((one) => one !== "null");
  if (typeof first === "string") return first;
  if (isRecord(properties) || isRecord(additionalProperties)) return "object";
  return items === undefined ? undefined : "array";
}

const FORMATS: Readonly<Record<string, string>> = {
  date: "2024-01-31",
  "date-time": "2024-01-31T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "ada@example.com",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  uri: "https://example.com/",
  url: "https://example.com/",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "c2FtcGxl",
  binary: "sample",
};

function scalar(type: string, { format, minimum, maximum, minLength, maxLength }: Json): unknown {
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") {
    if (typeof minimum === "number") return minimum;
    return typeof maximum === "number" ? Math.min(maximum, 1) : 1;
  }
  const text = FORMATS[String(format)] ?? "text";
  const least = typeof minLength === "number" ? Math.min(minLength, 1_000) : 0;
  const most = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  return text.padEnd(least, "x").slice(0, most);
}
