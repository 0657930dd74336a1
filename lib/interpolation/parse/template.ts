import type { SourceText, Span } from "../faults/mod.ts";

/** Text with placeholders, parsed. It never contains a value. */
export interface Template extends SourceText {
  /** The text that every span refers to; the template may be only a part of it. */
  readonly source: string;
  /** Literal text, with escapes removed, and placeholders, in order. */
  readonly parts: readonly Part[];
}

/** Literal text or a placeholder. */
export type Part = string | Placeholder;

/** What a value replaces: double braces and their content. */
export type Placeholder = PathPlaceholder | GeneratedPlaceholder;

/** `{{user.tags[0]}}`: a variable and a path into its value. */
export interface PathPlaceholder {
  /** The kind of placeholder. */
  readonly kind: "path";
  /** The name of the variable. */
  readonly name: string;
  /** `{{%name}}`: the text is percent-encoded, as by `encodeURIComponent`. */
  readonly encoded?: true;
  /** Property names (strings) and indexes (numbers), in order. */
  readonly steps: readonly (string | number)[];
  /** `$..id` of `{{login.response.body.$..id}}`: a JSONPath after the steps; its first match is the value. */
  readonly query?: string;
  /** The content of the braces, without surrounding blanks. */
  readonly text: string;
  /** From the first opening brace to the last closing one, inclusive. */
  readonly span: Span;
}

/** `{{$uuid}}`, `{{$randomInt 1 6}}`: names with a dollar sign are reserved for generated values. */
export interface GeneratedPlaceholder {
  /** The kind of placeholder. */
  readonly kind: "generated";
  /** The name with its dollar sign. */
  readonly name: string;
  /** The text after the name, without surrounding blanks. */
  readonly argument: string;
  /** The content of the braces, without surrounding blanks. */
  readonly text: string;
  /** From the first opening brace to the last closing one, inclusive. */
  readonly span: Span;
}
