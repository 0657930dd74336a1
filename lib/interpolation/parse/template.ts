import type { Span } from "../faults/mod.ts";

/** Text with placeholders, parsed. It never holds a value. */
export interface Template {
  /** The text that every span in it refers to; the template may be a stretch of it only. */
  readonly source: string;
  /** Literal text, escapes already taken out, and placeholders, in order. */
  readonly parts: readonly Part[];
}

/** Literal text or a placeholder. */
export type Part = string | Placeholder;

/** Something between double braces that a value stands in for. */
export type Placeholder = PathPlaceholder | GeneratedPlaceholder;

/** `{{user.tags[0]}}`: a variable and the way into its value. */
export interface PathPlaceholder {
  /** Tells the kinds of placeholders apart. */
  readonly kind: "path";
  /** The name of the variable. */
  readonly name: string;
  /** `{{%name}}`: the text is percent-encoded, as `encodeURIComponent` does. */
  readonly encoded?: true;
  /** Property names (strings) and indices (numbers), in order. */
  readonly steps: readonly (string | number)[];
  /** `$..id` of `{{login.response.body.$..id}}`: a JSONPath behind the steps; the first value counts. */
  readonly query?: string;
  /** What stands between the braces, without the blanks at its ends. */
  readonly text: string;
  /** From the first opening brace to behind the last closing one. */
  readonly span: Span;
}

/** `{{$uuid}}`, `{{$randomInt 1 6}}`: a name with a dollar sign is reserved for generated values. */
export interface GeneratedPlaceholder {
  /** Tells the kinds of placeholders apart. */
  readonly kind: "generated";
  /** The name with its dollar sign. */
  readonly name: string;
  /** What follows the name, as written, without the blanks at its ends. */
  readonly argument: string;
  /** What stands between the braces, without the blanks at its ends. */
  readonly text: string;
  /** From the first opening brace to behind the last closing one. */
  readonly span: Span;
}
