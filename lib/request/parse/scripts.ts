import type { Span } from "../../interpolation/mod.ts";
import { startsImport, startsRun } from "./imports.ts";
import { classifyLine, type Line, lineAt } from "./line.ts";

/**
 * The first line of a response handler or assertion after a request: `> {% … %}` and `> file.js` of JetBrains'
 * files, `?? status == 200` and `{{ … }}` of httpYac's.
 */
const HANDLER =
  /^[ \t]*(?:>[ \t]*\{%|>[ \t]+\S.*\.[cm]?[jt]s[ \t]*$|\?\?[ \t]*\S|\{\{[+@]?(?:request|streaming|response|after|responseLogging)?[ \t]*$)/;

/** The first line of a script before a request. */
const PRE_REQUEST_SCRIPT =
  /^[ \t]*(?:<[ \t]*\{%|<[ \t]+\S.*\.[cm]?[jt]s[ \t]*$|\{\{[+@]?(?:request|streaming|response|after|responseLogging)?[ \t]*$)/;

/** Whether a line begins a response handler. */
export function startsHandler(line: string): boolean {
  return HANDLER.test(line);
}

/** Whether a line begins a script before a request. */
export function startsPreRequestScript(line: string): boolean {
  return PRE_REQUEST_SCRIPT.test(line) || HANDLER.test(line);
}

/** Whether a line is unambiguously from a request file: `< {%`, `import a.http`. */
export function isRequestFileLine(line: string): boolean {
  return startsImport(line) || startsRun(line) || /^[ \t]*[<>][ \t]*\{%/.test(line);
}

/** The span of a script that begins on this line, and the start of the line after it. */
export function scriptAt(
  source: string,
  first: Line,
  end: number = source.length,
): Span & { next: number } {
  const close = first.text.includes("{%")
    ? /%\}/
    : /^[ \t]*\{\{/.test(first.text)
      ? /^[ \t]*\}\}[ \t]*$/
      : undefined;
  let line = first;
  if (close !== undefined) {
    while (!close.test(line.text) && line.next < end) line = lineAt(source, line.next);
  }
  const start = first.start + first.text.length - first.text.trimStart().length;
  return { start, end: Math.min(end, line.start + line.text.trimEnd().length), next: line.next };
}

/**
 * Finds the response handlers after a body. Handlers with other text after them belong to the body.
 *
 * @param start The start of the body.
 * @param end The start of the next separator.
 */
export function findHandlers(source: string, start: number, end: number): readonly Span[] {
  if (!/[>?]|\{\{/.test(source.slice(start, end))) return [];
  let found: Span[] = [];
  let line = lineAt(source, start);
  while (line.start < end) {
    if (startsHandler(line.text)) {
      const { next, ...span } = scriptAt(source, line, end);
      found.push(span);
      if (next <= line.start) break;
      line = lineAt(source, next);
      continue;
    }
    const kind = classifyLine(line.text);
    const isIgnored =
      kind === "blank" || kind === "comment" || /^[ \t]*(?:>>!?|<>)[ \t]/.test(line.text);
    if (!isIgnored) found = [];
    if (line.next <= line.start) break;
    line = lineAt(source, line.next);
  }
  return found;
}

/**
 * Replaces spans by spaces, so that offsets do not change.
 *
 * @param spans In the order of the text.
 * @param offset Where the text begins in the source of the spans.
 */
export function blankOut(text: string, spans: readonly Span[], offset = 0): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    const [from, to] = [start - offset, end - offset];
    pieces.push(text.slice(at, from), text.slice(from, to).replace(/[^\r\n]/g, " "));
    at = to;
  }
  return pieces.join("") + text.slice(at);
}
