import {
  createFaultReporter,
  type Fault,
  type SourceText,
  type Span,
  shorten,
  TemplateSyntaxError,
} from "./fault.ts";
import { JsonPathFault, parseJsonPath } from "./json-path.ts";
import type { Encoding, Part, PathPlaceholder, Placeholder, Template } from "./template.ts";
import { parseWrittenNumber, type Value } from "./value.ts";

/**
 * Parses a text with placeholders.
 *
 * Double braces whose content cannot begin a name stay text, as do those after a backslash. Content
 * that begins like a path has to be one.
 *
 * @param source The text that positions refer to.
 * @param span The part of it to parse; the whole text by default.
 * @throws {TemplateSyntaxError} With every broken placeholder of the text.
 */
export function parseTemplate(source: string, span?: Span): Template {
  const faults: Fault[] = [];
  const template = collectTemplate({ source }, span, faults);
  if (faults.length > 0) throw new TemplateSyntaxError(source, faults);
  return template;
}

/**
 * Parses like {@link parseTemplate}, for callers that collect the faults of several templates of one
 * source and throw once. A list with {@link FAULT_LIMIT} faults gets one more entry that says so.
 *
 * @param text The text that positions refer to.
 * @param span The part of it to parse; the whole text by default.
 * @param faults Receives the faults.
 * @returns The template; broken placeholders are literal text in it.
 */
export function collectTemplate(
  { source, firstLine }: SourceText,
  span: Span | undefined,
  faults: Fault[],
): Template {
  const base = span?.start ?? 0;
  const text = source.slice(base, span?.end);
  const report = createFaultReporter({ source, firstLine }, faults);
  const reportBroken = (from: number, { at, reason, hint }: BrokenPlaceholder): boolean => {
    const place = { start: base + at, end: base + Math.min(at + 1, text.length) };
    return report(place, `Cannot parse "${excerpt(text, from)}": ${reason}`, hint);
  };
  const parts: Part[] = [];
  const readLiteral = text.includes("\\{") ? unescapeBraces : (literal: string) => literal;
  let literalStart = 0;
  let open = text.indexOf("{{");
  while (open !== -1) {
    if (open > literalStart && text[open - 1] === "\\") {
      open = text.indexOf("{{", open + 2);
      continue;
    }
    // Of a run of braces the last two count: "{{{a}}}" is a brace, a value and a brace.
    while (text[open + 2] === "{") open += 1;
    const start = skipBlanks(text, open + 2);
    const read = readPlaceholder({ text, open, base }, start);
    if (read === undefined) {
      open = text.indexOf("{{", start);
    } else if (read.kind === "broken") {
      if (!reportBroken(open, read)) break;
      open = text.indexOf("{{", read.at);
    } else {
      const end = read.span.end - base;
      if (isNested(text, literalStart, open, end)) {
        const outer = text.lastIndexOf("{{", open - 2);
        if (!reportBroken(outer, expected(text, open, "a name", NESTED))) break;
      }
      if (open > literalStart) parts.push(readLiteral(text.slice(literalStart, open)));
      parts.push(read);
      literalStart = end;
      open = text.indexOf("{{", literalStart);
    }
  }
  if (literalStart < text.length) parts.push(readLiteral(text.slice(literalStart)));
  return { source, firstLine, parts };
}

/** Blanks or nothing after two braces that are not escaped: `{{ {{key}} }}`, `{{{{env}}_host}}`. */
const OUTER_BEGINS = /(?<!\\)\{\{[^\S\r\n]*$/;

/** The rest of a path, and two braces. */
const OUTER_ENDS =
  /(?:[\p{L}\p{M}\p{Nd}_.-]|\[[^[\]{}\r\n]{0,200}\]|\{\{[^{}\r\n]{0,200}\}\})*[^\S\r\n]*\}\}/uy;

/** Whether a placeholder stands in another one. */
function isNested(text: string, literalStart: number, open: number, end: number): boolean {
  if (open < literalStart + 2) return false;
  const before = text.charCodeAt(open - 1);
  // Only a brace or a blank can stand before it then; most placeholders have another character of ASCII there.
  if (before !== 0x7b && before > 0x20 && before < 0x80) return false;
  OUTER_ENDS.lastIndex = end;
  return OUTER_ENDS.test(text) && OUTER_BEGINS.test(text.slice(literalStart, open));
}

/** The hint for a placeholder in another one. */
const NESTED: string =
  "A placeholder has no other one in it. Set the value in each environment, or in a TypeScript cell: " +
  String.raw`client.setVar("host", client.getVar("dev_host")). Write \{{ for literal braces`;

/** Writes a template as {@link parseTemplate} reads it. */
export function writeTemplate({ source, parts }: Template): string {
  return parts
    .map((part) =>
      typeof part === "string" ? escapeBraces(part) : source.slice(part.span.start, part.span.end),
    )
    .join("");
}

/** Writes a text so that {@link parseTemplate} finds no placeholder in it. */
export function escapeBraces(text: string): string {
  return text.replace(ESCAPED, (whole) => `\\${whole}`).replaceAll("{{", "\\{{");
}

/** `\{\{name\}\}`, httpYac's escape; with one more backslash it stands for itself. */
const ESCAPED = /(?<!\\)(\\+)\{\\\{([^{}\r\n]{0,1000}?)\\\}\\\}/g;

function unescapeBraces(text: string): string {
  return text
    .replace(ESCAPED, (whole, { length }: string, name: string) =>
      length > 1 ? whole.slice(1) : `{{${name}}}`,
    )
    .replaceAll("\\{{", "{{");
}

const EXCERPT_LENGTH = 40;

/** The placeholder up to its closing braces or the end of its line, cut when it is long. */
function excerpt(text: string, open: number): string {
  const near = text.slice(open, open + EXCERPT_LENGTH + 1);
  const written = /^.*?\}\}|^.*/u.exec(near)?.[0] ?? near;
  return shorten(written, EXCERPT_LENGTH);
}

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
 *     placeholder = "{{" blanks [ "%" | "$xml " | "$json " ] ( path | generated | question ) blanks "}}"
 *     path        = name { blanks step } [ blanks "??" blanks literal ]
 *     step        = "." blanks property | "[" blanks ( index | quoted ) blanks "]"
 *                 | "." blanks ( "$" | "*" )      VS Code's REST Client writes them for the root and, at
 *                                                 the end, for the whole body: they select nothing
 *                 | "." blanks jsonpath           when what follows the "$" is not such a step
 *     generated   = "$" name argument         argument = any text of the line without "}}"
 *     question    = "?" any text of the line without "}}"      Bruno's; it is {{$input question}}
 *     name        = ( letter | "_" ) property
 *     property    = ( letter | mark | digit | "_" | "-" ) ...
 *     blanks      = { space | tab | … }       also those of web pages, as U+00A0; a placeholder does not span lines
 *
 * @param opening Where the placeholder begins.
 * @param start The index of its first character that is not a brace or a blank.
 * @returns The placeholder, what is broken about it, or `undefined` when the braces are plain text.
 */
function readPlaceholder(
  opening: Opening,
  start: number,
): Placeholder | BrokenPlaceholder | undefined {
  const { text } = opening;
  if (text[start] !== "%") return readPlain(opening, start);
  const read = readPlain(opening, start + 1);
  if (read === undefined || read.kind === "broken") return read;
  return { ...read, text: `%${read.text}`, encoding: "percent" };
}

/** Reads a placeholder without the mark that its value is percent-encoded. */
function readPlain(opening: Opening, start: number): Placeholder | BrokenPlaceholder | undefined {
  const { text } = opening;
  if (text[start] === "$") return readGenerated(opening, start);
  if (text[start] === "?") return readQuestion(opening, start);
  return nameEnd(text, start) === start ? readExpression(text, start) : readPath(opening, start);
}

/** `{{= time.nowISO() }}` of resterm; other text in braces belongs to other templates. */
function readExpression(text: string, start: number): BrokenPlaceholder | undefined {
  const name = text[start] === "=" ? skipBlanks(text, start + 1) : start;
  if (name === start || nameEnd(text, name) === name) return undefined;
  return expected(text, start, "a name", expressionHint(text, start));
}

/** Blanks of web pages and documents: the no-break space, the others of Unicode, and characters without a width. */
const OTHER_BLANKS = /[\p{Zs}\t\u200b\ufeff]+/uy;

/** The first index from `index` on that is not a blank. */
function skipBlanks(text: string, index: number): number {
  let end = index;
  while (text[end] === " " || text[end] === "\t") end += 1;
  if (!(text.charCodeAt(end) >= 0x80)) return end;
  OTHER_BLANKS.lastIndex = end;
  return OTHER_BLANKS.test(text) ? OTHER_BLANKS.lastIndex : end;
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
    const { steps } = path;
    if (text.startsWith("}}", at)) {
      const written = text.slice(start, path.end);
      return { kind: "path", name, steps, text: written, span: spanOf(opening, at) };
    }
    if (text.startsWith("??", at)) {
      return withOtherwise(opening, start, at, { kind: "path", name, steps });
    }
    const fault = readStep(text, at, path);
    if (fault === undefined) continue;
    if (path.root === undefined) return fault;
    // What is not a step after a `$` may be a JSONPath.
    const query = readQuery(text, path.root.at);
    if ("kind" in query) return query;
    const read = {
      kind: "path",
      name,
      steps: steps.slice(0, path.root.depth),
      query: text.slice(path.root.at, query.end).trimEnd(),
    } as const;
    return withOtherwise(opening, start, query.end, read);
  }
}

/** A literal after `??`, and the end of the placeholder. */
const OTHERWISE =
  /\?\?[^\S\r\n]*(?<literal>"(?:[^"\\\r\n{]|\\.|\{(?!\{))*"|'(?:[^'\\\r\n{]|\\.|\{(?!\{))*'|-?\d+(?:\.\d+)?|true|false|null)[^\S\r\n]*(?=\}\})/y;

/**
 * A path with its end, before which `?? "text"` may stand.
 *
 * @param start Where the path begins.
 * @param at Where it ends.
 */
function withOtherwise(
  opening: Opening,
  start: number,
  at: number,
  read: Pick<PathPlaceholder, "kind" | "name" | "steps" | "query">,
): PathPlaceholder | BrokenPlaceholder {
  const { text } = opening;
  OTHERWISE.lastIndex = at;
  const { groups, 0: { length } = "" } = OTHERWISE.exec(text) ?? {};
  if (groups === undefined && text.startsWith("??", at)) {
    return expected(text, skipBlanks(text, at + 2), LITERAL);
  }
  const end = at + length;
  const whole = { ...read, text: text.slice(start, end).trimEnd(), span: spanOf(opening, end) };
  return groups === undefined
    ? whole
    : { ...whole, otherwise: literalValue(groups["literal"] as string) };
}

const LITERAL = 'a text in quotes, a number, true, false or null after "??"';

function literalValue(literal: string): Value {
  if (/^["']/.test(literal)) return literal.slice(1, -1).replace(/\\(.)/g, "$1");
  if (/^[-\d]/.test(literal)) return parseWrittenNumber(literal);
  return literal === "null" ? null : literal === "true";
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

/** The hint for a path that several values match. */
const EACH: string =
  'JetBrains\' client sends the request once for each value: write "# @loop for item of list" above it, and ' +
  "{{item.name}}. After a $, the first match is used, as in {{list.$[*].name}}";

/** The hint for a path that selects among values in an unsupported way. */
const JSON_PATH: string =
  "JSONPath (RFC 9535) is read after a $, as in {{login.response.body.$.items[?(@.a==1)].id}} and " +
  "{{list.$[?match(@.name, 'a.*')]}}. Select anything else in a TypeScript cell";

/** The hint for a negative index. */
const FROM_THE_END: string = "After a $ it counts from the end, as in {{list.$[-1]}}";

/** The hint for an expression, which is JavaScript in httpYac, with the lines to write in its place. */
function expressionHint(text: string, at: number): string {
  const written = /^=?[^{}\r\n]*/.exec(text.slice(text.lastIndexOf("{{", at) + 2))?.[0] ?? "";
  const code = shorten(written.replace(/^=/, "").trim(), EXCERPT_LENGTH);
  return (
    "JavaScript in placeholders, as in httpYac, and expressions of resterm are not run. Set a variable in a TypeScript " +
    `cell, client.setVar("value", ${code}), or in a block of lines above the request, {{ and exports.value = ${code} ` +
    "and }}. Then write {{value}}, or \\{{ for literal braces"
  );
}

/** What may stand in brackets elsewhere, and what to write for it. */
const INDEX_HINTS: readonly (readonly [start: RegExp, hint: string | typeof expressionHint])[] = [
  [/\*/, EACH],
  [/[?:@]/, JSON_PATH],
  [/-/, FROM_THE_END],
  [/[\p{L}_$(]/u, expressionHint],
];

function readIndex(
  text: string,
  from: number,
): { readonly step: number; readonly end: number } | BrokenPlaceholder {
  DIGITS.lastIndex = from;
  const [digits] = DIGITS.exec(text) ?? [];
  if (digits === undefined) {
    const hint = INDEX_HINTS.find(([start]) => start.test(text[from] ?? ""))?.[1];
    const said = typeof hint === "function" ? hint(text, from) : hint;
    return expected(text, from, 'a whole number from 0 or a quoted key after "["', said);
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
  if (/[.[]/.test(text[end] ?? "") && end === dollar + 1) return readEach(opening, dollar);
  if (end === dollar + 1) return undefined;
  const encoding = ENCODINGS[text.slice(dollar, end)];
  if (encoding !== undefined && !/[.[(]/.test(text[end] ?? "")) {
    return readEncoded(opening, dollar, skipBlanks(text, end), encoding);
  }
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

const ENCODINGS: Readonly<Record<string, Encoding>> = { $xml: "xml", $json: "json" };

/** `{{$xml name}}`: any placeholder, whose text is encoded. */
function readEncoded(
  opening: Opening,
  dollar: number,
  start: number,
  encoding: Encoding,
): Placeholder | BrokenPlaceholder {
  const read = readPlain(opening, start) ?? expected(opening.text, start, "a name");
  if (read.kind === "broken") return read;
  return { ...read, text: opening.text.slice(dollar, start) + read.text, encoding };
}

/** `{{$.clients..id}}` of JetBrains' client, a JSONPath whose first step is a variable. */
function readEach(opening: Opening, dollar: number): PathPlaceholder | BrokenPlaceholder {
  const { text } = opening;
  const afterName = nameEnd(text, dollar + 2);
  if (text[dollar + 1] !== "." || afterName === dollar + 2) {
    return expected(text, dollar, "the name of a variable before a JSONPath", EACH);
  }
  const path = readQuery(text, dollar);
  if ("kind" in path) return path;
  const written = text.slice(dollar, path.end).trimEnd();
  return {
    kind: "path",
    name: text.slice(dollar + 2, afterName),
    steps: [],
    query: `$${text.slice(afterName, path.end).trimEnd()}`,
    match: 0,
    text: written,
    span: spanOf(opening, path.end),
  };
}

/** Its length is limited to keep the search linear. */
const QUESTION = /\?[ \t]*(\p{L}[^{}\r\n]{0,200})\}\}/uy;

/** `{{?Your name}}`; a question begins with a letter. */
function readQuestion(opening: Opening, start: number): Placeholder | undefined {
  QUESTION.lastIndex = start;
  const [, question] = QUESTION.exec(opening.text) ?? [];
  if (question === undefined) return undefined;
  const argument = question.trim();
  const span = spanOf(opening, QUESTION.lastIndex - 2);
  return { kind: "generated", name: "$input", argument, text: `?${argument}`, span };
}

/** Why a placeholder that begins like a path is broken, and the index in the text that was read. */
interface BrokenPlaceholder {
  readonly kind: "broken";
  readonly reason: string;
  readonly at: number;
  readonly hint?: string;
}

/** A dot without a property name after it. */
function notProperty(text: string, at: number): BrokenPlaceholder {
  // `.//reply[1]/@id` selects in XML with VS Code's REST Client.
  const isXPath = text[at] === "/";
  return expected(text, at, 'a property name after "."', isXPath ? XPATH : undefined);
}

/** The hint for a default value as JavaScript has it. */
const OR = 'Write {{name ?? "text"}} for a value in place of a missing one';

/** A path that neither continues nor ends. */
function notClosed(text: string, at: number): BrokenPlaceholder {
  if (text.startsWith("{{", at)) return expected(text, at, '".", "[" or "}}"', NESTED);
  const isExpression = /^[-+*/%?!=<>&|(`,;]/.test(text.slice(at, at + 1));
  const isBlank = /^[ \t]\p{L}/u.test(text.slice(at - 1, at + 1));
  const braces = String.raw`Write \{{ for literal braces`;
  const plain = isBlank ? `${NO_BLANKS}. ${braces}` : braces;
  if (text.startsWith("||", at)) return expected(text, at, '"??"', OR);
  const hint = isExpression ? expressionHint(text, at) : plain;
  return expected(text, at, '".", "[" or "}}"', hint);
}

/** The hint for a name with a blank, such as that of a request `# @name my login`. */
const NO_BLANKS: string =
  'A name has no blanks: call it my_name, also where it is set, as in "# @name my_name"';

/** A character other than what was expected. */
function expected(text: string, at: number, expectation: string, hint?: string): BrokenPlaceholder {
  return broken(at, `expected ${expectation}, found ${describeCharacter(text, at)}`, hint);
}

/** A placeholder that is broken for any other reason. */
function broken(at: number, reason: string, hint?: string): BrokenPlaceholder {
  return { kind: "broken", reason, at, ...(hint === undefined ? {} : { hint }) };
}

function describeCharacter(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return "nothing";
  if (point === 0x0a || point === 0x0d) return "the end of the line";
  return JSON.stringify(String.fromCodePoint(point));
}

/** Finds the end of the JSONPath that begins at a `$`: the closing braces of its placeholder. */
function readQuery(text: string, dollar: number): { readonly end: number } | BrokenPlaceholder {
  try {
    const { end: ofPath } = parseJsonPath(text, dollar);
    const after = /(?:\[\])?[ \t]*/y;
    after.lastIndex = ofPath;
    const end = ofPath + (after.exec(text)?.[0].length ?? 0);
    if (text.startsWith("}}", end) || text.startsWith("??", end)) return { end };
    return expected(text, end, '".", "[" or "}}"', JSON_PATH);
  } catch (fault) {
    if (!(fault instanceof JsonPathFault)) throw fault;
    return expected(text, fault.at, fault.expected, JSON_PATH);
  }
}

/** The hint for a path that selects in XML. */
const XPATH: string =
  "XPath is not supported. Select the value in a TypeScript cell, " +
  'for example client.setVar("id", /<id>(.*?)</.exec(client.responses.login.text)[1])';

const NAME = /[\p{L}_][\p{L}\p{M}\p{Nd}_-]*/uy;
const PROPERTY = /[\p{L}\p{M}\p{Nd}_-]*/uy;
const WHOLE_NAME = new RegExp(`^${NAME.source}$`, "u");

/** Where the variable name that begins at an index ends; the index itself when none begins there. */
function nameEnd(text: string, index: number): number {
  return endOf(NAME, text, index);
}

/** Where the property name that begins at an index ends; the index itself when none begins there. */
function propertyEnd(text: string, index: number): number {
  return endOf(PROPERTY, text, index);
}

/**
 * Whether a placeholder can name a variable: its name is a letter of any script or `_`, followed by
 * letters, combining marks, digits, `_` and `-`.
 *
 * @param name The name as it would be given to `setVar`.
 */
export function isReachableName(name: string): boolean {
  return WHOLE_NAME.test(name);
}

/** Whether a placeholder can name a variable whose name may have dots: `api.host` of `{{api.host}}`. */
export function isVariableName(name: string): boolean {
  const [first = "", ...more] = name.split(".");
  return isReachableName(first) && more.every((one) => isReachableName(`_${one}`) && one !== "");
}

/** Most names are ASCII, for which the classes of Unicode take several times as long. */
function endOf(pattern: RegExp, text: string, index: number): number {
  if (pattern === NAME && ASCII_NAME[text.charCodeAt(index)] === INSIDE) return index;
  let end = index;
  while (ASCII_NAME[text.charCodeAt(end)] !== 0 && text.charCodeAt(end) < 0x80) end += 1;
  if (!(text.charCodeAt(end) >= 0x80)) return end;
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

const BEGINS = 2;
const INSIDE = 1;
/** Which characters of ASCII may stand in a name, and which may begin one. */
const ASCII_NAME = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[A-Za-z_]/.test(character) ? BEGINS : /[\d-]/.test(character) ? INSIDE : 0;
});
