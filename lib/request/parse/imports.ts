import { shorten } from "../../interpolation/mod.ts";
import {
  type Annotation,
  type AssignmentDraft,
  annotationKey,
  type ImportDraft,
  type RunDraft,
} from "../draft/mod.ts";
import { readAssignment } from "./assignment.ts";
import { type Line, type Parser, trimLine } from "./lines/mod.ts";

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
