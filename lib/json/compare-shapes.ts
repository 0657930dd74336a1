import { EVERY, type Path } from "../interpolation/mod.ts";
import {
  describeShape,
  namesOf,
  type Shape,
  shapeOfMember,
  shapeOfMembers,
  typesOf,
} from "./shape.ts";

/** One difference between two shapes. */
export interface ShapeDifference {
  /** Where it is. */
  readonly path: Path;
  /** What the difference is. */
  readonly kind: "new" | "gone" | "optional" | "type" | "format";
  /** What was promised there, for a person to read. */
  readonly promised: string;
  /** What was found there. */
  readonly found: string;
  /** Whether those who rely on what was promised can go on. */
  readonly compatible: boolean;
}

/**
 * Compares the shape of an answer with the shape that was promised. New members are compatible, and so is
 * whatever was not known: the items of an array that was empty, a member that was null. Members that are gone,
 * or no longer always there, other types and other formats are not.
 *
 * @returns The differences, in the order of the promised shape, parents first.
 */
export function compareShapes(promised: Shape, found: Shape): readonly ShapeDifference[] {
  return [...compareLevel(promised, found, [])];
}

function* compareLevel(promised: Shape, found: Shape, path: Path): Generator<ShapeDifference> {
  const [before, after] = [typesOf(promised), typesOf(found)];
  // An answer without items says nothing about them, and neither does a promise.
  if (after.length === 0) return;
  const difference = { path, promised: describeShape(promised), found: describeShape(found) };
  if (before.length === 0) {
    yield { ...difference, kind: "new", promised: "", compatible: true };
    return;
  }
  const wasNull = before.every((type) => type === "null");
  if (after.some((type) => !before.includes(type))) {
    yield { ...difference, kind: "type", compatible: wasNull };
  }
  const isFormatted = promised.format !== undefined && after.includes("string");
  if (isFormatted && found.format !== promised.format) {
    yield { ...difference, kind: "format", compatible: false };
  }
  if (promised.items !== undefined && found.items !== undefined) {
    yield* compareLevel(promised.items, found.items, [...path, EVERY]);
  }
  if (before.includes("object") && after.includes("object")) {
    yield* compareMembers(promised, found, path);
  }
}

function* compareMembers(promised: Shape, found: Shape, path: Path): Generator<ShapeDifference> {
  // The members of what was cut, or is nested too deeply, are not known.
  if (!knowsMembers(promised) || !knowsMembers(found)) return;
  if (promised.additionalProperties !== undefined || found.additionalProperties !== undefined) {
    yield* compareLevel(shapeOfMembers(promised), shapeOfMembers(found), [...path, EVERY]);
    return;
  }
  const foundNames = new Set(namesOf(found));
  for (const name of namesOf(promised)) {
    const member = shapeOfMember(promised, name);
    const at = [...path, name];
    const isAlways = promised.required?.includes(name) === true;
    const lost = { path: at, promised: describeShape(member), compatible: false } as const;
    if (foundNames.delete(name)) {
      yield* compareLevel(member, shapeOfMember(found, name), at);
      const isStillAlways = found.required?.includes(name) === true;
      if (isAlways && !isStillAlways)
        yield { ...lost, kind: "optional", found: "not always there" };
    } else if (isAlways) yield { ...lost, kind: "gone", found: "" };
  }
  for (const name of foundNames) {
    const text = describeShape(shapeOfMember(found, name));
    yield { path: [...path, name], kind: "new", promised: "", found: text, compatible: true };
  }
}

function knowsMembers({ properties, additionalProperties }: Shape): boolean {
  return properties !== undefined || additionalProperties !== undefined;
}
