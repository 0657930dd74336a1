import type { Token } from "js-tokens";
import jsTokens from "js-tokens";
import { type OutlineLine, readOutline } from "../../../lib/request/mod.ts";
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

const PLACEHOLDER = String.raw`(?<placeholder>(?<!\\)\{\{\s*%?[\p{L}_$][^{}\n]*\}\})`;
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

function highlightRequest(text: string): readonly Stretch[] {
  const found = [...styleMatch(text, /^\s*%%\S*/, "command")];
  for (const line of readOutline(text)) {
    const styled = STYLES[line.kind]?.(line.text.trimEnd());
    const stretches =
      styled === undefined
        ? scan(line.text, JSON_TOKENS, jsonStyle, line.start)
        : withPlaceholders(line.text, line.start, styled);
    // Not `push(...stretches)`: a very long line has more stretches than a call takes arguments.
    for (const stretch of stretches) found.push(stretch);
  }
  return found;
}

/** How lines of these kinds are styled; other lines are styled as JSON. */
const STYLES: Readonly<Partial<Record<OutlineLine["kind"], (line: string) => readonly Stretch[]>>> =
  {
    separator: (line) => styleWhole(line, "comment"),
    annotation: (line) => styleWhole(line, "comment"),
    comment: (line) => styleWhole(line, "comment"),
    setting: (line) => styleWhole(line, "command"),
    assignment: (line) => styleMatch(line, /^\s*@[^\s=]+/, "name"),
    request: styleRequestLine,
    curl: styleRequestLine,
    foreign: styleRequestLine,
    target: (line) => styleWhole(line, "url"),
    header: (line) => styleMatch(line, /^\s*[^\s:]+(?=\s*:)/, "name"),
  };

function styleWhole(line: string, style: Style): readonly Stretch[] {
  return styleMatch(line, /^[\s\S]*\S/, style);
}

function styleMatch(line: string, pattern: RegExp, style: Style): readonly Stretch[] {
  const end = pattern.exec(line)?.[0].length;
  return end === undefined ? [] : [{ start: line.search(/\S/), end, style }];
}

function styleRequestLine(lines: string): readonly Stretch[] {
  const [line = ""] = lines.split("\n", 1);
  const [method] = styleMatch(line, /^\s*[A-Za-z][\w-]*(?=\s)/, "method");
  if (method === undefined) return styleWhole(line, "url");
  const rest = line.slice(method.end);
  const start = method.end + rest.search(/\S|$/);
  const end = line.trimEnd().length;
  return start < end ? [method, { start, end, style: "url" }] : [method];
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
