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
function typeKeyword(types: readonly ShapeType[]): Shape["type"] {
  const sorted = TYPES.filter((type) => types.includes(type));
  return sorted.length > 1 ? sorted : sorted[0];
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

/** Masks the parts of a value, as what is shown of it has them. */
interface Masks {
  /** Masks the name of a member. */
  key(name: string): string;
  text(text: string): string;
  number(digits: string): string;
  /** What masks the parts of a member. */
  at(name: string): Masks;
}

const UNMASKED: Masks = {
  key: (name) => name,
  text: (text) => text,
  number: (digits) => digits,
  at: () => UNMASKED,
};

/**
 * Infers the shape of a JSON value: types, members and which of them are always there, formats of strings.
 * The items of an array are merged into one shape.
 *
 * @param value A value as JSON has it; numbers may be a bigint or a `NumberText`.
 * @param isUnknown Which strings say nothing about the type, for example those that mask a secret.
 * @param masks Masks the parts of a value that is not masked yet. It is asked only where a part would change the
 *   shape: of a thousand rows like the first, only the first is masked.
 */
export function inferShape(
  value: unknown,
  isUnknown: IsUnknown = () => false,
  masks: Masks = UNMASKED,
): Shape {
  return extend({}, value, { depth: 0, isUnknown, masks });
}

/** Whether the shape of a string cannot be inferred, since something else was in its place. */
type IsUnknown = (text: string) => boolean;

interface Level {
  readonly depth: number;
  readonly isUnknown: IsUnknown;
  readonly masks: Masks;
}

/** The shape of the values before and of one more; the same object if that says nothing new. */
function extend(known: Shape, value: unknown, level: Level): Shape {
  switch (typeof value) {
    case "string":
      return extendByText(known, value, level);
    case "boolean":
      return extendByType(known, "boolean");
    case "number":
    case "bigint":
      return extendByNumber(known, String(value), level);
    case "object":
      if (value === null) return extendByType(known, "null");
      if (isNumberText(value)) return extendByNumber(known, String(value), level);
      return extendByContainer(known, value, { ...level, depth: level.depth + 1 });
    default:
      return known;
  }
}

function extendByType(known: Shape, type: ShapeType): Shape {
  return typesOf(known).includes(type) ? known : mergeShapes(known, { type });
}

function extendByText(known: Shape, text: string, { isUnknown, masks }: Level): Shape {
  const isText = typesOf(known).includes("string");
  if (isText && known.format === undefined) return known;
  const format = formatOf(text);
  if ((isText && known.format === format) || isUnknown(masks.text(text))) return known;
  return mergeShapes(known, { type: "string", format });
}

function extendByNumber(known: Shape, digits: string, { masks }: Level): Shape {
  const extended = extendByType(known, "number");
  return extended === known || masks.number(digits) !== digits ? known : extended;
}

function extendByContainer(known: Shape, value: object, level: Level): Shape {
  const isArray = Array.isArray(value);
  if (level.depth > MAX_DEPTH) return extendByType(known, isArray ? "array" : "object");
  if (!isArray) return extendByMembers(known, value, level);
  const items = value.reduce<Shape>((all, item) => extend(all, item, level), known.items ?? {});
  return items === known.items ? known : mergeShapes(known, { type: "array", items });
}

function extendByMembers(known: Shape, value: object, level: Level): Shape {
  const { masks } = level;
  const members = Object.entries(value);
  const extendByMember = (before: Shape, [name, member]: (typeof members)[number]): Shape =>
    extend(before, member, { ...level, masks: masks.at(name) });
  if (known.additionalProperties !== undefined || members.length > MAX_MEMBERS) {
    const additionalProperties = members.reduce(extendByMember, shapeOfMembers(known));
    if (additionalProperties === known.additionalProperties) return known;
    return mergeShapes(known, { type: "object", additionalProperties });
  }
  const required = members.map(([name]) => masks.key(name));
  const shapes = members.map((member, at) =>
    extendByMember(shapeOfMember(known, required[at] ?? ""), member),
  );
  const isKnown =
    known.required?.every((name) => required.includes(name)) === true &&
    required.every((name, at) => known.properties?.[name] === shapes[at]);
  if (isKnown) return known;
  const properties = Object.fromEntries(required.map((name, at) => [name, shapes[at] ?? {}]));
  return mergeShapes(known, { type: "object", properties, required });
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
  // Times and MAC addresses are written in the same characters.
  if (/^[\da-f:]{2,39}$/i.test(text)) return URL.canParse(`http://[${text}]/`) ? "ipv6" : undefined;
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
    type: typeKeyword([...types, ...otherTypes]),
    format: mergeFormats(one, other),
    items:
      one.items && other.items ? mergeShapes(one.items, other.items) : (one.items ?? other.items),
    ...mergeMembers(one, other),
  };
}

function mergeFormats(one: Shape, other: Shape): Shape["format"] {
  const format = typesOf(one).includes("string") ? one.format : other.format;
  const isShared = !typesOf(other).includes("string") || other.format === format;
  return isShared ? format : undefined;
}

/** The keywords of a shape that are about objects. */
type Members = Pick<Shape, "properties" | "required" | "additionalProperties">;

function mergeMembers(one: Shape, other: Shape): Members {
  if (!typesOf(one).includes("object")) return membersOf(other);
  if (!typesOf(other).includes("object")) return membersOf(one);
  const names = new Set([...namesOf(one), ...namesOf(other)]);
  const isMap = one.additionalProperties !== undefined || other.additionalProperties !== undefined;
  if (isMap || names.size > MAX_MEMBERS) {
    return { additionalProperties: mergeShapes(shapeOfMembers(one), shapeOfMembers(other)) };
  }
  const required = (one.required ?? []).filter((name) => other.required?.includes(name));
  return {
    properties: toRecord(names, (name) =>
      mergeShapes(shapeOfMember(one, name), shapeOfMember(other, name)),
    ),
    required,
  };
}

function membersOf({ properties, required, additionalProperties }: Shape): Members {
  return { properties, required, additionalProperties };
}

function toRecord(
  names: Iterable<string>,
  shapeOf: (name: string) => Shape,
): NonNullable<Shape["properties"]> {
  return Object.fromEntries(Array.from(names, (name) => [name, shapeOf(name)]));
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
  return { type, format };
}

function cutBelow(shape: Shape, levels: number): Shape {
  if (levels === 0) return typeOnly(shape);
  const { items, properties, additionalProperties, ...others } = shape;
  const below = (inner: Shape): Shape => cutBelow(inner, levels - 1);
  return {
    ...others,
    items: items && below(items),
    properties: properties && toRecord(namesOf(shape), (name) => below(shapeOfMember(shape, name))),
    additionalProperties: additionalProperties && below(additionalProperties),
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
  const below = (inner: unknown): Shape => readShape(inner, depth + 1);
  return {
    type: typeKeyword(types),
    format: FORMATS.find((one) => one === format),
    items: isRecord(items) ? below(items) : undefined,
    properties: isRecord(properties)
      ? toRecord(Object.keys(properties), (name) => below(properties[name]))
      : undefined,
    required: Array.isArray(required)
      ? required.filter((name) => typeof name === "string")
      : undefined,
    additionalProperties: isRecord(additionalProperties) ? below(additionalProperties) : undefined,
  };
}
