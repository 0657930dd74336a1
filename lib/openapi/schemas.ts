import {
  dereference,
  encodePointer,
  type OutputUnit,
  type Schema,
  type ValidationResult,
  validate,
} from "@cfworker/json-schema";
import type { LimitTime } from "../assertions/mod.ts";
import { isRecord, memberOf } from "../interpolation/mod.ts";
import type { Path } from "../shape/mod.ts";
import { type Description, decodePointerStep } from "./description.ts";
import { type Direction, toJsonSchema } from "./to-json-schema.ts";

/** A part of a value that its schema does not allow. */
export interface SchemaFault {
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
