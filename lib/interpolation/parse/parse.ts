import {
  createFaultReporter,
  type Fault,
  type SourceText,
  type Span,
  shorten,
  TemplateSyntaxError,
} from "../faults/mod.ts";
import { readPlaceholder, skipBlanks } from "./placeholder.ts";
import type { Part, Template } from "./template.ts";

/**
 * Parses a text with placeholders.
 *
 * Double braces whose content cannot begin a name stay text, as do those after a backslash. Content
 * that begins like a path has to be one.
 *
 * @param source The text that positions refer to.
 * @param span The part of it to parse; the whole text by default.
 * @throws {TemplateSyntaxError} With every broken placeholder of the text.
 */
export function parseTemplate(source: string, span?: Span): Template {
  const faults: Fault[] = [];
  const template = collectTemplate({ source }, span, faults);
  if (faults.length > 0) throw new TemplateSyntaxError(source, faults);
  return template;
}

/**
 * Parses like {@link parseTemplate}, for callers that collect the faults of several templates of one
 * source and throw once. A list with {@link FAULT_LIMIT} faults gets one more entry that says so.
 *
 * @param text The text that positions refer to.
 * @param span The part of it to parse; the whole text by default.
 * @param faults Receives the faults.
 * @returns The template; broken placeholders are literal text in it.
 */
export function collectTemplate(
  { source, firstLine }: SourceText,
  span: Span | undefined,
  faults: Fault[],
): Template {
  const base = span?.start ?? 0;
  const text = source.slice(base, span?.end);
  const report = createFaultReporter({ source, firstLine }, faults);
  const parts: Part[] = [];
  let literalStart = 0;
  let open = text.indexOf("{{");
  while (open !== -1) {
    if (open > literalStart && text[open - 1] === "\\") {
      open = text.indexOf("{{", open + 2);
      continue;
    }
    // Of a run of braces the last two count: "{{{a}}}" is a brace, a value and a brace.
    while (text[open + 2] === "{") open += 1;
    const start = skipBlanks(text, open + 2);
    const read = readPlaceholder({ text, open, base }, start);
    if (read === undefined) {
      open = text.indexOf("{{", start);
    } else if (read.kind === "broken") {
      const at = base + read.at;
      const place = { start: at, end: Math.min(at + 1, base + text.length) };
      if (!report(place, `Cannot parse "${excerpt(text, open)}": ${read.reason}`, read.hint)) break;
      open = text.indexOf("{{", read.at);
    } else {
      if (open > literalStart) parts.push(unescapeBraces(text.slice(literalStart, open)));
      parts.push(read);
      literalStart = read.span.end - base;
      open = text.indexOf("{{", literalStart);
    }
  }
  if (literalStart < text.length) parts.push(unescapeBraces(text.slice(literalStart)));
  return { source, firstLine, parts };
}

/** Writes a template as {@link parseTemplate} reads it. */
export function writeTemplate({ source, parts }: Template): string {
  return parts
    .map((part) =>
      typeof part === "string" ? escapeBraces(part) : source.slice(part.span.start, part.span.end),
    )
    .join("");
}

/** Writes a text so that {@link parseTemplate} finds no placeholder in it. */
export function escapeBraces(text: string): string {
  return text.replaceAll("{{", "\\{{");
}

function unescapeBraces(text: string): string {
  return text.replaceAll("\\{{", "{{");
}

const EXCERPT_LENGTH = 40;

/** The placeholder up to its closing braces or the end of its line, cut when it is long. */
function excerpt(text: string, open: number): string {
  const near = text.slice(open, open + EXCERPT_LENGTH + 1);
  const written = /^.*?\}\}|^.*/u.exec(near)?.[0] ?? near;
  return shorten(written, EXCERPT_LENGTH);
}
