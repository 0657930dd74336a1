import type { Span, Template } from "../../interpolation/mod.ts";

/** A header line as written. */
export interface HeaderDraft {
  /** The name as written. */
  readonly name: string;
  /** What follows the colon. */
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
  /** The whole line. */
  readonly span: Span;
}

/** A body as written: text with placeholders, or a file (`< path`; `<@ path` fills placeholders). */
export type BodyDraft =
  | {
      readonly kind: "text";
      readonly text: Template;
      /** Sent to the letter: no line in it names a file, and no line end means nothing. */
      readonly exact?: true;
      readonly span: Span;
    }
  | {
      readonly kind: "file";
      readonly path: Template;
      /** Whether placeholders inside the file are to be filled. */
      readonly interpolated: boolean;
      /** From `<@latin1 path`; UTF-8 where it is left out. */
      readonly encoding?: string;
      readonly span: Span;
    };

/** Where the body of the answer goes: a line `>> path`, or `>>! path`. */
export interface SaveDraft {
  /** The file. */
  readonly path: Template;
  /** With the exclamation mark: a file of that name is replaced. */
  readonly replace: boolean;
}

/** A request before any value is put in. */
export interface RequestDraft {
  /** Tells it from an assignment. */
  readonly kind: "request";
  /** From `# @name login`. */
  readonly name?: string;
  /** What follows the `###` before the request. */
  readonly title?: string;
  /** Every `# @key value` line before the request line or between the headers, `@name` included. */
  readonly annotations: readonly Annotation[];
  /** In upper case where it is a known one. */
  readonly method: string;
  /** The target, its continued lines joined. */
  readonly url: Template;
  /** Where the URL stands, its continued lines included. */
  readonly urlSpan: Span;
  /** In the order in which they are written. */
  readonly headers: readonly HeaderDraft[];
  /** What follows the blank line, if anything. */
  readonly body?: BodyDraft;
  /** From a line `>> path` behind it. */
  readonly saveTo?: SaveDraft;
  /** Scripts and assertions behind it, which are not run. */
  readonly handlers?: readonly Span[];
  /** Where it stands in the source, from its request line to its last line that is not blank. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
  /**
   * Of a curl command: where it stands in the text that was parsed. Its other places refer to the
   * request that it means, which is its `source`.
   */
  readonly origin?: Span;
}

/** A line `@name = value`: sets a variable when its turn comes. */
export interface AssignmentDraft {
  /** Tells it from a request. */
  readonly kind: "assignment";
  /** The variable's name. */
  readonly name: string;
  /** Of `@Users.API_host = …`: the way to the property of that variable that is set. */
  readonly steps?: readonly string[];
  /** What follows the equals sign. */
  readonly value: Template;
  /** Where the text after the equals sign stands. */
  readonly valueSpan: Span;
  /** The whole line. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
}

/** What a request text holds, in order. */
export type Entry = RequestDraft | AssignmentDraft;
