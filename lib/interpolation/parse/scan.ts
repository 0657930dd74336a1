import type { Fault, Span } from "../faults/mod.ts";
import { createFaultReporter, type FaultReporter } from "../faults/mod.ts";
import { mayBeginContent } from "./names.ts";
import { readPlaceholder } from "./placeholder.ts";
import type { Part } from "./template.ts";

/**
 * Walks over a text with placeholders and hands out its parts in order. Nothing is kept, so that a
 * text that is rendered once needs no list of 100,000 parts.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to walk over; all of it when left out.
 * @param faults Receives what is broken; the walk ends when the list is full.
 * @param take Receives each part; a broken placeholder is part of the literal text around it.
 */
export function scanTemplate(
  source: string,
  span: Span | undefined,
  faults: Fault[],
  take: (part: Part) => void,
): void {
  const base = span?.start ?? 0;
  const text = span === undefined ? source : source.slice(base, span.end);
  let report: FaultReporter | undefined;
  let copied = 0;
  let escaped = false;
  let open = nextBraces(text, 0);
  while (open !== -1) {
    if (open > copied && text.charCodeAt(open - 1) === 0x5c) {
      escaped = true;
      open = nextBraces(text, open + 2);
      continue;
    }
    let start = open + 2;
    let code = text.charCodeAt(start);
    while (code === 0x20 || code === 0x09) {
      start = start === open + LONG_RUN ? skipBlocks(text, start, BLANKS) + 1 : start + 1;
      code = text.charCodeAt(start);
    }
    if (!mayBeginContent(code)) {
      // Of a run of braces the last two count: "{{{a}}}" is a brace, a value and a brace.
      if (code !== 0x7b) open = nextBraces(text, start);
      else if (start === open + 2) open = lastBraces(text, open);
      else open = text.charCodeAt(start + 1) === 0x7b ? start : nextBraces(text, start + 1);
      continue;
    }
    const read = readPlaceholder(text, open, start, base);
    if (read === undefined) {
      open = nextBraces(text, start);
    } else if (read.kind === "broken") {
      report ??= createFaultReporter(source, faults);
      const at = base + read.at;
      const place = { start: at, end: Math.min(at + 1, base + text.length) };
      if (!report(place, `Cannot parse "${excerpt(text, open)}": ${read.reason}`, read.hint)) break;
      open = nextBraces(text, read.at);
    } else {
      if (open > copied) take(literal(text.slice(copied, open), escaped));
      take(read);
      escaped = false;
      copied = read.span.end - base;
      open = nextBraces(text, copied);
    }
  }
  if (copied < text.length) take(literal(text.slice(copied), escaped));
}

/** Once a part, however many escapes it has: `replace` takes three times as long for many. */
function literal(text: string, escaped: boolean): string {
  return escaped ? text.split("\\{{").join("{{") : text;
}

/** `indexOf` is fast over long stretches, but a call costs more than a look at a few characters. */
const LOOK_AHEAD = 24;

/** Runs longer than this are skipped by blocks: comparing a block costs as much as a few looks. */
const LONG_RUN = 64;
const BRACES = "{".repeat(512);
const BLANKS = " ".repeat(512);

/** Where the last two braces of the run stand that begins at `open`. */
function lastBraces(text: string, open: number): number {
  let end = open + 3;
  while (text.charCodeAt(end) === 0x7b) {
    end = end === open + LONG_RUN ? skipBlocks(text, end, BRACES) + 1 : end + 1;
  }
  return end - 2;
}

/** The last index of which it is known that the run reaches it; `from` stands inside the run. */
function skipBlocks(text: string, from: number, block: string): number {
  let end = from;
  while (text.slice(end, end + block.length) === block) end += block.length;
  return end === from ? from : end - 1;
}

function nextBraces(text: string, from: number): number {
  const near = from + LOOK_AHEAD;
  for (let index = from; index < near; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x7b && text.charCodeAt(index + 1) === 0x7b) return index;
  }
  return text.indexOf("{{", near);
}

const EXCERPT_LENGTH = 40;

/** The placeholder up to its closing braces or the end of its line, cut where that is far away. */
function excerpt(text: string, open: number): string {
  const near = text.slice(open, open + EXCERPT_LENGTH + 1);
  const written = /^.*?\}\}|^.*/u.exec(near)?.[0] ?? near;
  return written.length > EXCERPT_LENGTH ? `${written.slice(0, EXCERPT_LENGTH)}…` : written;
}
