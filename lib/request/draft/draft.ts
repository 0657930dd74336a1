import type { Span, Template } from "../../interpolation/mod.ts";

/** A header line. */
export interface HeaderDraft {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: Template;
  /** The line without surrounding whitespace. */
  readonly span: Span;
}

/** A comment line `# @key value` or `// @key value` about the next request. */
export interface Annotation {
  /** The key without the at sign. */
  readonly key: string;
  /** The value without surrounding whitespace; often empty. */
  readonly value: string;
  /** The whole line. */
  readonly span: Span;
}

/** A body: text with placeholders, or a file (`< path`; `<@ path` renders its placeholders). */
export type BodyDraft =
  | {
      readonly kind: "text";
      readonly text: Template;
      /** Whether no line in it names a file and its line breaks are not normalized. */
      readonly exact?: true;
      /** Lines within the span that are no part of it: comments, assertions. */
      readonly omitted?: readonly Span[];
      readonly span: Span;
    }
  | {
      readonly kind: "file";
      readonly path: Template;
      /** Whether to render the placeholders in the file. */
      readonly interpolated: boolean;
      /** From `<@latin1 path`; UTF-8 by default. */
      readonly encoding?: string;
      readonly span: Span;
    };

/** Where to save the body of the response: a line `>> path`, or `>>! path`. */
export interface SaveDraft {
  /** The file. */
  readonly path: Template;
  /** Whether to replace an existing file, from `>>!`. */
  readonly replace: boolean;
}

/** A warning about a line of a request, which is sent all the same. */
export interface Remark {
  /** What is probably wrong. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
  /** The line. */
  readonly span: Span;
}

/** A request before it is rendered. */
export interface RequestDraft {
  /** The discriminant. */
  readonly kind: "request";
  /** From `# @name login`. */
  readonly name?: string;
  /** From the line `### title` before the request. */
  readonly title?: string;
  /** Every `# @key value` line before the request line or between the headers, `@name` included. */
  readonly annotations: readonly Annotation[];
  /** In upper case if it is a known method. */
  readonly method: string;
  /** The target, with its continuation lines. */
  readonly url: Template;
  /** The span of the URL, including continuation lines. */
  readonly urlSpan: Span;
  /** The headers in order. */
  readonly headers: readonly HeaderDraft[];
  /** The body after the blank line. */
  readonly body?: BodyDraft;
  /** From a line `>> path` after the request. */
  readonly saveTo?: SaveDraft;
  /** Scripts and assertions after it, which are not run. */
  readonly handlers?: readonly Span[];
  /** Lines of the body that were probably not meant as a part of it. */
  readonly remarks?: readonly Remark[];
  /** From its request line to its last line that is not blank. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
  /**
   * The span of a curl command in the text that was parsed. Its other spans refer to `source`, the text of the
   * equivalent request.
   */
  readonly origin?: Span;
}

/** A line `@name = value`, which sets a variable when it is reached. */
export interface AssignmentDraft {
  /** The discriminant. */
  readonly kind: "assignment";
  /** The name of the variable. */
  readonly name: string;
  /** The path of the property to set, from `@Users.API_host = …`. */
  readonly steps?: readonly string[];
  /** The value. */
  readonly value: Template;
  /** The span of the value. */
  readonly valueSpan: Span;
  /** The whole line. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
}

/** An entry of a request text. */
export type Entry = RequestDraft | AssignmentDraft;
