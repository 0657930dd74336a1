import { TemplateSyntaxError } from "./errors.ts";
import type { Fault, Span } from "./fault.ts";
import { createFaultReporter, type FaultReporter } from "./fault-reporter.ts";
import { mayBeginContent } from "./names.ts";
import { readPlaceholder, skipBlanks } from "./placeholder.ts";
import type { Part, Template } from "./template.ts";

/**
 * Parses a text with placeholders.
 *
 * Double braces whose content cannot begin a name stay text, a backslash before them makes them
 * text, and content that begins like a path has to be one.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to parse; all of it when left out.
 * @returns The template.
 * @throws {TemplateSyntaxError} With every broken placeholder of the text.
 */
export function parseTemplate(source: string, span?: Span): Template {
  const faults: Fault[] = [];
  const template = collectTemplate(source, span, faults);
  if (faults.length > 0) throw new TemplateSyntaxError(source, faults);
  return template;
}

/**
 * As {@link parseTemplate}, for callers that gather the faults of several templates of one source
 * and throw once. A list that holds {@link FAULT_LIMIT} faults gets one more entry that says so.
 *
 * @param source The text that positions refer to.
 * @param span The stretch of it to parse; all of it when left out.
 * @param faults Receives what is broken.
 * @returns The template; broken placeholders stand in it as text.
 */
export function collectTemplate(source: string, span: Span | undefined, faults: Fault[]): Template {
  const base = span?.start ?? 0;
  const text = span === undefined ? source : source.slice(base, span.end);
  const parts: Part[] = [];
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
    const start = skipBlanks(text, open + 2);
    if (!mayBeginContent(text.charCodeAt(start))) {
      open = start === open + 2 ? nextBraces(text, open + 1) : nextBraces(text, start);
      continue;
    }
    const read = readPlaceholder(text, open, start, base);
    if (read === undefined) {
      open = nextBraces(text, start);
    } else if (read.kind === "broken") {
      report ??= createFaultReporter(source, faults);
      const at = base + read.at;
      const span = { start: at, end: at + 1 };
      if (!report(span, `Cannot parse "${excerpt(text, open)}": ${read.reason}`, read.hint)) break;
      open = nextBraces(text, read.at);
    } else {
      if (open > copied) parts.push(literal(text.slice(copied, open), escaped));
      parts.push(read);
      escaped = false;
      copied = read.span.end - base;
      open = nextBraces(text, copied);
    }
  }
  if (copied < text.length) parts.push(literal(text.slice(copied), escaped));
  return { source, parts };
}

/** Once a part, however many escapes it has: `replace` takes three times as long for many. */
function literal(text: string, escaped: boolean): string {
  return escaped ? text.split("\\{{").join("{{") : text;
}

/** `indexOf` is fast over long stretches, but a call costs more than a look at a few characters. */
const LOOK_AHEAD = 24;

function nextBraces(text: string, from: number): number {
  const near = Math.min(from + LOOK_AHEAD, text.length);
  for (let index = from; index < near; index++) {
    if (text.charCodeAt(index) === 0x7b && text.charCodeAt(index + 1) === 0x7b) return index;
  }
  return near === text.length ? -1 : text.indexOf("{{", near);
}

const EXCERPT_LENGTH = 40;

/** The placeholder up to its closing braces or the end of its line, cut where that is far away. */
function excerpt(text: string, open: number): string {
  const near = text.slice(open, open + EXCERPT_LENGTH + 1);
  const written = /^.*?\}\}|^.*/u.exec(near)?.[0] ?? near;
  return written.length > EXCERPT_LENGTH ? `${written.slice(0, EXCERPT_LENGTH)}…` : written;
}
