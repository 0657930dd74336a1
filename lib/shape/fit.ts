import { MAX_DEPTH } from "./infer.ts";
import type { Shape } from "./shape.ts";

/** A shape with few enough characters, and whether parts of it were left out. */
interface FittedShape {
  readonly shape: Shape;
  readonly isCut: boolean;
}

/**
 * Leaves out the deepest levels of a shape until its JSON has at most `limit` characters. Nothing is known about
 * what was left out.
 */
export function fitShape(shape: Shape, limit: number): FittedShape {
  if (JSON.stringify(shape).length <= limit) return { shape, isCut: false };
  let fitted: Shape = typeOnly(shape);
  for (let levels = 1; levels <= MAX_DEPTH; levels++) {
    const next = cutBelow(shape, levels);
    if (JSON.stringify(next).length > limit) break;
    fitted = next;
  }
  return { shape: fitted, isCut: true };
}

function typeOnly({ type, format }: Shape): Shape {
  return { ...(type === undefined ? {} : { type }), ...(format === undefined ? {} : { format }) };
}

function cutBelow(shape: Shape, levels: number): Shape {
  if (levels === 0) return typeOnly(shape);
  const { items, properties, additionalProperties, ...others } = shape;
  const below = (inner: Shape): Shape => cutBelow(inner, levels - 1);
  return {
    ...others,
    ...(items === undefined ? {} : { items: below(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, below(member)]),
          ),
        }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: below(additionalProperties) }),
  };
}
