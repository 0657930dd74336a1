import type { Span } from "../../interpolation/mod.ts";
import { classifyLine, type Line, lineAt } from "./line.ts";

/**
 * Lines behind a request that say what to do with the answer: `> {% … %}` and `> file.js` of
 * JetBrains' files, `?? status == 200` and `{{ … }}` of httpYac's.
 */
const HANDLER =
  /^[ \t]*(?:>[ \t]*\{%|>[ \t]+\S.*\.[cm]?[jt]s[ \t]*$|\?\?[ \t]*\S|\{\{[+@]?(?:request|streaming|response|after|responseLogging)?[ \t]*$)/;

/** What begins a script before a request, which could change what is sent. */
const PREPARATION =
  /^[ \t]*(?:<[ \t]*\{%|<[ \t]+\S.*\.[cm]?[jt]s[ \t]*$|\{\{[+@]?(?:request|streaming|response|after|responseLogging)?[ \t]*$)/;

/** Whether a line begins what is to be done with the answer. */
export function startsHandler(line: string): boolean {
  return HANDLER.test(line);
}

/** Whether a line begins a script before a request. */
export function startsPreparation(line: string): boolean {
  return PREPARATION.test(line) || HANDLER.test(line);
}

/** `import other.http` and `run #name` of JetBrains' files. */
const IMPORT =
  /^[ \t]*(?:import[ \t]+[^"'\s{*]+\.(?:http|rest)[ \t]*$|run[ \t]+(?:#[ \t]*\S|[^"'\s]+\.(?:http|rest)\b))/;

/** Whether a line takes requests of another file in. */
export function startsImport(line: string): boolean {
  return IMPORT.test(line);
}

/** Whether a line is of a request file beyond doubt, though no request: `< {%`, `import a.http`. */
export function belongsToRequests(line: string): boolean {
  return IMPORT.test(line) || /^[ \t]*[<>][ \t]*\{%/.test(line);
}

/** Where a script ends that begins on this line, and where the next line begins. */
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
 * Finds what stands behind a body and is to be done with the answer; nothing where something else
 * follows, which then belongs to the body.
 *
 * @param start Where the body may begin.
 * @param end Where the next separator stands.
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
    const isAside =
      kind === "blank" || kind === "comment" || /^[ \t]*(?:>>!?|<>)[ \t]/.test(line.text);
    if (!isAside) found = [];
    if (line.next <= line.start) break;
    line = lineAt(source, line.next);
  }
  return found;
}

/**
 * A text with blanks in the place of some of its parts, so that all places stay what they are.
 *
 * @param spans In the order of the text.
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

/** The lines of a JSON text that are comments: no JSON has such, and the peers leave them out. */
export function commentsInJson(source: string, start: number, end: number): readonly Span[] {
  const found: Span[] = [];
  for (let line = lineAt(source, start); line.start < end; line = lineAt(source, line.next)) {
    if (/^[ \t]*(?:#|\/\/)/.test(line.text)) {
      found.push({ start: line.start, end: Math.min(line.end, end) });
    }
    if (line.next <= line.start || line.next >= source.length) break;
  }
  return found;
}
