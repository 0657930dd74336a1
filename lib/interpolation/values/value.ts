import type { GeneratedPlaceholder } from "../parse/mod.ts";

/**
 * A JSON number stored as text, because a double would change its digits. The package lossless-json
 * returns such numbers; `valueOf` gives the nearest number for arithmetic.
 */
export interface NumberText {
  /** Marks the object for lossless-json and for this library. */
  readonly isLosslessNumber: true;
  /** The digits. */
  toString(): string;
  /** The nearest number, or the exact bigint where it is a large integer. */
  valueOf(): number | bigint;
  /** The nearest double, for `JSON.stringify`; numbers of other libraries may lack it. */
  toJSON?(): number;
}

/** Everything that a variable may contain and a placeholder can insert. */
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
 * Variables that are looked up when a placeholder needs them. A scope may also generate values, and
 * explain why it lacks a variable.
 */
export interface Scope {
  /** The value of a variable, or `undefined` when there is none. */
  get(name: string): Value | undefined;
  /** Whether there is a variable of that name. */
  has(name: string): boolean;
  /** The names, for suggestions in errors. */
  keys(): Iterable<string>;
  /** Generates the value of `{{$name …}}`, for each placeholder separately. */
  generate?(placeholder: GeneratedPlaceholder): Generated;
  /** Explains why there is no variable of a name, if the scope knows. */
  explain?(name: string): Explanation | undefined;
}

/** The result of `{{$name …}}`: a value, or why there is none. */
export type Generated = { readonly value: Value } | Explanation;

/** Why a placeholder has no value, and what to do about it. */
export interface Explanation {
  /** What is wrong, as it follows a colon: lower-case start, no final period. */
  readonly message: string;
  /** A suggestion, or what to do. */
  readonly hint?: string;
}

/** The variables that a template is rendered with, by name; a `Map` is a {@link Scope}. */
export type Variables = Scope | { readonly [name: string]: Value };
