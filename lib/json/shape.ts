import { isNumberText, isRecord } from "../interpolation/mod.ts";

/** The types of JSON, as JSON Schema names them, in the order of a shape. */
const TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;

/** A type of JSON. */
type ShapeType = (typeof TYPES)[number];

/** The formats of strings that are recognized, as JSON Schema names them. */
const FORMATS = ["date-time", "date", "time", "uuid", "email", "uri", "ipv4", "ipv6"] as const;

/** A format of strings. */
type ShapeFormat = (typeof FORMATS)[number];

/**
 * The shape of JSON values: a JSON Schema (2020-12) of the keywords that can be inferred from examples. A shape
 * without types says nothing, as that of the items of an empty array.
 */
export interface Shape {
  /** The types that were seen, in the order of {@link TYPES}. */
  readonly type?: ShapeType | readonly ShapeType[];
  /** The format of every string that was seen. */
  readonly format?: ShapeFormat;
  /** The shape of all items of all arrays. */
  readonly items?: Shape;
  /** The shapes of the members. */
  readonly properties?: { readonly [name: string]: Shape };
  /** The names of the members that every object has. */
  readonly required?: readonly string[];
  /** The shape of all members of an object with so many that their names are data. */
  readonly additionalProperties?: Shape;
}

/** The types of a shape as a list. */
export function typesOf({ type }: Shape): readonly ShapeType[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

/** The `type` of a shape with these types. */
function typeKeyword(types: readonly ShapeType[]): Pick<Shape, "type"> {
  const sorted = TYPES.filter((type) => types.includes(type));
  const [only, ...others] = sorted;
  if (only === undefined) return {};
  return { type: others.length === 0 ? only : sorted };
}

/** Describes a shape in a few words: `array of null or string (date)`. */
export function describeShape(shape: Shape): string {
  const texts = typesOf(shape).map((type) => {
    if (type === "string" && shape.format !== undefined) return `string (${shape.format})`;
    if (type !== "array" || shape.items === undefined || typesOf(shape.items).length === 0) {
      return type;
    }
    return `array of ${describeShape({ ...shape.items, items: {} })}`;
  });
  return texts.length === 0 ? "unknown" : texts.join(" or ");
}

/** The levels of a shape. Deeper values are unknown: neither a document nor the stack has room for them. */
const MAX_DEPTH = 64;

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

const IPV4_PART = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const DATE = "\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])";
const TIME = "(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)";

/** No pattern repeats a group that can match the same text in two ways: the strings are a server's. */
const PATTERNS: readonly (readonly [ShapeFormat, RegExp])[] = [
  ["date-time", new RegExp(`^${DATE}[Tt ]${TIME}$`)],
  ["date", new RegExp(`^${DATE}$`)],
  ["time", new RegExp(`^${TIME}$`)],
  ["uuid", /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ["email", /^[^\s@"(),:;<>[\\\]]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i],
  ["ipv4", new RegExp(`^${IPV4_PART}(?:\\.${IPV4_PART}){3}$`)],
  ["ipv6", /^(?=.*:.*:)[\da-f:]{2,39}$/i],
];

/** Texts and media types have no format, and a format of a long text would be chance. */
const LONGEST = 2_048;

/**
 * The format of a string, named as in JSON Schema
 * (https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3).
 *
 * @returns The format, or `undefined` for a string of none.
 */
function formatOf(text: string): ShapeFormat | undefined {
  if (text.length > LONGEST) return undefined;
  const found = PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
  if (found !== undefined) return found;
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/]/i.test(text) && URL.canParse(text) ? "uri" : undefined;
}

/** Objects with more members are taken as maps, whose names are data such as identifiers. */
const MAX_MEMBERS = 100;

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
