import type { Span } from "../faults/mod.ts";
import {
  type BrokenPlaceholder,
  broken,
  expected,
  notClosed,
  notProperty,
} from "./broken-placeholder.ts";
import { readQuery } from "./json-path-query.ts";
import { nameEnd, propertyEnd } from "./names.ts";
import { EACH, EXPRESSION, FROM_THE_END, JSON_PATH } from "./path-hints.ts";
import type { PathPlaceholder, Placeholder } from "./template.ts";

/** Where a placeholder begins. */
interface Opening {
  /** The text to read from. */
  readonly text: string;
  /** The index of the first opening brace. */
  readonly open: number;
  /** What is added to an index of `text` to get the offset in the source. */
  readonly base: number;
}

/**
 * Reads the placeholder that two opening braces begin.
 *
 *     placeholder = "{{" blanks ( [ "%" ] path | generated ) blanks "}}"
 *     path        = name { blanks step }
 *     step        = "." blanks property | "[" blanks ( index | quoted ) blanks "]"
 *                 | "." blanks ( "$" | "*" )      VS Code's REST Client writes them for the root and, at
 *                                                 the end, for the whole body: they select nothing
 *                 | "." blanks jsonpath           when what follows the "$" is not such a step
 *     generated   = "$" name argument         argument = any text of the line without "}}"
 *     name        = ( letter | "_" ) property
 *     property    = ( letter | mark | digit | "_" | "-" ) ...
 *     blanks      = { space | tab }           a placeholder does not span lines
 *
 * @param opening Where the placeholder begins.
 * @param start The index of its first character that is not a brace or a blank.
 * @returns The placeholder, what is broken about it, or `undefined` when the braces are plain text.
 */
export function readPlaceholder(
  opening: Opening,
  start: number,
): Placeholder | BrokenPlaceholder | undefined {
  const { text } = opening;
  if (text[start] === "$") return readGenerated(opening, start);
  const isEncoded = text[start] === "%";
  const from = isEncoded ? start + 1 : start;
  if (nameEnd(text, from) === from) return readExpression(text, from);
  const read = readPath(opening, from);
  if (!isEncoded || read.kind !== "path") return read;
  return { ...read, text: `%${read.text}`, encoded: true };
}

/** `{{= time.nowISO() }}` of resterm; other text in braces belongs to other templates. */
function readExpression(text: string, start: number): BrokenPlaceholder | undefined {
  const name = text[start] === "=" ? skipBlanks(text, start + 1) : start;
  if (name === start || nameEnd(text, name) === name) return undefined;
  return expected(text, start, "a name", EXPRESSION);
}

/** The first index from `index` on that is not a space or a tab. */
export function skipBlanks(text: string, index: number): number {
  let end = index;
  while (text[end] === " " || text[end] === "\t") end += 1;
  return end;
}

/** A path as far as it has been read. */
interface PathRead {
  readonly steps: (string | number)[];
  /** Where the last step ends. */
  end: number;
  /** The first `$` among the steps, with the number of steps before it. */
  root: { readonly at: number; readonly depth: number } | undefined;
}

function readPath(opening: Opening, start: number): PathPlaceholder | BrokenPlaceholder {
  const { text } = opening;
  const afterName = nameEnd(text, start);
  const name = text.slice(start, afterName);
  const path: PathRead = { steps: [], end: afterName, root: undefined };
  for (;;) {
    const at = skipBlanks(text, path.end);
    if (text.startsWith("}}", at)) {
      const written = text.slice(start, path.end);
      return { kind: "path", name, steps: path.steps, text: written, span: spanOf(opening, at) };
    }
    const fault = readStep(text, at, path);
    if (fault === undefined) continue;
    if (path.root === undefined) return fault;
    // What is not a step after a `$` may be a JSONPath.
    const query = readQuery(text, path.root.at);
    if ("kind" in query) return query;
    return {
      kind: "path",
      name,
      steps: path.steps.slice(0, path.root.depth),
      query: text.slice(path.root.at, query.end).trimEnd(),
      text: text.slice(start, query.end).trimEnd(),
      span: spanOf(opening, query.end),
    };
  }
}

function spanOf({ open, base }: Opening, close: number): Span {
  return { start: base + open, end: base + close + 2 };
}

function readStep(text: string, at: number, path: PathRead): BrokenPlaceholder | undefined {
  if (text[at] === ".") return readProperty(text, at + 1, path);
  return text[at] === "[" ? readBracket(text, at + 1, path) : notClosed(text, at);
}

function readProperty(text: string, after: number, path: PathRead): BrokenPlaceholder | undefined {
  const from = skipBlanks(text, after);
  if (text[from] === "$" || text[from] === "*") return readMark(text, from, path);
  const end = propertyEnd(text, from);
  if (end === from) return notProperty(text, from);
  path.steps.push(text.slice(from, end));
  path.end = end;
  return undefined;
}

function readMark(text: string, at: number, path: PathRead): BrokenPlaceholder | undefined {
  path.end = at + 1;
  if (text[at] === "$") {
    path.root ??= { at, depth: path.steps.length };
    return undefined;
  }
  // In the middle of a path it would select several values.
  const isLast = path.root === undefined && text.startsWith("}}", skipBlanks(text, at + 1));
  if (isLast) return undefined;
  return broken(at, '"*" means the whole body and is allowed only at the end', JSON_PATH);
}

function readBracket(text: string, after: number, path: PathRead): BrokenPlaceholder | undefined {
  const from = skipBlanks(text, after);
  const isQuoted = text[from] === '"' || text[from] === "'";
  const read = isQuoted ? readQuoted(text, from) : readIndex(text, from);
  if ("kind" in read) return read;
  const close = skipBlanks(text, read.end);
  if (text[close] !== "]") {
    return expected(text, close, '"]"', /[:,]/.test(text[close] ?? "") ? JSON_PATH : undefined);
  }
  path.steps.push(read.step);
  path.end = close + 1;
  return undefined;
}

const DIGITS = /\d+/y;

/** What may stand in brackets elsewhere, and what to write for it. */
const INDEX_HINTS: readonly (readonly [start: RegExp, hint: string])[] = [
  [/\*/, EACH],
  [/[?:@]/, JSON_PATH],
  [/-/, FROM_THE_END],
  [/[\p{L}_$(]/u, EXPRESSION],
];

function readIndex(
  text: string,
  from: number,
): { readonly step: number; readonly end: number } | BrokenPlaceholder {
  DIGITS.lastIndex = from;
  const [digits] = DIGITS.exec(text) ?? [];
  if (digits === undefined) {
    const hint = INDEX_HINTS.find(([start]) => start.test(text[from] ?? ""))?.[1];
    return expected(text, from, 'a whole number from 0 or a quoted key after "["', hint);
  }
  const step = Number(digits);
  if (step > Number.MAX_SAFE_INTEGER) return broken(from, "the index is too large");
  return { step, end: from + digits.length };
}

function readQuoted(
  text: string,
  from: number,
): { readonly step: string; readonly end: number } | BrokenPlaceholder {
  let step = "";
  for (let index = from + 1; index < text.length; index++) {
    const character = text[index] as string;
    if (character === text[from]) return { step, end: index + 1 };
    if (character === "\n" || character === "\r") break;
    if (character !== "\\") {
      step += character;
      continue;
    }
    const escaped = text[index + 1] ?? "";
    if (!["'", '"', "\\"].includes(escaped)) {
      return broken(index, "a backslash in a quoted key may only precede a quote or a backslash");
    }
    step += escaped;
    index += 1;
  }
  return broken(from, "the quoted key is not closed on its line");
}

function readGenerated(
  opening: Opening,
  dollar: number,
): Placeholder | BrokenPlaceholder | undefined {
  const { text } = opening;
  const end = nameEnd(text, dollar + 1);
  if (/[.[]/.test(text[end] ?? "") && end === dollar + 1) {
    return expected(text, dollar, "the name of a variable before a JSONPath", EACH);
  }
  if (end === dollar + 1) return undefined;
  const stop = /\}\}|[\r\n]/g;
  stop.lastIndex = end;
  const found = stop.exec(text);
  if (found?.[0] !== "}}") return expected(text, found?.index ?? text.length, '"}}"');
  return {
    kind: "generated",
    name: text.slice(dollar, end),
    argument: text.slice(end, found.index).trim(),
    text: text.slice(dollar, found.index).trim(),
    span: spanOf(opening, found.index),
  };
}
