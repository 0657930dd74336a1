import {
  isReachableName,
  type PathPlaceholder,
  parseTemplate,
  type Span,
  shorten,
  TemplateSyntaxError,
} from "../interpolation/mod.ts";
import { annotationKey, findAnnotation } from "./annotations.ts";
import type { Annotation, AssignmentDraft, ImportDraft, LoopDraft, RunDraft } from "./draft.ts";
import { readFragment } from "./graphql.ts";
import { type Line, type Parser, trimLine } from "./line.ts";

/** `import other.http` of JetBrains' files. */
const IMPORT = /^[ \t]*import[ \t]+(?=[^"'\s{*]+\.(?:http|rest)[ \t]*$)/;

/** `run #name` and `run other.http` of JetBrains' files. */
const RUN = /^[ \t]*run[ \t]+(?:(#)[ \t]*(?=\S)|(?=[^"'\s]+\.(?:http|rest)\b))/;

/** Values after the target: `(@host=localhost, @id=1)`. */
const GIVEN = /[ \t]*\(([ \t]*@.*)\)$/;

/** Whether a line imports requests of another file. */
export function startsImport(line: string): boolean {
  return IMPORT.test(line);
}

/** Whether a line runs a request by its name, or the requests of a file. */
export function startsRun(line: string): boolean {
  return RUN.test(line);
}

/** Parses a line `import other.http`. */
export function readImport(line: Line): ImportDraft {
  return { path: line.text.replace(IMPORT, "").trim(), span: trimLine(line) };
}

/**
 * Parses an annotation `# @import other.http`. A path that names no request file is reported.
 *
 * @returns `undefined` for any other annotation.
 */
export function readImportAnnotation(
  parser: Parser,
  annotation: Annotation,
): ImportDraft | undefined {
  if (annotationKey(annotation) !== "import") return undefined;
  const { value, span } = annotation;
  const path = value.replace(/^(["'])(.*)\1$/, "$2");
  if (/\.(?:http|rest)$/i.test(path) && !path.includes("{{")) return { path, span };
  const what = path === "" ? '"# @import" names no file' : `Cannot import "${shorten(path)}"`;
  parser.report(span, what, "Write the path of a .http or .rest file, without placeholders");
  return undefined;
}

/** Parses a line `run #name (@id=1)` or `run other.http`. */
export function readRun(parser: Parser, line: Line): RunDraft {
  const span = trimLine(line);
  const text = parser.source.slice(span.start, span.end);
  const [mark = "", hash] = RUN.exec(text) ?? [];
  const [all = "", list = ""] = GIVEN.exec(text) ?? [];
  const target = text.slice(mark.length, text.length - all.length).trim();
  const start = span.end - 1 - list.length;
  const given = readGiven(parser, list, start);
  return { kind: "run", target, isFile: hash === undefined, isReference: false, given, span };
}

function readGiven(parser: Parser, list: string, start: number): readonly AssignmentDraft[] {
  let at = start;
  return list.split(/,(?=[ \t]*@)/).flatMap((one) => {
    const begin = at + one.length - one.trimStart().length;
    const end = at + one.trimEnd().length;
    at += one.length + 1;
    if (begin >= end) return [];
    return readAssignment(parser, { start: begin, end }) ?? [];
  });
}

/**
 * Parses a variable line `@name = value` or `@name := value`, or a fragment of GraphQL; a line without an equals sign is
 * reported.
 */
export function readAssignment(parser: Parser, span: Span): AssignmentDraft | undefined {
  const { source, firstLine } = parser;
  const text = source.slice(span.start, span.end);
  const fragment = readFragment(text);
  if (fragment !== undefined) {
    const start = fragment.file === undefined ? span.start : span.end - fragment.file.length;
    const valueSpan = { start, end: span.end };
    const value = parser.template(valueSpan);
    return { kind: "assignment", name: fragment.name, value, valueSpan, span, source, firstLine };
  }
  const equals = text.indexOf("=");
  const hint = "Write @name = value";
  if (equals === -1) {
    parser.report(span, `The variable line "${shorten(text)}" has no equals sign`, hint);
    return undefined;
  }
  const isLazy = text[equals - 1] === ":";
  const whole = text.slice(1, isLazy ? equals - 1 : equals).trim();
  const [name = "", ...steps] = whole.split(".");
  if (!isReachableName(name) || !steps.every(isReachableStep)) {
    const message = `The variable name "${shorten(whole)}" cannot be used in a placeholder`;
    const rule = "Names consist of letters, digits, _ and -, and begin with a letter or _";
    parser.report({ start: span.start, end: span.start + equals }, message, rule);
  }
  const valueSpan = {
    start: span.end - text.slice(equals + 1).trimStart().length,
    end: span.end,
  };
  const value = parser.template(valueSpan);
  const below = steps.length === 0 ? {} : { steps };
  const lazy = isLazy ? { isLazy } : {};
  return { kind: "assignment", name, ...below, value, valueSpan, ...lazy, span, source, firstLine };
}

/** Whether a placeholder can name a property after a dot. */
function isReachableStep(step: string): boolean {
  return isReachableName(`_${step}`) && step !== "" && step !== "__proto__";
}

/** A request is sent at most so often by one loop. */
const MAX_PASSES = 10_000;

const COUNT = /^for\s*(\d+)$/;
const LIST = /^for\s+([\p{L}_][\p{L}\d_-]*)\s+of\s+(\S.*)$/u;

const IN_TYPESCRIPT = "send the requests in a TypeScript cell";

/** Parses the line `# @loop` among the annotations of a request; any other loop is reported. */
export function readLoop(
  parser: Parser,
  annotations: readonly Annotation[],
): LoopDraft | undefined {
  const found = findAnnotation(annotations, "loop");
  if (found === undefined) return undefined;
  const { value, span } = found;
  const [, count] = COUNT.exec(value) ?? [];
  if (count !== undefined) {
    if (Number(count) <= MAX_PASSES) return { kind: "count", count: Number(count) };
    const message = `The loop "${shorten(value)}" has more than ${MAX_PASSES} passes`;
    parser.report(span, message, `Write a smaller number, or ${IN_TYPESCRIPT}`);
    return undefined;
  }
  const [, name, text = ""] = LIST.exec(value) ?? [];
  const list = name === undefined ? undefined : readPath(text, span);
  if (name !== undefined && list !== undefined) return { kind: "list", name, list };
  const message = `The loop "${shorten(value)}" is not supported`;
  const condition = /^while\s+(\S.*)$/.exec(value)?.[1];
  const code =
    condition === undefined
      ? ""
      : `: while (${shorten(condition)}) await client.send("# @forceRef NAME"). "# @retry 10 every 2s" sends a request until its assertions hold`;
  const hint = `Write "for 3" or "for item of list" with the name of a variable, or ${IN_TYPESCRIPT}${code}`;
  parser.report(span, message, hint);
  return undefined;
}

/** A path such as `users` or `login.items[0].ids`. */
function readPath(text: string, span: Span): PathPlaceholder | undefined {
  try {
    const [part, ...more] = parseTemplate(`{{${text}}}`).parts;
    if (typeof part !== "object" || part.kind !== "path" || more.length > 0) return undefined;
    const isPlain = part.encoding === undefined && part.query === undefined;
    return isPlain ? { ...part, span } : undefined;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return undefined;
    throw error;
  }
}
