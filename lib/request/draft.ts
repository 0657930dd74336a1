import type { Span, Template } from "../interpolation/mod.ts";

/** A header line as written. */
export interface HeaderDraft {
  readonly name: string;
  readonly value: Template;
  /** The whole line, without the blanks at its ends. */
  readonly span: Span;
}

/** A comment line `# @key value` or `// @key value`: something said about the next request. */
export interface Annotation {
  /** Without the at sign, as written. */
  readonly key: string;
  /** What follows the key, without the blanks at its ends; often empty. */
  readonly value: string;
  readonly span: Span;
}

/** A body as written: text with placeholders, or a file (`< path`; `<@ path` fills placeholders). */
export type BodyDraft =
  | { readonly kind: "text"; readonly text: Template; readonly span: Span }
  | {
      readonly kind: "file";
      readonly path: Template;
      /** Whether placeholders inside the file are to be filled. */
      readonly interpolated: boolean;
      /** From `<@latin1 path`; UTF-8 where it is left out. */
      readonly encoding?: string;
      readonly span: Span;
    };

/** A request before any value is put in. */
export interface RequestDraft {
  readonly kind: "request";
  /** From `# @name login`. */
  readonly name?: string;
  /** What follows the `###` before the request. */
  readonly title?: string;
  /** Every `# @key value` line before the request line or between the headers, `@name` included. */
  readonly annotations: readonly Annotation[];
  readonly method: string;
  readonly url: Template;
  /** Where the URL stands, its continued lines included. */
  readonly urlSpan: Span;
  readonly headers: readonly HeaderDraft[];
  readonly body?: BodyDraft;
  /** Where it stands in the source, from its request line to its last line that is not blank. */
  readonly span: Span;
  readonly source: string;
}

/** A line `@name = value`: sets a variable when its turn comes. */
export interface AssignmentDraft {
  readonly kind: "assignment";
  readonly name: string;
  readonly value: Template;
  /** Where the text after the equals sign stands. */
  readonly valueSpan: Span;
  readonly span: Span;
  readonly source: string;
}

/** What a request text holds, in order. */
export type Entry = RequestDraft | AssignmentDraft;
