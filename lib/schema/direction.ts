import { isRecord } from "../interpolation/mod.ts";
import type { Json, Located, Resource, Schemas } from "./schemas.ts";

/** Whether a value is sent or received: some members belong to one of both only. */
export type Direction = "request" | "response";

/**
 * Whether a member is set by the other side, and need not be there: a `readOnly` one in a request, a `writeOnly` one in a
 * response. Any schema for the same value may say so, as in `allOf: [{ $ref: … }, { required: […] }]`.
 *
 * @param applied The schemas that are being applied to the value.
 */
export function isOfOtherSide(
  name: string,
  direction: Direction,
  applied: Iterable<Located>,
  schemas: Schemas,
): boolean {
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const seen = new Set<unknown>();
  const isMarked = (located: Located): boolean =>
    everyPart(located, schemas, seen).some(({ schema }) => schema[mark] === true);
  for (const one of applied) {
    for (const { schema, resource } of everyPart(one, schemas, seen)) {
      const { properties } = schema;
      if (!isRecord(properties) || !Object.hasOwn(properties, name)) continue;
      if (isMarked({ schema: properties[name], resource })) return true;
    }
  }
  return false;
}

/** A schema, and those that its `$ref` and `allOf` add to it, each once. */
function everyPart(
  { schema, resource }: Located,
  schemas: Schemas,
  seen: Set<unknown>,
): readonly { readonly schema: Json; readonly resource: Resource }[] {
  if (!isRecord(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, allOf } = schema;
  const own = schemas.resourceOf(schema, resource);
  const parts: Located[] = Array.isArray(allOf)
    ? allOf.map((one) => ({ schema: one, resource: own }))
    : [];
  if (typeof $ref === "string") parts.push(schemas.resolve($ref, own));
  return [{ schema, resource: own }, ...parts.flatMap((one) => everyPart(one, schemas, seen))];
}
