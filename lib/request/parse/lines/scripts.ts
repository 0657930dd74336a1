import type { Span } from "../../../interpolation/mod.ts";
import { type Line, lineAt } from "./line.ts";

/**
 * The first line of a script: `> {% … %}` and `< {% … %}` of JetBrains' files, `--{% … --%}` of older files of
 * rest.nvim, `{{ … }}` of httpYac's.
 */
const SCRIPT =
  /^[ \t]*(?:(?:[<>][ \t]*|--)\{%|\{\{[+@#]{0,2}(?:request|streaming|response|after|responseLogging)?[ \t]*$)/;

/** What else may follow a request: `> file.js`, `?? status == 200`. */
const HANDLER = /^[ \t]*(?:>[ \t]+\S.*\.(?:[cm]?[jt]s|lua)[ \t]*$|\?\?[ \t]*\S)/;

/** Whether a line begins a script. */
export function startsScript(line: string): boolean {
  return SCRIPT.test(line);
}

/** Whether a line begins a script that is to be run before a request. */
export function startsRequestScript(line: string): boolean {
  return /^[ \t]*<[ \t]*\{%/.test(line);
}

/** Whether a line begins a response handler. */
export function startsHandler(line: string): boolean {
  return HANDLER.test(line) || (SCRIPT.test(line) && !startsRequestScript(line));
}

/** Whether a line begins a script before a request. */
export function startsPreRequestScript(line: string): boolean {
  return SCRIPT.test(line) || HANDLER.test(line) || SCRIPT_FILE.test(line);
}

const SCRIPT_FILE = /^[ \t]*<[ \t]+\S.*\.(?:[cm]?[jt]s|lua)[ \t]*$/;

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
