import {
  FAULT_LIMIT,
  firstLineSpan,
  type Part,
  type Place,
  type RenderedRange,
  shorten,
  type Template,
} from "../interpolation/mod.ts";
import type { Remark } from "./draft.ts";
import { explainControl, placeOf, splitHeader } from "./header-line.ts";
import { offsetInSource, type RenderedSource } from "./json-fault.ts";
import { isCommentLine, joinLines, linesOf, type PartLine } from "./normalize-body.ts";

/** Whether a Content-Type is that of a body of parts. */
export function isMultipart(contentType: string | undefined): contentType is string {
  return /^multipart\//i.test(contentType ?? "");
}

/** Creates a boundary that no content contains: it is not known before the request is written. */
export function createBoundary(): string {
  return `restlab-form-${crypto.randomUUID()}`;
}

/** Such boundaries: what is saved and compared has a fixed one in their place. */
export const CREATED_BOUNDARY: RegExp = /\brestlab-form-[\da-f-]{36}/g;

/** A text in a body of parts. */
interface Section {
  readonly text: Template;
  /** How the values in it are written: in headers, or as the type of its part says. */
  readonly place: Place;
}

/** A multipart body as it is sent. */
export interface MultipartBody {
  readonly sections: readonly Section[];
  /** The Content-Type with a boundary, if the written one has none. */
  readonly type?: string | undefined;
  /** What was added to it, and what is doubtful. */
  readonly remarks: readonly Remark[];
  /** Why no server could read its parts. */
  readonly fault?: Remark | undefined;
}

/** A body as it is written, and the templates that it depends on. */
type WrittenBody = RenderedSource & { readonly of: readonly Template[] };

/** A line, and its place in the body. */
interface Line extends PartLine {
  /** What is written, up to the first placeholder; all of a line that begins like a delimiter. */
  readonly text: string;
  /** Its offset in the shape of the body. */
  readonly offset: number;
}

/** A line as it is sent, and how the values in it are written. */
interface SentLine {
  readonly content: readonly Part[];
  readonly place: Place;
}

/** What a reader says about a line. */
type Say = (line: Line, message: string, hint?: string) => void;

/**
 * Reads a written multipart body (RFC 2046, 5.1.1), whose lines end in CRLF when it is sent. A blank line below the headers
 * of a part, the closing line and the boundary of the Content-Type are added where they are missing.
 *
 * @param written The body, and what its positions refer to.
 * @param render Renders a line that may be a delimiter.
 */
export function readMultipart(
  written: WrittenBody,
  contentType: string,
  render: (line: Template) => string,
): MultipartBody {
  const lines = readLines(written.text, render);
  const remarks: Remark[] = [];
  let fault: Remark | undefined;
  const about = (line: Line, message: string, hint?: string): Remark => {
    const start = offsetInSource(line.offset, written);
    const { source } = written.text;
    const span = firstLineSpan(source, { start, end: written.span.end });
    return { code: "body", message, hint, span, of: written.of };
  };
  const remark: Say = (...what) => {
    if (remarks.length < FAULT_LIMIT) remarks.push(about(...what));
  };
  const refuse: Say = (...what) => {
    fault ??= about(...what);
  };
  const typeOf = ({ content }: Line): string => render({ ...written.text, parts: content });
  const boundary = boundaryOf(contentType) ?? boundaryIn(lines);
  const delimiter = `--${boundary}`;
  const starts = lines.flatMap(({ text }, at) => (text.startsWith(delimiter) ? [at] : []));
  const [first] = lines;
  const begin = lines[starts[0] ?? lines.length];
  if (first !== undefined && (boundary === undefined || begin === undefined)) {
    const [what, hint] = unreadable(contentType, boundary);
    refuse(
      first,
      `${what}, so that no server can read ${boundary === undefined ? "the" : "its"} parts`,
      hint,
    );
    return { sections: [{ text: written.text, place: "text" }], remarks, fault };
  }
  const type =
    boundaryOf(contentType) === undefined ? withBoundary(contentType, boundary) : undefined;
  if (begin !== undefined && type !== undefined) {
    remark(
      begin,
      `The Content-Type "${contentType}" has no boundary: "boundary=${boundary}" was added`,
    );
  }
  const asText = ({ content }: Line): SentLine => ({ content, place: "text" });
  const kept: SentLine[] = lines.slice(0, starts[0]).map(asText);
  const closing: SentLine = { content: [`${delimiter}--`], place: "text" };
  let isClosed = false;
  for (const [at, start] of starts.entries()) {
    const [line, ...rest] = lines.slice(start, starts[at + 1]);
    if (line === undefined) continue;
    const mark = line.text.slice(delimiter.length).trimEnd();
    const isLast = at === starts.length - 1;
    if (mark === "" && isLast && rest.every(isBlank)) {
      remark(
        line,
        `The last line "${delimiter}" was sent as "${delimiter}--", which ends the body`,
      );
      kept.push(closing);
      isClosed = true;
    } else if (mark === "" && !isClosed) {
      kept.push(asText(line), ...readPart(line, rest, { remark, refuse, typeOf }));
    } else if (mark === "--" && isLast) {
      const text = rest.find((one) => !isBlank(one));
      if (text !== undefined) remark(text, `The text below "${delimiter}--" is in no part`);
      kept.push(closing, ...(text === undefined ? [] : rest.map(asText)));
      isClosed = true;
    } else if (mark === "--") {
      refuse(
        line,
        `The line "${delimiter}--" ends the body, but parts follow it`,
        `Write "${delimiter}" between parts`,
      );
    } else {
      refuse(
        line,
        `The line "${shorten(line.text)}" begins like the boundary "${delimiter}", and is neither a line between parts nor the last one`,
        `Write "${delimiter}" or "${delimiter}--", or choose another boundary`,
      );
    }
  }
  const last = lines.at(-1);
  if (!isClosed && last !== undefined) {
    remark(last, `The last line "${delimiter}--" is missing, and was added`);
    kept.push(closing);
  }
  const sections = toSections(written.text, kept);
  // What was added does not matter where nothing is sent.
  return { sections, type, remarks: fault ? [] : remarks, fault };
}

/** Joins neighbouring lines whose values are written alike. */
function toSections(template: Template, lines: readonly SentLine[]): readonly Section[] {
  const groups: { readonly place: Place; readonly lines: PartLine[] }[] = [];
  for (const { content, place } of lines) {
    if (groups.at(-1)?.place !== place) groups.push({ place, lines: [] });
    groups.at(-1)?.lines.push({ content, end: "\r\n" });
  }
  return groups.map((group) => ({
    text: { ...template, parts: joinLines(group.lines) },
    place: group.place,
  }));
}

function readLines(template: Template, render: (line: Template) => string): readonly Line[] {
  let offset = 0;
  return linesOf(template.parts).map(({ content, end }) => {
    const [first = ""] = content;
    const start = offset;
    for (const part of content) offset += typeof part === "string" ? part.length : 1;
    offset += end.length;
    const isDelimiter = typeof first === "string" && first.startsWith("--");
    const literal = typeof first === "string" ? first : "";
    const text = isDelimiter ? render({ ...template, parts: content }) : literal;
    return { content, end, text, offset: start };
  });
}

function isBlank({ content, text }: Line): boolean {
  return (
    content.length === 0 ||
    (content.length === 1 && text.trim() === "" && typeof content[0] === "string")
  );
}

/**
 * The lines of a part: its headers, a blank line and its content. Comment lines among the headers and before the content are
 * left out, as in the other clients; further lines may be those of a script.
 */
function readPart(
  start: Line,
  lines: readonly Line[],
  { remark, refuse, typeOf }: { remark: Say; refuse: Say; typeOf(line: Line): string },
): readonly SentLine[] {
  const hasBlank = lines.some(isBlank);
  const isMarkdown = lines.some(({ text }) => /^content-[^:]*:.*markdown/i.test(text));
  const isComment = ({ content }: Line): boolean =>
    isCommentLine(content) && !/^\s*#!/.test(String(content[0])) && !isMarkdown;
  let end = lines.findIndex((line, at) => {
    if (isBlank(line)) return true;
    if (isComment(line) || (at > 0 && /^[ \t]/.test(line.text))) return false;
    const [name] = splitHeader(line.text) ?? [];
    if (name === undefined) return true;
    if (!hasBlank && !/^content-/i.test(name)) {
      refuse(
        line,
        `Cannot tell whether "${shorten(line.text)}" is a header of the part or its content`,
        "Leave a blank line below the headers of the part",
      );
    }
    return false;
  });
  if (end === -1) end = lines.length;
  const next = lines[end];
  const headers = lines.slice(0, end).filter((line) => !isComment(line));
  const content = lines.slice(next !== undefined && isBlank(next) ? end + 1 : end);
  if (next === undefined) {
    remark(start, "A blank line was added below the headers of a part, which has no content");
  } else if (!isBlank(next)) {
    const begins = `"${shorten(next.text || "its first line")}", where the content of a part begins`;
    remark(next, `A blank line was added above ${begins}`);
  }
  const from = content.findIndex((line) => !isComment(line));
  const below = from === -1 ? [] : content.slice(from);
  const type = headers.find(({ text }) => /^content-type[ \t]*:/i.test(text));
  const [, value = ""] = (type && splitHeader(typeOf(type))) ?? [];
  const place = type === undefined ? "text" : placeOf(value);
  const blank: SentLine = { content: [], place };
  return [
    ...headers.map((line) => ({ content: withNames(line), place: "header" }) as const),
    blank,
    ...(below.length === 0 ? [blank] : below.map(({ content }) => ({ content, place }))),
  ];
}

/** The parts of a header line. A quote or a line break in a quoted name is escaped, since it would end it. */
function withNames({ content, text }: Line): readonly Part[] {
  if (!/^(?:content-disposition[ \t]*:|[ \t])/i.test(text)) return content;
  let isQuoted = false;
  return content.map((part) => {
    if (typeof part !== "string") return isQuoted ? { ...part, within: "part-name" } : part;
    if ((part.match(/"/g)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted;
    return part;
  });
}

function boundaryOf(contentType: string): string | undefined {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
  return quoted ?? token;
}

/** The boundary of a body whose first line is a delimiter, and another line, too. */
function boundaryIn(lines: readonly Line[]): string | undefined {
  const [first = "", ...others] = lines
    .filter((line) => !isBlank(line))
    .map(({ text }) => text.trimEnd());
  const boundary = /^--(\S+)$/.exec(first)?.[1];
  return others.some((text) => text === first || text === `${first}--`) ? boundary : undefined;
}

function withBoundary(contentType: string, boundary: string | undefined): string {
  const isToken = /^[\w'+.-]+$/.test(boundary ?? "");
  return `${contentType.replace(/[;\s]+$/, "")}; boundary=${isToken ? boundary : `"${boundary}"`}`;
}

function unreadable(
  contentType: string,
  boundary: string | undefined,
): readonly [message: string, hint: string] {
  return boundary === undefined
    ? [
        `The Content-Type "${contentType}" has no boundary`,
        "Write multipart/form-data; boundary=name, and --name before each part",
      ]
    : [`The body has no line "--${boundary}"`, "Write one before each part"];
}

/**
 * Why values of a multipart body would change its parts: one ends a header, or has a line that begins with the boundary.
 *
 * @param place How the values are written.
 * @param text The rendered text.
 * @param ranges The range of each value in it.
 */
export function faultOfValue(
  contentType: string | undefined,
  place: Place | undefined,
  text: string,
  ranges: readonly RenderedRange[],
): Omit<Remark, "of"> | undefined {
  if (!isMultipart(contentType)) return undefined;
  for (const { start, end, placeholder } of place === "header" ? ranges : []) {
    const name = /[^:\r\n]*/.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1))?.[0];
    const fault = explainControl(`header "${name}" of a part`, text.slice(start, end));
    if (fault !== undefined) return { code: "header", span: placeholder.span, ...fault };
  }
  const delimiter = `--${boundaryOf(contentType)}`;
  const found = ranges.find(({ start, end }) => {
    const value = text.slice(start, end);
    const isFirst = start === 0 || text[start - 1] === "\n";
    return (isFirst && value.startsWith(delimiter)) || value.includes(`\n${delimiter}`);
  });
  if (found === undefined) return undefined;
  const { text: name, span } = found.placeholder;
  return {
    code: "body",
    message: `The value of {{${name}}} has a line that begins with the boundary "${delimiter}", which would begin another part`,
    hint: "Choose another boundary",
    span,
  };
}
