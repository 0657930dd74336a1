/**
 * A JSON number kept as its text, because a double would alter its digits. It is what the lossless
 * JSON library hands out for such numbers; `valueOf` gives the nearest number for arithmetic.
 */
export interface NumberText {
  /** Marks the object for the lossless JSON library, and for this one. */
  readonly isLosslessNumber: true;
  /** The digits. */
  toString(): string;
  /** The nearest number, or the exact bigint where it is a large integer. */
  valueOf(): number | bigint;
}

/** Everything that a variable may hold and a placeholder can insert. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | NumberText
  | readonly Value[]
  | { readonly [key: string]: Value };

/** The variables that a template is rendered with, by name. */
export type Variables = ReadonlyMap<string, Value> | { readonly [name: string]: Value };
