import type { Template } from "../../interpolation/mod.ts";

/** The normalizations by Content-Type. They apply to literal text, never to values. */
const FORMS: readonly (readonly [type: RegExp, change: (literal: string) => string])[] = [
  // Pairs on separate lines are joined, as in VS Code REST Client and JetBrains' client.
  [
    /^application\/x-www-form-urlencoded\s*(?:;|$)/i,
    (literal) =>
      literal
        // The lookbehind keeps the search linear.
        .replace(/(?<![ \t])[ \t]*(?:\r\n?|\n)[ \t]*(?=&)/g, "")
        .replace(/&[ \t]*(?:\r\n?|\n)[ \t]*/g, "&"),
  ],
  // Boundaries need CRLF (RFC 2046, 5.1.1).
  [/^multipart\//i, (literal) => literal.replace(/\r\n?|\n/g, "\r\n")],
];

/** Normalizes the line breaks of a written body for its Content-Type. */
export function normalizeBody(template: Template, contentType: string | undefined): Template {
  const change = FORMS.find(([type]) => contentType !== undefined && type.test(contentType))?.[1];
  if (change === undefined) return template;
  const parts = template.parts.map((part) => (typeof part === "string" ? change(part) : part));
  return { ...template, parts };
}

const FORM = "application/x-www-form-urlencoded";
// The first pair has a value, and it does not begin with another sign: `SGk=` and `SGkh==` are Base64.
const PAIRS = /^\s*[\w.~%+*[\]-]+=(?=[^\s&=])[^\s&]*(?:\s*&\s*[\w.~%+*[\]-]+(?:=[^\s&]*)?)*\s*$/;

/** The Content-Type of a body that is written as the fields of a form; `undefined` for any other body. */
export function formTypeOf({ parts }: Template): string | undefined {
  // A value may be anything, so the text around the placeholders decides.
  const written = parts.map((part) => (typeof part === "string" ? part : "x")).join("");
  return PAIRS.test(written) ? FORM : undefined;
}
