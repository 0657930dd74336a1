import { isNumberText } from "../interpolation/mod.ts";
import { formatOf } from "./formats.ts";
import { MAX_MEMBERS, mergeShapes } from "./merge.ts";
import type { Shape } from "./shape.ts";

/** The levels of a shape. Deeper values are unknown: neither a document nor the stack has room for them. */
export const MAX_DEPTH = 64;

/**
 * Infers the shape of a JSON value: types, members and which of them are always there, formats of strings.
 * The items of an array are merged into one shape.
 *
 * @param value A value as JSON has it; numbers may be a bigint or a `NumberText`.
 * @param isUnknown Which strings say nothing about the type, for example those that mask a secret.
 */
export function inferShape(value: unknown, isUnknown: IsUnknown = () => false): Shape {
  return inferLevel(value, { depth: 0, isUnknown });
}

/** Whether the shape of a string cannot be inferred, since something else was in its place. */
type IsUnknown = (text: string) => boolean;

interface Level {
  readonly depth: number;
  readonly isUnknown: IsUnknown;
}

function inferLevel(value: unknown, level: Level): Shape {
  switch (typeof value) {
    case "string":
      return level.isUnknown(value) ? {} : inferString(value);
    case "number":
    case "bigint":
      return { type: "number" };
    case "boolean":
      return { type: "boolean" };
    case "object":
      if (value === null) return { type: "null" };
      if (isNumberText(value)) return { type: "number" };
      return inferContainer(value, { ...level, depth: level.depth + 1 });
    default:
      return {};
  }
}

function inferString(text: string): Shape {
  const format = formatOf(text);
  return { type: "string", ...(format === undefined ? {} : { format }) };
}

function inferContainer(value: object, level: Level): Shape {
  const isArray = Array.isArray(value);
  if (level.depth > MAX_DEPTH) return { type: isArray ? "array" : "object" };
  if (isArray) return { type: "array", items: mergeAll(value, level) };
  const entries = Object.entries(value);
  if (entries.length > MAX_MEMBERS) {
    return { type: "object", additionalProperties: mergeAll(Object.values(value), level) };
  }
  return {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, inferLevel(member, level)]),
    ),
    required: entries.map(([name]) => name),
  };
}

function mergeAll(values: readonly unknown[], level: Level): Shape {
  return values.reduce<Shape>((merged, value) => mergeShapes(merged, inferLevel(value, level)), {});
}
