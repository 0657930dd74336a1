import type { Token } from "js-tokens";
import jsTokens from "js-tokens";
import type { Language } from "../entry/mod.ts";

/** The style of a stretch of text, which decides its colour. */
export type Style =
  | "method"
  | "url"
  | "name"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "placeholder"
  | "command";

/** A styled stretch, in UTF-16 offsets. Stretches are in order and do not overlap. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly style: Style;
}

export type Highlighted = Language | "json";

/** Longer entries are not highlighted: it would slow typing down. */
const LONGEST = 20_000;

/** Highlights an entry by its tokens, without a compiler. */
export function highlight(text: string, language: Highlighted): readonly Stretch[] {
  return text.length > LONGEST ? [] : HIGHLIGHTERS[language](text);
}

const HIGHLIGHTERS: Readonly<Record<Highlighted, (text: string) => readonly Stretch[]>> = {
  request: highlightRequest,
  typescript: highlightTypeScript,
  command: (text) => scan(text, COMMAND, (groups) => (groups["command"] ? "command" : "string")),
  json: (text) => scan(text, JSON_TOKENS, jsonStyle),
};

type Groups = Readonly<Record<string, string | undefined>>;

function scan(
  text: string,
  pattern: RegExp,
  styleOf: (groups: Groups) => Style | undefined,
  offset = 0,
): Stretch[] {
  const found: Stretch[] = [];
  for (const match of text.matchAll(pattern)) {
    const style = styleOf(match.groups ?? {});
    if (style === undefined || match[0] === "") continue;
    const start = offset + match.index;
    found.push({ start, end: start + match[0].length, style });
  }
  return found;
}

const KEYWORDS = new Set(
  (
    "abstract any as async await boolean break case catch class const continue debugger declare " +
    "default delete do else enum export extends false finally for from function get if " +
    "implements import in infer instanceof interface is keyof let namespace never new null " +
    "number object of private protected public readonly return satisfies set static string " +
    "super switch symbol this throw true try type typeof undefined unknown var void while yield"
  ).split(" "),
);

const TOKENS: Readonly<Partial<Record<Token["type"], Style>>> = {
  SingleLineComment: "comment",
  MultiLineComment: "comment",
  StringLiteral: "string",
  NoSubstitutionTemplate: "string",
  TemplateHead: "string",
  TemplateMiddle: "string",
  TemplateTail: "string",
  NumericLiteral: "number",
};

function highlightTypeScript(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let end = 0;
  for (const { type, value } of jsTokens(text)) {
    const start = end;
    end += value.length;
    const style = KEYWORDS.has(value) ? "keyword" : TOKENS[type];
    if (style !== undefined) found.push({ start, end, style });
  }
  return found;
}

const COMMAND = /(?<command>^\s*\.[\w-]*)|(?<string>"[^"]*")/g;

const PLACEHOLDER = String.raw`(?<placeholder>(?<!\\)\{\{\s*[\p{L}_$][^{}\n]*\}\})`;
const PLACEHOLDERS = new RegExp(PLACEHOLDER, "gu");
const JSON_TOKENS = new RegExp(
  String.raw`${PLACEHOLDER}|(?<name>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\\n]|\\.)*"?)|(?<number>-?\b\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)`,
  "gu",
);

function jsonStyle({ placeholder, name, string, number }: Groups): Style {
  if (placeholder !== undefined) return "placeholder";
  if (name !== undefined) return "name";
  if (string !== undefined) return "string";
  return number === undefined ? "keyword" : "number";
}

/** The part of a request that a line belongs to. */
type Part = "preface" | "head" | "body";

function highlightRequest(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let part: Part = "preface";
  let offset = 0;
  for (const line of text.split("\n")) {
    if (/^\s*###/.test(line)) part = "preface";
    const stretches =
      part === "body"
        ? scan(line, JSON_TOKENS, jsonStyle, offset)
        : withPlaceholders(line, offset, headStretches(line, part));
    // Not `push(...stretches)`: a very long line has more stretches than a call takes arguments.
    for (const stretch of stretches) found.push(stretch);
    if (part !== "body") {
      if (part === "head" && line.trim() === "") part = "body";
      if (part === "preface" && isRequestLine(line)) part = "head";
    }
    offset += line.length + 1;
  }
  return found;
}

const isRequestLine = (line: string): boolean => /^\s*[^\s#@/%]/.test(line);

function headStretches(line: string, part: Part): readonly Stretch[] {
  const whole = { start: line.search(/\S|$/), end: line.trimEnd().length };
  if (/^\s*(?:#|\/\/)/.test(line)) return [{ ...whole, style: "comment" }];
  if (/^\s*%%/.test(line)) return [{ ...whole, style: "command" }];
  const [name] = /^\s*@[^\s=]+/.exec(line) ?? [];
  if (name !== undefined) return [{ start: whole.start, end: name.length, style: "name" }];
  if (part === "preface") return requestLine(line, whole);
  if (/^\s*[?&]/.test(line)) return [{ ...whole, style: "url" }];
  const header = /^\s*[^\s:]+(?=\s*:)/.exec(line)?.[0];
  return header === undefined ? [] : [{ start: whole.start, end: header.length, style: "name" }];
}

function requestLine(line: string, whole: { start: number; end: number }): readonly Stretch[] {
  const method = /^\s*[A-Za-z][\w-]*(?=\s)/.exec(line)?.[0];
  if (method === undefined) return [{ ...whole, style: "url" }];
  const target = line.slice(method.length).search(/\S|$/) + method.length;
  const stretches: Stretch[] = [{ start: whole.start, end: method.length, style: "method" }];
  return target < whole.end
    ? [...stretches, { start: target, end: whole.end, style: "url" }]
    : stretches;
}

/** Splits the stretches of a line at its placeholders. */
function withPlaceholders(
  line: string,
  offset: number,
  stretches: readonly Stretch[],
): readonly Stretch[] {
  const isComment = stretches[0]?.style === "comment";
  const placeholders = isComment ? [] : scan(line, PLACEHOLDERS, () => "placeholder");
  const cut = stretches.flatMap((stretch) => {
    const parts: Stretch[] = [];
    let { start } = stretch;
    for (const placeholder of placeholders) {
      if (placeholder.start >= stretch.end || placeholder.end <= start) continue;
      if (placeholder.start > start) parts.push({ ...stretch, start, end: placeholder.start });
      start = placeholder.end;
    }
    if (start < stretch.end) parts.push({ ...stretch, start });
    return parts;
  });
  return [...cut, ...placeholders]
    .sort((one, other) => one.start - other.start)
    .map(({ start, end, style }) => ({ start: offset + start, end: offset + end, style }));
}
