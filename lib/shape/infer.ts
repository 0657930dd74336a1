import { isNumberText } from "../interpolation/mod.ts";
import { formatOf } from "./formats.ts";
import { MAX_MEMBERS, mergeShapes } from "./merge.ts";
import type { Shape } from "./shape.ts";

/** Deeper values are unknown: neither a document nor the stack has room for them. */
const DEEPEST = 64;

/**
 * Infers the shape of a JSON value: types, members and which of them are always there, formats of strings.
 * The items of an array are merged into one shape.
 *
 * @param value A value as JSON has it; numbers may be a bigint or a `NumberText`.
 */
export function inferShape(value: unknown): Shape {
  return inferLevel(value, 0);
}

function inferLevel(value: unknown, depth: number): Shape {
  switch (typeof value) {
    case "string":
      return inferString(value);
    case "number":
    case "bigint":
      return { type: "number" };
    case "boolean":
      return { type: "boolean" };
    case "object":
      if (value === null) return { type: "null" };
      if (isNumberText(value)) return { type: "number" };
      return inferContainer(value, depth + 1);
    default:
      return {};
  }
}

function inferString(text: string): Shape {
  const format = formatOf(text);
  return { type: "string", ...(format === undefined ? {} : { format }) };
}

function inferContainer(value: object, depth: number): Shape {
  const isArray = Array.isArray(value);
  if (depth > DEEPEST) return { type: isArray ? "array" : "object" };
  if (isArray) return { type: "array", items: mergeAll(value, depth) };
  const entries = Object.entries(value);
  if (entries.length > MAX_MEMBERS) {
    return { type: "object", additionalProperties: mergeAll(Object.values(value), depth) };
  }
  return {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, inferLevel(member, depth)]),
    ),
    required: entries.map(([name]) => name),
  };
}

function mergeAll(values: readonly unknown[], depth: number): Shape {
  return values.reduce<Shape>((merged, value) => mergeShapes(merged, inferLevel(value, depth)), {});
}
