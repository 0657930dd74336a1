import { type Shape, typeKeyword, typesOf } from "./shape.ts";

/** Objects with more members are taken as maps, whose names are data such as identifiers. */
export const MAX_MEMBERS = 100;

/** The shape of values of which some have one shape and some the other. */
export function mergeShapes(one: Shape, other: Shape): Shape {
  const [types, otherTypes] = [typesOf(one), typesOf(other)];
  if (types.length === 0) return other;
  if (otherTypes.length === 0) return one;
  return {
    ...typeKeyword([...types, ...otherTypes]),
    ...mergeFormats(one, other),
    ...mergeItems(one, other),
    ...mergeMembers(one, other),
  };
}

function mergeFormats(one: Shape, other: Shape): Pick<Shape, "format"> {
  const format = typesOf(one).includes("string") ? one.format : other.format;
  const isShared = !typesOf(other).includes("string") || other.format === format;
  return format === undefined || !isShared ? {} : { format };
}

function mergeItems(one: Shape, other: Shape): Pick<Shape, "items"> {
  if (one.items === undefined && other.items === undefined) return {};
  return { items: mergeShapes(one.items ?? {}, other.items ?? {}) };
}

function mergeMembers(
  one: Shape,
  other: Shape,
): Pick<Shape, "properties" | "required" | "additionalProperties"> {
  if (!typesOf(one).includes("object")) return membersOf(other);
  if (!typesOf(other).includes("object")) return membersOf(one);
  const names = new Set([...namesOf(one), ...namesOf(other)]);
  const isMap = one.additionalProperties !== undefined || other.additionalProperties !== undefined;
  if (isMap || names.size > MAX_MEMBERS) {
    return { additionalProperties: mergeShapes(shapeOfMembers(one), shapeOfMembers(other)) };
  }
  const required = (one.required ?? []).filter((name) => other.required?.includes(name));
  return {
    properties: Object.fromEntries(
      [...names].map((name) => [
        name,
        mergeShapes(shapeOfMember(one, name), shapeOfMember(other, name)),
      ]),
    ),
    required,
  };
}

function membersOf(shape: Shape): Pick<Shape, "properties" | "required" | "additionalProperties"> {
  const { properties, required, additionalProperties } = shape;
  return {
    ...(properties === undefined ? {} : { properties }),
    ...(required === undefined ? {} : { required }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
}

/** The names of the members that a shape knows, in their order. */
export function namesOf({ properties }: Shape): readonly string[] {
  return Object.keys(properties ?? {});
}

/** The shape of a member; it says nothing if there is none of that name. */
export function shapeOfMember({ properties }: Shape, name: string): Shape {
  return properties !== undefined && Object.hasOwn(properties, name)
    ? (properties[name] as Shape)
    : {};
}

/** The shape of all members together. */
export function shapeOfMembers(shape: Shape): Shape {
  if (shape.additionalProperties !== undefined) return shape.additionalProperties;
  return Object.values(shape.properties ?? {}).reduce<Shape>(mergeShapes, {});
}
