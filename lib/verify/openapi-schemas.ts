import type { LimitTime } from "../assertions/mod.ts";
import { isRecord, memberOf } from "../interpolation/mod.ts";
import { type Direction, dialectOf, type SchemaFault, Schemas, validate } from "../schema/mod.ts";
import type { Description } from "./openapi-description.ts";

/**
 * Validates values by the schemas of a description.
 *
 * @param size The characters of the value as JSON.
 */
export type ValidateSchema = (
  schema: unknown,
  value: unknown,
  size: number,
) => readonly SchemaFault[];

const URI = "https://description.invalid/";
const MOST = 10;

/** Creates the validation of requests and of responses. */
export function createSchemas(
  { document, isVersion30 }: Description,
  limitTime: LimitTime,
): Readonly<Record<Direction, ValidateSchema>> {
  const schemas = new Schemas();
  const dialect = isVersion30 ? "openapi-3.0" : (dialectOf(document["jsonSchemaDialect"]) ?? 2020);
  const resource = schemas.add(URI, document, dialect, false);
  const shared = memberOf(memberOf(document, "components"), "schemas");
  for (const schema of Object.values(isRecord(shared) ? shared : {}))
    schemas.collect(schema, resource);
  const collected = new Set<unknown>();
  const create = (direction: Direction): ValidateSchema => {
    return (schema, value, size) => {
      try {
        if (!collected.has(schema)) schemas.collect(schema, resource);
        collected.add(schema);
        const located = { schema, resource: schemas.resourceOf(schema, resource) };
        const faults = limitTime(() => validate(located, value, schemas, { direction }), size);
        return faults.slice(0, MOST);
      } catch (error) {
        // A reference to another file, one that refers to itself, an invalid pattern, or one without end.
        const isDeep = error instanceof RangeError;
        const reason = isDeep
          ? "it is nested too deeply"
          : (error as Error).message.split("\n", 1)[0];
        return [{ path: [], message: `The schema cannot be used: ${reason}` }];
      }
    };
  };
  return { request: create("request"), response: create("response") };
}
