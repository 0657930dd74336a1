import type { Span, Template } from "../../interpolation/mod.ts";

/** A remark about a part of a body. */
export interface BodyRemark {
  readonly message: string;
  readonly hint: string;
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
  const change = create[1]();
  const parts = template.parts.map((part) => (typeof part === "string" ? change(part) : part));
  return { ...template, parts };
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

/** Finds the lines of a form that no `&` separates from the line before; they are sent as a part of its value. */
export function findUnseparatedLines(
  { source, span }: { readonly source: string; readonly span: Span },
  contentType: string | undefined,
): readonly BodyRemark[] {
  if (contentType === undefined || !FORM.test(contentType)) return [];
  const remarks: BodyRemark[] = [];
  let before = "&";
  for (const { 0: line, index } of source.slice(span.start, span.end).matchAll(/[^\r\n]+/g)) {
    const text = line.trim();
    if (text === "") continue;
    if (!before.endsWith("&") && !/^[&=]/.test(text)) {
      const start = span.start + index + line.length - line.trimStart().length;
      remarks.push({
        // Not quoted: it may be a password.
        message: "This line of the form is sent as a part of the value before it",
        hint: "Begin it with & if it is another field",
        span: { start, end: start + text.length },
      });
    }
    before = text;
  }
  return remarks;
}
