import type { Span, Template } from "../interpolation/mod.ts";

/** A header line as written. */
export interface HeaderDraft {
  readonly name: string;
  readonly value: Template;
  readonly span: Span;
}

/** A body as written: text with placeholders, or a file (`< path`; `<@ path` fills placeholders). */
export type BodyDraft =
  | { readonly kind: "text"; readonly text: Template; readonly json: boolean }
  | {
      readonly kind: "file";
      readonly path: Template;
      readonly interpolated: boolean;
      readonly span: Span;
    };

/** A request before any value is put in. */
export interface RequestDraft {
  readonly kind: "request";
  /** From `# @name login`. */
  readonly name?: string;
  readonly method: string;
  readonly url: Template;
  readonly headers: readonly HeaderDraft[];
  readonly body?: BodyDraft;
  /** Where it stands in the source, from its first line to its last. */
  readonly span: Span;
  readonly source: string;
}

/** A line `@name = value`: sets a variable when its turn comes. */
export interface AssignmentDraft {
  readonly kind: "assignment";
  readonly name: string;
  readonly value: Template;
  readonly span: Span;
  readonly source: string;
}

/** What a request text holds, in order. */
export type Entry = RequestDraft | AssignmentDraft;

/** A request with every value put in: what would be sent. Header order and repeats are kept. */
export interface RenderedRequest {
  readonly name?: string;
  readonly method: string;
  /** The URL as text, before any URL parser has seen it. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Names of headers that were not written but added, for example `Content-Type`. */
  readonly added: readonly string[];
  /** The text, a file still to be read, or nothing. */
  readonly body: string | BodyFile | undefined;
  /** What looks wrong but is sent all the same, for example a JSON body that does not parse. */
  readonly warnings: readonly string[];
}

/** A body that stands in a file. */
export interface BodyFile {
  readonly path: string;
  /** Whether placeholders inside the file are to be filled. */
  readonly interpolated: boolean;
}
