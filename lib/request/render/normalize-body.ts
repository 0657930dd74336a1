import type { Part, Span, Template } from "../../interpolation/mod.ts";
import { linesOf } from "./split-files.ts";

/** A probable mistake in a body, and where it is. */
export interface BodyRemark {
  readonly message: string;
  readonly span: Span;
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The normalizations by Content-Type. They apply to literal text, never to values. */
const NORMALIZERS: readonly (readonly [type: RegExp, create: () => (literal: string) => string])[] =
  [
    [FORM, createFormNormalizer],
    // Boundaries need CRLF (RFC 2046, 5.1.1).
    [/^multipart\//i, () => (literal) => literal.replace(/\r\n?|\n/g, "\r\n")],
  ];

/** Normalizes the line breaks of a written body, and the blanks of a form, for its Content-Type. */
export function normalizeBody(template: Template, contentType: string | undefined): Template {
  const create = NORMALIZERS.find(([type]) => contentType !== undefined && type.test(contentType));
  if (create === undefined) return template;
  const [type, createChange] = create;
  const change = createChange();
  const written = type === FORM ? withoutComments(template.parts) : template.parts;
  const parts = written.map((part) => (typeof part === "string" ? change(part) : part));
  return { ...template, parts };
}

const COMMENT = /^[ \t]*(?:#|\/\/)/;

/** Without the lines that other clients leave out of every body: no field begins like a comment. */
function withoutComments(parts: Template["parts"]): Template["parts"] {
  if (!parts.some((part) => typeof part === "string" && /#|\/\//.test(part))) return parts;
  const joined: Part[] = [];
  for (const { content, end } of linesOf(parts)) {
    const [first] = content;
    const isComment = typeof first === "string" && COMMENT.test(first);
    for (const part of isComment ? [end] : [...content, end]) {
      const last = joined.at(-1);
      if (typeof part === "string" && typeof last === "string")
        joined[joined.length - 1] = last + part;
      else joined.push(part);
    }
  }
  return joined;
}

/**
 * Pairs may stand on lines of their own, with `&` at either end of a line and blanks around `&` and `=`, as VS
 * Code REST Client, JetBrains' client and rest.nvim read them. Other blanks belong to the values.
 */
function createFormNormalizer(): (literal: string) => string {
  let isFirst = true;
  let inValue = false;
  return (literal) => {
    const text = isFirst ? literal.trimStart() : literal;
    isFirst = false;
    // The lookbehinds keep the search linear.
    const pairs = text.replace(/(?<![ \t\r\n])[ \t\r\n]*&[ \t\r\n]*/g, "&").split("&");
    return pairs
      .map((pair, index) => {
        if (index > 0) inValue = false;
        if (inValue || !pair.includes("=")) return pair;
        inValue = true;
        return pair.replace(/(?<![ \t\r\n])[ \t\r\n]*=[ \t]*/, "=");
      })
      .join("&");
  };
}

/** Finds the first line of a form that no `&` separates from the line before: it belongs to the value there. */
export function findUnseparatedLine(
  { source, span }: { readonly source: string; readonly span: Span },
  contentType: string | undefined,
): BodyRemark | undefined {
  if (contentType === undefined || !FORM.test(contentType)) return undefined;
  let before = "&";
  let offset = span.start;
  for (const [at, line] of source
    .slice(span.start, span.end)
    .split(/\r\n?|\n/)
    .entries()) {
    const text = line.trim();
    const start = source.indexOf(text, offset);
    offset = start + text.length;
    if (text === "" || COMMENT.test(text)) continue;
    if (!before.endsWith("&") && !/^[&=]/.test(text)) {
      // The line is not quoted: it may be a password.
      const message = `Line ${at + 1} of the form belongs to the value above it: begin it with & if it is another field`;
      return { message, span: { start, end: offset } };
    }
    before = text;
  }
  return undefined;
}

// The first pair has a value, and it does not begin with another sign: `SGk=` and `SGkh==` are Base64.
const PAIRS = /^\s*[\w.~%+*[\]-]+=(?=[^\s&=])[^\s&]*(?:\s*&\s*[\w.~%+*[\]-]+(?:=[^\s&]*)?)*\s*$/;

/** The Content-Type of a body that is written as the fields of a form; `undefined` for any other body. */
export function formTypeOf({ parts }: Template): string | undefined {
  // A value may be anything, so the text around the placeholders decides.
  const written = parts.map((part) => (typeof part === "string" ? part : "x")).join("");
  return PAIRS.test(written) ? "application/x-www-form-urlencoded" : undefined;
}
