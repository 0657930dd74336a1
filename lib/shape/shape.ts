/** The types of JSON, as JSON Schema names them, in the order of a shape. */
export const TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;

/** A type of JSON. */
export type ShapeType = (typeof TYPES)[number];

/** The formats of strings that are recognized, as JSON Schema names them. */
export const FORMATS = [
  "date-time",
  "date",
  "time",
  "uuid",
  "email",
  "uri",
  "ipv4",
  "ipv6",
] as const;

/** A format of strings. */
export type ShapeFormat = (typeof FORMATS)[number];

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
export function typeKeyword(types: readonly ShapeType[]): Pick<Shape, "type"> {
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
