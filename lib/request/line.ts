import {
  collectTemplate,
  createFaultReporter,
  type Fault,
  type SourceText,
  type Span,
  type Template,
  TemplateSyntaxError,
} from "../interpolation/mod.ts";
import type { Remark } from "./draft.ts";
import { RequestSyntaxError } from "./errors.ts";
import type { Notes, OutlineLine } from "./outline.ts";

/** One line of a text, by UTF-16 offsets. */
export interface Line {
  readonly start: number;
  /** After its last character, before the line break. */
  readonly end: number;
  /** Where the next line begins. */
  readonly next: number;
  readonly text: string;
}

/** The kinds of lines before a request; `other` is a request line or a mistake. */
type LineKind = "blank" | "separator" | "annotation" | "comment" | "assignment" | "other";

const LINE_END = /\r\n?|\n/g;

/** Reads the line that begins at `start`. Lines end with LF, CRLF or CR. */
export function lineAt(source: string, start: number): Line {
  LINE_END.lastIndex = start;
  const found = LINE_END.exec(source);
  const end = found === null ? source.length : found.index;
  const next = found === null ? source.length : LINE_END.lastIndex;
  return { start, end, next, text: source.slice(start, end) };
}

/** Returns the kind of a line. */
export function classifyLine(text: string): LineKind {
  const line = text.trimStart();
  if (line === "") return "blank";
  if (line.startsWith("###")) return "separator";
  if (line.startsWith("#") || line.startsWith("//")) {
    return ANNOTATION.test(line) ? "annotation" : "comment";
  }
  return line.startsWith("@") ? "assignment" : "other";
}

/**
 * Returns the start of the line after a block comment, as httpYac has them.
 *
 * @returns `undefined` if no block comment begins on this line; the end of the text if it is not closed.
 */
export function afterComment(source: string, first: Line): number | undefined {
  if (!/^[ \t]*\/\*/.test(first.text)) return undefined;
  const close = source.indexOf("*/", source.indexOf("/*", first.start) + 2);
  return close === -1 ? source.length : lineAt(source, close).next;
}

/** The lines of a text from an offset on, without block comments. */
export function* readLines(source: string, start: number): Generator<Line> {
  for (let at = start; at < source.length; ) {
    const line = lineAt(source, at);
    const comment = afterComment(source, line);
    if (comment === undefined) yield line;
    at = comment ?? line.next;
  }
}

/** Whether a line is `@name = value` and not a line of another language that begins with `@`. */
export function startsVariableLine(text: string): boolean {
  return /^\s*@[^\s=(:]+\s*:?=(?![=>])/.test(text);
}

/** The length of the whitespace at the beginning of a line. */
export function indentation(text: string): number {
  return text.length - text.trimStart().length;
}

/** The span of a line without surrounding whitespace. */
export function trimLine(line: Line): { readonly start: number; readonly end: number } {
  const start = line.start + indentation(line.text);
  return { start, end: Math.max(start, line.start + line.text.trimEnd().length) };
}

/** The comment sign and the at sign before the key. */
const ANNOTATION = /^(?:#+|\/\/+)[ \t]*@(?=[\p{L}_])/u;

/** Parses an annotation line: `# @name login`, `// @ref login`, `# @name = login`. */
export function readAnnotation(text: string): { readonly key: string; readonly value: string } {
  const rest = text.trim().replace(ANNOTATION, "");
  const end = rest.search(/[\s=]/);
  const key = end === -1 ? rest : rest.slice(0, end);
  const value = rest.slice(key.length).trimStart();
  return { key, value: value.startsWith("=") ? value.slice(1).trimStart() : value };
}

/** What stands between two separators. */
export interface Block {
  /** The start of the next separator, or the end of the text. */
  readonly end: number;
  /** Where its last block comment ends; before its start if it has none. */
  readonly lastClosing: number;
}

/** The start of the line of an offset, at least `from`. */
export function lineStart(source: string, offset: number, from: number): number {
  let start = offset;
  while (start > from && source[start - 1] !== "\n" && source[start - 1] !== "\r") start--;
  return start;
}

/** The source text of one parse, and the faults found in it. */
export interface Parser extends SourceText, Notes {
  /** Takes over what the outline has noted at a line. */
  note(line: OutlineLine): void;
  /** The remarks since the last call. */
  takeRemarks(): readonly Remark[];
  /** Parses a span of the source as a template and records its faults. */
  template(span: Span): Template;
  /** The error with all faults, if there are any. */
  failure(): RequestSyntaxError | TemplateSyntaxError | undefined;
}

export function createParser({ source, firstLine }: SourceText): Parser {
  const text = { source, firstLine };
  const faults: Fault[] = [];
  const addFault = createFaultReporter(text, faults);
  let requestFaults = 0;
  let remarks: Remark[] = [];
  const report: Notes["report"] = (span, message, hint) => {
    requestFaults++;
    addFault(span, message, hint);
  };
  return {
    ...text,
    report,
    remark: (code, span, message, hint) => void remarks.push({ code, message, hint, span }),
    note(line) {
      for (const { span, message, hint } of line.mistakes) report(span, message, hint);
      for (const one of line.remarks) remarks.push(one);
    },
    takeRemarks() {
      const taken = remarks;
      remarks = [];
      return taken;
    },
    template: (span) => collectTemplate(text, span, faults),
    failure() {
      if (requestFaults > 0) return new RequestSyntaxError(source, faults);
      return faults.length > 0 ? new TemplateSyntaxError(source, faults) : undefined;
    },
  };
}
