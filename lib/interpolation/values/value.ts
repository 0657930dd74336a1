import type { GeneratedPlaceholder } from "../parse/mod.ts";

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
  /** The nearest double, which `JSON.stringify` writes; other libraries' numbers may lack it. */
  toJSON?(): number;
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

/**
 * Variables that are looked up when a placeholder asks for them. Beside its values a scope may make
 * generated ones, and may say more about a name that it does not have.
 */
export interface Scope {
  /** The value of a variable, or `undefined` where there is none. */
  get(name: string): Value | undefined;
  /** Whether there is a variable of that name. */
  has(name: string): boolean;
  /** The names, for those that a mistyped one is near to. */
  keys(): Iterable<string>;
  /** Makes the value of `{{$name …}}`, anew for each placeholder; left out, there are none. */
  generate?(placeholder: GeneratedPlaceholder): Generated;
  /** Says why there is no variable of a name, where the scope knows more than that. */
  explain?(name: string): Explanation | undefined;
}

/** What a scope made of `{{$name …}}`: a value, or why there is none. */
export type Generated = { readonly value: Value } | Explanation;

/** Why a placeholder has no value, and what to do about it. */
export interface Explanation {
  /** What is wrong, as it stands behind a colon: lower-case start, no final period. */
  readonly message: string;
  /** What was probably meant, or what to do. */
  readonly hint?: string;
}

/** The variables that a template is rendered with, by name. */
export type Variables = ReadonlyMap<string, Value> | Scope | { readonly [name: string]: Value };
