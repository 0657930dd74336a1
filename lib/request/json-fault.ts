import { locate, type RenderedRange, shorten } from "../interpolation/mod.ts";

/** The first fault of a text that should be JSON (RFC 8259). */
interface JsonFault {
  /** UTF-16 offset; the length of the text if it ends unexpectedly. */
  readonly offset: number;
  readonly message: string;
}

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not contain them
const STRING_MARK = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;

/** The state of the scanner. */
interface Scanner {
  readonly text: string;
  offset: number;
  /** The brackets to close. A list, since recursion would overflow on deeply nested text. */
  readonly closing: string[];
  expected: "value" | "value or ]" | "key" | "key or }" | "colon" | "comma" | "end";
}

/**
 * Finds the first fault of a JSON text. The messages of `JSON.parse` differ between runtimes and may have no
 * position; the parser of jsonc-parser is recursive.
 *
 * @returns `undefined` for valid JSON.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const scanner: Scanner = { text, offset: 0, closing: [], expected: "value" };
  for (;;) {
    match(scanner, SPACE);
    const { offset } = scanner;
    const character = text[offset];
    if (character === undefined) {
      return scanner.expected === "end" ? undefined : { offset, message: "it ends unexpectedly" };
    }
    const problem = readToken(scanner, character);
    if (problem === undefined) continue;
    const found = JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));
    return {
      offset,
      message: problem === MALFORMED ? problem : `expected ${problem}, found ${found}`,
    };
  }
}

const MALFORMED = "a string is malformed";

/** Reads one token and returns what was expected instead, or that a string is malformed. */
function readToken(scanner: Scanner, character: string): string | undefined {
  switch (scanner.expected) {
    case "end":
      return "the end";
    case "comma":
      return readComma(scanner, character);
    case "colon":
      if (character !== ":") return '":"';
      scanner.offset++;
      scanner.expected = "value";
      return undefined;
    case "key":
    case "key or }":
      if (scanner.expected === "key or }" && character === "}") return close(scanner);
      if (!readString(scanner)) return character === '"' ? MALFORMED : "a quoted key";
      scanner.expected = "colon";
      return undefined;
    default:
      return readValue(scanner, character);
  }
}

function readComma(scanner: Scanner, character: string): string | undefined {
  const closing = scanner.closing.at(-1) ?? "";
  if (character === closing) return close(scanner);
  if (character !== ",") return `"," or "${closing}"`;
  scanner.offset++;
  scanner.expected = closing === "}" ? "key" : "value";
  return undefined;
}

function readValue(scanner: Scanner, character: string): string | undefined {
  if (character === "{" || character === "[") {
    scanner.offset++;
    scanner.closing.push(character === "{" ? "}" : "]");
    scanner.expected = character === "{" ? "key or }" : "value or ]";
    return undefined;
  }
  if (scanner.expected === "value or ]" && character === "]") return close(scanner);
  if (!readString(scanner) && !match(scanner, LITERAL)) {
    return character === '"' ? MALFORMED : "a value";
  }
  scanner.expected = scanner.closing.length === 0 ? "end" : "comma";
  return undefined;
}

function close(scanner: Scanner): undefined {
  scanner.offset++;
  scanner.closing.pop();
  scanner.expected = scanner.closing.length === 0 ? "end" : "comma";
}

function match(scanner: Scanner, pattern: RegExp): boolean {
  pattern.lastIndex = scanner.offset;
  if (!pattern.test(scanner.text)) return false;
  scanner.offset = pattern.lastIndex;
  return true;
}

/** Not one pattern for a whole string: a repeated alternative overflows the stack on a long string. */
function readString(scanner: Scanner): boolean {
  const { text } = scanner;
  if (text[scanner.offset] !== '"') return false;
  STRING_MARK.lastIndex = scanner.offset + 1;
  while (STRING_MARK.test(text)) {
    const end = STRING_MARK.lastIndex;
    const mark = text[end - 1];
    if (mark === '"') {
      scanner.offset = end;
      return true;
    }
    ESCAPE.lastIndex = end - 1;
    if (mark !== "\\" || !ESCAPE.test(text)) return false;
    STRING_MARK.lastIndex = ESCAPE.lastIndex;
  }
  return false;
}

/** The first fault of a rendered JSON body, and the placeholder that it came from, if it did. */
interface JsonFinding {
  readonly fault: JsonFault;
  readonly range: RenderedRange | undefined;
}

/**
 * Returns the warning about a rendered body that should be JSON.
 *
 * @param ranges The rendered range of each placeholder.
 * @returns `undefined` for valid JSON.
 */
export function jsonWarning(body: string, ranges: readonly RenderedRange[]): string | undefined {
  const finding = findInJson(body, ranges);
  if (finding === undefined) return undefined;
  const { line, column } = locate({ source: body }, finding.fault.offset);
  return explainFinding(body, finding, ` at line ${line}, column ${column}`);
}

/** Describes a finding; `where` adds the position. */
export function explainFinding(body: string, { fault, range }: JsonFinding, where = ""): string {
  const summary = `The JSON body is not valid${where}: ${fault.message}`;
  return range === undefined ? summary : `${summary}, in ${explainRange(body, range)}`;
}

/** Finds the first fault of a rendered JSON body. */
export function findInJson(
  body: string,
  ranges: readonly RenderedRange[],
): JsonFinding | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch {
    // The position in this error differs between runtimes.
  }
  const fault = findJsonFault(body);
  return fault === undefined ? undefined : { fault, range: rangeOf(fault, ranges) };
}

/** The placeholder whose range contains the offset, or ends there because its value is empty or incomplete. */
function rangeOf(
  { offset }: JsonFault,
  ranges: readonly RenderedRange[],
): RenderedRange | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.end ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  let ending: RenderedRange | undefined;
  for (let index = low; index < ranges.length; index++) {
    const range = ranges[index];
    if (range === undefined || range.start > offset) break;
    if (range.end > offset) return range;
    ending = range;
  }
  return ending;
}

function explainRange(body: string, { placeholder, start, end }: RenderedRange): string {
  const name = `{{${placeholder.text}}}`;
  const text = body.slice(start, end);
  if (/^\{\{.*\}\}$/s.test(text)) return `${name}, which was not replaced`;
  if (text === "")
    return `${name}, which is empty. For a JSON string write "${name}" with the quotes`;
  return `${name}, which became ${shorten(text, 40)}. For a JSON string write "${name}" with the quotes`;
}
