import { isRecord } from "../interpolation/mod.ts";
import { MAX_DEPTH } from "./infer.ts";
import { FORMATS, type Shape, TYPES, typeKeyword } from "./shape.ts";

/**
 * Reads a shape that was stored. Keywords that a shape does not have, and those of a wrong type, are left out:
 * nothing is known there.
 *
 * @param value JSON from a file, which may be of any type.
 */
export function readShape(value: unknown, depth: number = 0): Shape {
  if (!isRecord(value) || depth > MAX_DEPTH) return {};
  const { type, format, items, properties, required, additionalProperties } = value;
  const types = TYPES.filter((one) => one === type || (Array.isArray(type) && type.includes(one)));
  const known = FORMATS.find((one) => one === format);
  const below = (inner: unknown): Shape => readShape(inner, depth + 1);
  return {
    ...typeKeyword(types),
    ...(known === undefined ? {} : { format: known }),
    ...(isRecord(items) ? { items: below(items) } : {}),
    ...(isRecord(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, below(member)]),
          ),
        }
      : {}),
    ...(Array.isArray(required)
      ? { required: required.filter((name) => typeof name === "string") }
      : {}),
    ...(isRecord(additionalProperties)
      ? { additionalProperties: below(additionalProperties) }
      : {}),
  };
}
