import { joinParts, type Part, type Span, type Template } from "../interpolation/mod.ts";
import type { FileDraft, Remark } from "./draft.ts";

/** An ampersand at the end or at the beginning of a line. The lookbehinds keep the searches linear. */
const LINE_ENDS =
  /(?<![ \t\r\n])[ \t]*[\r\n][ \t\r\n]*&[ \t\r\n]*|(?<![ \t\r\n])[ \t]*&[ \t]*[\r\n][ \t\r\n]*/g;

/** An ampersand before a field, not one in `Ada & Co`. */
const BLANKS = /(?<![ \t])[ \t]*&[ \t]*(?=[^&=]*=)/g;

/**
 * Normalizes the line breaks and blanks of the fields of a form; values stay as they are. No field begins like a comment,
 * so that comment lines are left out, as in the other clients.
 */
export function normalizeForm(template: Template): Template {
  const change = createFormNormalizer();
  const lines = linesOf(template.parts).map(({ content, end }) =>
    isCommentLine(content) ? { content: [], end } : { content, end },
  );
  const parts = trimEnd(joinLines(lines)).map((part) =>
    typeof part === "string" ? change(part) : part,
  );
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

/** What may not stand in a URL, and a percent sign that begins no escape. */
const UNSAFE = /(?:[^!#$%&-;=?-_a-z|~]|%(?![\da-f]{2}))+/gi;

/**
 * Percent-encodes what may not stand in the fields of a form, as REST Client, JetBrains' client and httpYac do: blanks,
 * quotes, what is not ASCII. What is encoded stays, and `&` and `=` divide the fields, in values as well.
 *
 * @param missing Whether placeholders without a value are kept, which stay as they are.
 */
export function encodeForm(text: string, missing: "error" | "keep"): string {
  const encode = (piece: string): string =>
    piece.replace(UNSAFE, (unsafe) => encodeURIComponent(unsafe.toWellFormed()));
  if (missing === "error") return encode(text);
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((piece, at) => (at % 2 === 1 ? piece : encode(piece)))
    .join("");
}

/** Finds the first line of a form that no `&` separates from the line before: it belongs to the value there. */
export function remarksOnForm(
  source: string,
  span: Span,
  of: readonly Template[],
): readonly Remark[] {
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
      return [{ code: "body", message, span: { start, end: offset }, of }];
    }
    before = text;
  }
  return [];
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

/** `< path`, `<@ path` and `<@encoding path` at the beginning of a line. */
const FILE = /^[ \t]*<(?:(@)([\w-]*))?[ \t]+(?=\S|$)/;
const HAS_FILE = /(?:^|[\r\n])[ \t]*<(?:@[\w-]*)?[ \t]/;

/**
 * Splits a body at the lines that name files, as VS Code REST Client and JetBrains' client do. The line breaks
 * around such a line belong to the text.
 *
 * @returns The texts and files in order; `undefined` without files.
 */
export function splitFiles(template: Template): readonly (Template | FileDraft)[] | undefined {
  const { parts } = template;
  if (!parts.some((part) => typeof part === "string" && HAS_FILE.test(part))) return undefined;
  const pieces: (Template | FileDraft)[] = [];
  let text: Part[] = [];
  let found = false;
  const flush = (): void => {
    if (text.length > 0) pieces.push({ ...template, parts: text });
    text = [];
  };
  for (const line of linesOf(parts)) {
    const [first] = line.content;
    const mark = typeof first === "string" ? FILE.exec(first) : null;
    const isMarked = mark !== null && typeof first === "string";
    const path = isMarked ? trimEnd([first.slice(mark[0].length), ...line.content.slice(1)]) : [];
    if (!isMarked || path.length === 0) {
      for (const part of line.content) text.push(part);
      text.push(line.end);
      continue;
    }
    found = true;
    flush();
    const [, at, encoding] = mark;
    pieces.push({
      path: { ...template, parts: path },
      interpolated: at !== undefined,
      ...(encoding === undefined || encoding === "" ? {} : { encoding }),
    });
    text.push(line.end);
  }
  flush();
  return found ? pieces : undefined;
}

/** A line of a template with its line break. */
export interface PartLine {
  readonly content: readonly Part[];
  readonly end: string;
}

/** Splits a template into lines; placeholders count as one line. */
export function linesOf(parts: readonly Part[]): readonly PartLine[] {
  const lines: PartLine[] = [];
  let content: Part[] = [];
  for (const part of parts) {
    if (typeof part !== "string") {
      content.push(part);
      continue;
    }
    const texts = part.split(/(\r\n?|\n)/);
    for (let index = 0; index < texts.length; index += 2) {
      const text = texts[index] ?? "";
      const end = texts[index + 1];
      if (text !== "") content.push(text);
      if (end === undefined) continue;
      lines.push({ content, end });
      content = [];
    }
  }
  if (content.length > 0) lines.push({ content, end: "" });
  return lines;
}

/** The parts of lines, with adjacent texts joined. */
export function joinLines(lines: readonly PartLine[]): readonly Part[] {
  return joinParts(lines.flatMap(({ content, end }) => [...content, end]));
}

/** Whether a line begins with `#` or `//`. */
export function isCommentLine([first]: readonly Part[]): boolean {
  return typeof first === "string" && /^[ \t]*(?:#|\/\/)/.test(first);
}

function trimEnd(parts: readonly Part[]): readonly Part[] {
  const kept = parts.filter((part) => part !== "");
  const last = kept.at(-1);
  if (typeof last !== "string") return kept;
  const text = last.trimEnd();
  return text === "" ? trimEnd(kept.slice(0, -1)) : [...kept.slice(0, -1), text];
}
