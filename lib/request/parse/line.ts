/** One line of a text, by UTF-16 offsets. */
export interface Line {
  readonly start: number;
  /** Behind its last character, before its line end. */
  readonly end: number;
  /** Where the next line begins. */
  readonly next: number;
  readonly text: string;
}

/** What a line is where no request has begun yet; `other` is a request line or a mistake. */
export type LineKind = "blank" | "separator" | "annotation" | "comment" | "assignment" | "other";

const LINE_END = /\r\n?|\n/g;

/** Reads the line that begins at `start`. Lines end with LF, CRLF or CR, as positions count them. */
export function lineAt(source: string, start: number): Line {
  LINE_END.lastIndex = start;
  const found = LINE_END.exec(source);
  const end = found === null ? source.length : found.index;
  const next = found === null ? source.length : LINE_END.lastIndex;
  return { start, end, next, text: source.slice(start, end) };
}

/** Tells what kind of line this is, from its first characters. */
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
 * Where the line begins behind a comment of several lines that begins on this one, as httpYac has them.
 *
 * @returns Nothing where no such comment begins here; the end of the text where it does not end.
 */
export function behindComment(source: string, first: Line): number | undefined {
  if (!/^[ \t]*\/\*/.test(first.text)) return undefined;
  const close = source.indexOf("*/", source.indexOf("/*", first.start) + 2);
  return close === -1 ? source.length : lineAt(source, close).next;
}

/** How many blanks a line begins with. */
export function indentation(text: string): number {
  return text.length - text.trimStart().length;
}

/** A span without the blanks at the ends of a line. */
export function trimLine(line: Line): { readonly start: number; readonly end: number } {
  const start = line.start + indentation(line.text);
  return { start, end: Math.max(start, line.start + line.text.trimEnd().length) };
}

/** The marks and the at sign; what follows it is the key. */
const ANNOTATION = /^(?:#+|\/\/+)[ \t]*@(?=[\p{L}_])/u;

/** Takes a line of kind `annotation` apart: `# @name login`, `// @ref login`, `# @name = login`. */
export function readAnnotation(text: string): { readonly key: string; readonly value: string } {
  const rest = text.trim().replace(ANNOTATION, "");
  const key = /^[^\s=]+/.exec(rest)?.[0] ?? "";
  const value = rest.slice(key.length).trimStart();
  return { key, value: value.startsWith("=") ? value.slice(1).trimStart() : value };
}
