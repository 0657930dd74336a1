import { firstLineSpan, type Span, type Template } from "../../interpolation/mod.ts";
import { isFormType, type Remark } from "../draft/mod.ts";
import { boundaryFault, normalizeMultipart } from "./multipart.ts";
import { isCommentLine, joinLines, linesOf } from "./split-files.ts";

const MULTIPART = /^multipart\//i;

/** The normalizations by Content-Type. They apply to literal text, never to values. */
const NORMALIZERS: readonly (readonly [
  isType: (contentType: string) => boolean,
  change: (parts: Parts) => Parts,
])[] = [
  [isFormType, normalizeForm],
  [(contentType) => MULTIPART.test(contentType), normalizeMultipart],
];

type Parts = Template["parts"];

/** Normalizes the line breaks of a written body, and the blanks of a form, for its Content-Type. */
export function normalizeBody(template: Template, contentType: string | undefined): Template {
  if (contentType === undefined) return template;
  const change = NORMALIZERS.find(([isType]) => isType(contentType))?.[1];
  return change === undefined ? template : { ...template, parts: change(template.parts) };
}

/** Finds a probable mistake in a rendered body. */
export function remarkOn(
  contentType: string | undefined,
  written: { readonly source: string; readonly span: Span },
  rendered: string,
): Remark | undefined {
  if (contentType === undefined) return undefined;
  if (isFormType(contentType)) return findUnseparatedLine(written);
  const message = MULTIPART.test(contentType) ? boundaryFault(contentType, rendered) : undefined;
  if (message === undefined) return undefined;
  return { code: "body", message, span: firstLineSpan(written.source, written.span) };
}

/** No field begins like a comment, so that comment lines are left out, as in the other clients. */
function normalizeForm(parts: Parts): Parts {
  const change = createFormNormalizer();
  const lines = linesOf(parts).map(({ content, end }) =>
    isCommentLine(content) ? { content: [], end } : { content, end },
  );
  return joinLines(lines).map((part) => (typeof part === "string" ? change(part) : part));
}

/** An ampersand at the end or at the beginning of a line. The lookbehinds keep the searches linear. */
const LINE_ENDS =
  /(?<![ \t\r\n])[ \t]*[\r\n][ \t\r\n]*&[ \t\r\n]*|(?<![ \t\r\n])[ \t]*&[ \t]*[\r\n][ \t\r\n]*/g;
/** An ampersand before a field, not one in `Ada & Co`. */
const BLANKS = /(?<![ \t])[ \t]*&[ \t]*(?=[^&=]*=)/g;

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
    return text
      .replace(LINE_ENDS, "&")
      .replace(BLANKS, "&")
      .split("&")
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
function findUnseparatedLine({
  source,
  span,
}: {
  readonly source: string;
  readonly span: Span;
}): Remark | undefined {
  let before = "&";
  let offset = span.start;
  for (const [at, line] of source
    .slice(span.start, span.end)
    .split(/\r\n?|\n/)
    .entries()) {
    const text = line.trim();
    const start = source.indexOf(text, offset);
    offset = start + text.length;
    if (text === "" || isCommentLine([text])) continue;
    if (!before.endsWith("&") && !/^[&=]/.test(text)) {
      // The line is not quoted: it may be a password.
      const message = `Line ${at + 1} of the form belongs to the value above it: begin it with & if it is another field`;
      return { code: "body", message, span: { start, end: offset } };
    }
    before = text;
  }
  return undefined;
}

const FIELD = /^\s*[\w.~%+*[\]-]+(?:=[^\s&]*)?\s*$/;
// The first field has a value, and it does not begin with another `=`: `SGk=` and `SGkh==` are Base64.
const FIRST_FIELD = /^\s*[\w.~%+*[\]-]+=[^\s&=][^\s&]*\s*$/;

/** The Content-Type of a body that is written as the fields of a form; `undefined` for any other body. */
export function formTypeOf({ parts }: Template): string | undefined {
  // A value may be anything, so the text around the placeholders decides.
  const written = parts.map((part) => (typeof part === "string" ? part : "x")).join("");
  const [first = "", ...others] = written.split("&");
  const isForm = FIRST_FIELD.test(first) && others.every((field) => FIELD.test(field));
  return isForm ? "application/x-www-form-urlencoded" : undefined;
}
