import type { Fault } from "../../interpolation/mod.ts";
import { graphemes, graphemeWidth, textWidth, toVisibleLine } from "../text/mod.ts";

const TAB = "    ";

/**
 * Draws a fault: its line with the number, carets under its span, the message, and the hint.
 *
 * @param source The whole source text.
 * @param fault The fault.
 * @param width The width in columns; of a longer line, the part around the span is shown.
 * @param cut Shortens a message or a hint.
 */
export function drawFault(
  source: string,
  fault: Fault,
  width: number,
  cut: (text: string) => string = (text) => text,
): string[] {
  const start = clamp(fault.span.start, source.length);
  const from = source.lastIndexOf("\n", start - 1) + 1;
  const newline = source.indexOf("\n", from);
  const line = source.slice(from, newline === -1 ? source.length : newline).replace(/\r$/, "");
  const number = String(fault.line);
  const gutter = " ".repeat(number.length);
  const view = windowOf(
    line,
    start - from,
    clamp(fault.span.end, source.length) - from,
    width - number.length - 4,
  );
  return [
    `${number} │ ${view.text}`.trimEnd(),
    `${gutter} │ ${" ".repeat(view.column)}${"^".repeat(view.carets)}`,
    ...cut(fault.message)
      .split("\n")
      .map((text) => `${gutter} │ ${toVisibleLine(text)}`),
    ...cut(fault.hint ?? "")
      .split("\n")
      .filter(Boolean)
      .map((text) => `${gutter} = ${toVisibleLine(text)}`),
  ];
}

interface Window {
  readonly text: string;
  readonly column: number;
  readonly carets: number;
}

/** The part of a line around a span, in columns of a terminal. */
function windowOf(line: string, start: number, end: number, width: number): Window {
  // Only what can be visible is measured: a line may have megabytes.
  const room = Math.max(20, width);
  const begin = boundary(line, Math.max(0, start - room));
  const lead = show(line.slice(begin, Math.min(start, line.length)));
  const span = show(line.slice(start, Math.min(Math.max(end, start), line.length, start + room)));
  const rest = show(line.slice(Math.max(end, start), Math.max(end, start) + room));
  const before = lastColumns(
    lead,
    span === "" ? room - 12 : Math.max(8, Math.floor(room / 2)),
    begin > 0,
  );
  const column = textWidth(before);
  const marked = firstColumns(span, room - column - 1, end - start > room);
  const carets = Math.max(1, textWidth(marked));
  const cut = marked !== span || end - start > room;
  const after = cut ? "" : firstColumns(rest, room - column - carets, end + room < line.length);
  return { text: before + marked + after, column, carets };
}

function show(text: string): string {
  return toVisibleLine(text.replaceAll("\t", TAB));
}

function firstColumns(text: string, columns: number, more: boolean): string {
  if (textWidth(text) <= columns && !more) return text;
  let width = 0;
  let end = 0;
  for (const { segment, index } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end)}…`;
}

function lastColumns(text: string, columns: number, more: boolean): string {
  let left = textWidth(text);
  if (left <= columns && !more) return text;
  let from = 0;
  for (const { segment, index } of graphemes(text)) {
    if (left <= columns - 1) break;
    left -= graphemeWidth(segment);
    from = index + segment.length;
  }
  return `…${text.slice(from)}`;
}

function boundary(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(0, offset), length);
}
