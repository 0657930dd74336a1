import { type Span, shorten } from "../../../interpolation/mod.ts";
import type { ScriptDraft } from "../../draft/mod.ts";
import { type Line, lineAt, trimLine } from "./line.ts";
import type { Parser } from "./parser.ts";

/**
 * The first line of a script: `> {% … %}` and `< {% … %}` of JetBrains' files, `--{% … --%}` of older files of
 * rest.nvim, `{{ … }}` of httpYac's.
 */
const SCRIPT =
  /^[ \t]*(?:(?:[<>][ \t]*|--)\{%|\{\{[+@#]{0,2}(?:request|streaming|response|after|responseLogging)?[ \t]*$)/;

/** The first line of a script of httpYac that is run; the events `streaming` and `responseLogging` never come. */
const BLOCK = /^\{\{(?<each>\+?)@?(?<event>request|response|after)?[ \t]*$/;

/** `> file.js` and `< file.js`. */
const SCRIPT_FILE = /^[ \t]*([<>])[ \t]+(\S.*\.(?:[cm]?[jt]s|lua))[ \t]*$/;

/** An assertion of httpYac, or the line with the status in files of Hurl, which is reported. */
const ASSERTION = /^[ \t]*(?:\?\?[ \t]*\S|HTTP[ \t]+(?:\d{3}|\*)[ \t]*$)/;

/** Whether a line begins a script. */
export function startsScript(line: string): boolean {
  return SCRIPT.test(line);
}

/** Whether a line is an assertion, or would be one if its first word were a field. */
export function startsAssertion(line: string): boolean {
  return ASSERTION.test(line);
}

/** Whether a line begins a script that is to be run before a request. */
export function startsRequestScript(line: string): boolean {
  return /^[ \t]*<[ \t]*\{%/.test(line);
}

/** Whether a line begins a script of httpYac that is run. */
export function startsScriptBlock(line: string): boolean {
  return BLOCK.test(line.trimStart());
}

/** Whether a line begins a response handler. */
export function startsHandler(line: string): boolean {
  if (SCRIPT.test(line)) return !startsRequestScript(line);
  return SCRIPT_FILE.exec(line)?.[1] === ">" || startsAssertion(line);
}

/** Whether a line begins a script or an assertion, where a request is expected. */
export function startsPreRequestScript(line: string): boolean {
  return SCRIPT.test(line) || SCRIPT_FILE.test(line) || startsAssertion(line);
}

/**
 * Why a script of another client is not run, by its first line.
 *
 * @returns `undefined` for a script that is run.
 */
export function unsupportedScript(
  line: string,
): { readonly message: string; readonly hint: string } | undefined {
  const first = line.trim();
  if (startsScriptBlock(first)) return undefined;
  const refuse = (what: string, hint: string): { message: string; hint: string } => ({
    message: `Not run: "${shorten(first)}": ${what} not supported`,
    hint,
  });
  const event = /^\{\{[+@#]*(\w*)$/.exec(first)?.[1];
  if (event !== undefined) {
    return refuse(`the event "${event}" is`, 'Write "{{@response", or code in a TypeScript cell');
  }
  if (/^--\{%|\.lua$/.test(first)) {
    return refuse("scripts in Lua are", "Write it in JavaScript, or in a TypeScript cell");
  }
  if (/\.[cm]?ts$/.test(first)) {
    return refuse(
      "script files in TypeScript are",
      "Write it in JavaScript, in a file that ends in .js",
    );
  }
  return undefined;
}

/** The span of a script that begins on this line, and the start of the line after it. */
export function scriptAt(
  source: string,
  first: Line,
  end: number = source.length,
): Span & { next: number } {
  const close = closingOf(first.text);
  let line = first;
  while (!close.test(line.text) && line.next < end) line = lineAt(source, line.next);
  return {
    start: trimLine(first).start,
    end: Math.min(end, trimLine(line).end),
    next: line.next,
  };
}

/** What the last line of a script matches; the path of a file is a single line. */
function closingOf(first: string): RegExp {
  if (first.includes("{%")) return /%\}/;
  return /^[ \t]*\{\{/.test(first) ? /^[ \t]*\}\}[ \t]*$/ : /^/;
}

/**
 * Reads a script of JetBrains' or httpYac's files, and reports one that is not closed or whose path is not fixed.
 *
 * @param span From its first to its last line.
 * @param place Where it is written; a script of httpYac without an event runs there.
 * @returns `undefined` for one at fault, and for a script of another client.
 */
export function readScript(
  parser: Parser,
  span: Span,
  place: "before" | "after",
): ScriptDraft | undefined {
  const { source, firstLine } = parser;
  const text = source.slice(span.start, span.end);
  const [block = ""] = text.split(/[\r\n]/, 1);
  if (startsScriptBlock(block)) return readBlock(parser, span, block, place);
  const when = text.startsWith("<") ? "before" : "after";
  const dialect = "jetbrains";
  const [open] = /^[<>][ \t]*\{%/.exec(text) ?? [];
  if (open !== undefined) {
    const close = text.lastIndexOf("%}");
    if (close === -1) {
      const first = trimLine(lineAt(source, span.start));
      parser.report(first, "The script is not closed", 'End it with "%}"');
      return undefined;
    }
    const code = { start: span.start + open.length, end: span.start + close };
    return { dialect, when, from: { kind: "code", code }, span, source, firstLine };
  }
  const path = SCRIPT_FILE.exec(text)?.[2];
  if (path === undefined || !/\.[cm]?js$/.test(path)) return undefined;
  if (path.includes("{{")) {
    const message = `The path of the script contains a placeholder: "${path}"`;
    parser.report(span, message, "Write the path: no value decides which code is run");
    return undefined;
  }
  return { dialect, when, from: { kind: "file", path }, span, source, firstLine };
}

/** Reads a script of httpYac, which begins with the line given. */
function readBlock(
  parser: Parser,
  span: Span,
  first: string,
  place: "before" | "after",
): ScriptDraft | undefined {
  const { source, firstLine } = parser;
  const end = /\}\}[ \t]*$/.exec(source.slice(span.start, span.end));
  if (end === null) {
    const line = trimLine(lineAt(source, span.start));
    parser.report(line, "The script is not closed", 'End it with the line "}}"');
    return undefined;
  }
  const { each = "", event } = BLOCK.exec(first)?.groups ?? {};
  const when = event === "request" ? event : event === undefined ? place : "after";
  const code = { start: span.start + first.length, end: span.start + end.index };
  return {
    dialect: "httpyac",
    when: event === undefined && each !== "" ? "before" : when,
    ...(each === "" ? {} : { isForEach: true }),
    from: { kind: "code", code },
    span,
    source,
    firstLine,
  };
}
