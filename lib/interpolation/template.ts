import type { SourceText, Span } from "./fault.ts";
import type { Value } from "./value.ts";

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
  /** How its text is encoded. */
  readonly encoding?: Encoding | undefined;
  /** Property names (strings) and indexes (numbers), in order. */
  readonly steps: readonly (string | number)[];
  /** `$..id` of `{{login.response.body.$..id}}`: a JSONPath after the steps; its first match is the value, or with `[]` at its end the list of all. */
  readonly query?: string | undefined;
  /** `{{$.clients..id}}` of JetBrains' client stands for each match in turn: the number of that which is the value. */
  readonly match?: number | undefined;
  /** `{{name ?? "text"}}`: the value where there is none, or `null`. */
  readonly otherwise?: Value | undefined;
  /** The content of the braces, without surrounding blanks. */
  readonly text: string;
  /** From the first opening brace to the last closing one, inclusive. */
  readonly span: Span;
  /** The quoted place where it stands: the name of a part of a form, a string of GraphQL, or one in `"""`. */
  readonly within?: "part-name" | "string" | "block-string" | "block-string-end" | undefined;
}

/** `{{$uuid}}`, `{{$randomInt 1 6}}`: names with a dollar sign are reserved for generated values. */
export interface GeneratedPlaceholder {
  /** The kind of placeholder. */
  readonly kind: "generated";
  /** The name with its dollar sign. */
  readonly name: string;
  /** How its text is encoded. */
  readonly encoding?: Encoding | undefined;
  /** The text after the name, without surrounding blanks. */
  readonly argument: string;
  /** The content of the braces, without surrounding blanks. */
  readonly text: string;
  /** From the first opening brace to the last closing one, inclusive. */
  readonly span: Span;
  /** The quoted place where it stands. */
  readonly within?: PathPlaceholder["within"] | undefined;
}

/**
 * `{{%name}}` is percent-encoded, as by `encodeURIComponent`; `{{$xml name}}` is a text of XML; `{{$json name}}` is a part
 * of a string of JSON, for JSON that is itself a text.
 */
export type Encoding = "percent" | "xml" | "json";

/** What stands for a placeholder in the shape of a template. */
export const STANDS_FOR_VALUE = "\u{fffc}";

/** What is written, whatever the values are: the text of a template with one character for each placeholder. */
export function shapeOf({ parts }: Template): string {
  return parts.map((part) => (typeof part === "string" ? part : STANDS_FOR_VALUE)).join("");
}

/** The part of a template between two offsets of its shape. */
export function sliceTemplate(
  template: Template,
  start: number,
  end: number = Number.POSITIVE_INFINITY,
): Template {
  let at = 0;
  const parts = template.parts.flatMap((part): readonly Part[] => {
    const from = at;
    at += typeof part === "string" ? part.length : 1;
    if (at <= start || from >= end) return [];
    return [typeof part === "string" ? part.slice(Math.max(0, start - from), end - from) : part];
  });
  return { ...template, parts };
}

/** Changes the placeholders of a template, each with the offset in its shape. */
export function mapPlaceholders(
  template: Template,
  change: (placeholder: Placeholder, at: number) => Placeholder,
): Template {
  let at = 0;
  const parts = template.parts.map((part) => {
    const from = at;
    at += typeof part === "string" ? part.length : 1;
    return typeof part === "string" ? part : change(part, from);
  });
  return { ...template, parts };
}

/**
 * Joins templates of one source into one, for example the lines of a continued URL.
 *
 * @param templates At least one template; all of them parsed from the same source.
 * @returns One template with the parts of all, spans unchanged.
 * @throws {RangeError} The list is empty, or the sources differ.
 */
export function joinTemplates(templates: readonly Template[]): Template {
  const [first] = templates;
  if (first === undefined) throw new RangeError("Cannot join templates: the list is empty");
  if (templates.some(({ source }) => source !== first.source)) {
    throw new RangeError("Cannot join templates: they were parsed from different sources");
  }
  return { ...first, parts: joinParts(templates.flatMap(({ parts }) => parts)) };
}

/** Joins adjacent texts of a list of parts. */
export function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === "string" && typeof last === "string") joined.splice(-1, 1, last + part);
    else joined.push(part);
  }
  return joined;
}
