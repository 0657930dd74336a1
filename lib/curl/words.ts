import type { Span } from "../interpolation/mod.ts";
import { fromBytes, hasBytes, toBytes } from "./bytes.ts";
import { splitCmdWords } from "./cmd-words.ts";

/**
 * Splits a command line as a POSIX shell does, or as `cmd.exe` does if it is written for that. Expansions and
 * operators of a shell are reported.
 *
 * @param source The text.
 * @param start The offset of the command.
 */
export function splitWords(source: string, start: number, report: Report): Words {
  if (isForCmd(source, start)) return splitCmdWords(source, start, report);
  const words: Word[] = [];
  let at = start;
  while (at < source.length) {
    const gap = /(?:[ \t]|\\\r?\n)+/y;
    gap.lastIndex = at;
    if (gap.test(source)) at = gap.lastIndex;
    if (at >= source.length) break;
    const character = source[at] ?? "";
    if (character === "\n" || character === "\r") return { words, next: nextLine(source, at) };
    // "Copy all as cURL" of Chrome ends each command with a semicolon.
    if (character === "#" || /^;[ \t]*\r?(?:\n|$)/.test(source.slice(at, at + 80))) {
      return { words, next: nextLine(source, at) };
    }
    if (OPERATORS.has(character)) {
      const end = endOfLine(source, at);
      report(
        { start: at, end },
        `The text after "${character}" needs a shell`,
        "Remove it: only the command itself is run. If the character is part of a value, put the value in quotes",
      );
      return { words, next: nextLine(source, at) };
    }
    const word = readWord(source, at, report);
    words.push(word);
    at = word.span.end;
  }
  return { words, next: source.length };
}

const OPERATORS: ReadonlySet<string> = new Set("|&;<>()");

/** A caret before a quote or a line break has no other use in a command. */
function isForCmd(source: string, start: number): boolean {
  return /^curl(?:\.exe)?\s[^'\n]*\^(?:"|\r?\n)/i.test(source.slice(start));
}

function readWord(source: string, start: number, report: Report): Word {
  let text = "";
  let at = start;
  let quoteEnd: number | undefined;
  while (at < source.length) {
    const character = source[at] ?? "";
    if (/\s/.test(character) || OPERATORS.has(character)) break;
    const add = (quoted: Quoted): void => {
      // No placeholder begins in one quoted string and goes on in the next.
      const isDivided = quoteEnd === at && text.endsWith("{") && quoted.text.startsWith("{");
      text = isDivided ? `${text.slice(0, -1)}\\{${quoted.text}` : text + quoted.text;
      at = quoted.end;
      quoteEnd = at;
    };
    if (character === "\\") {
      const line = /\\\r?\n/y;
      line.lastIndex = at;
      if (line.test(source)) at = line.lastIndex;
      else {
        text += source[at + 1] ?? "";
        at += 2;
      }
    } else if (character === "'" || (character === "$" && source[at + 1] === "'")) {
      add(character === "'" ? readSingle(source, at, report) : readAnsi(source, at, report));
    } else if (character === '"') {
      add(readDouble(source, at, report));
    } else {
      const end = reportExpansion(source, at, report);
      text += source.slice(at, end);
      at = end;
    }
  }
  // Two quoted strings may have the bytes of one character.
  return { text: hasBytes(text) ? fromBytes(toBytes(text)) : text, span: { start, end: at } };
}

interface Quoted {
  readonly text: string;
  readonly end: number;
}

function readSingle(source: string, start: number, report: Report): Quoted {
  const end = source.indexOf("'", start + 1);
  if (end === -1) return unclosed(source, start, "'", report);
  return { text: source.slice(start + 1, end), end: end + 1 };
}

function readDouble(source: string, start: number, report: Report): Quoted {
  let text = "";
  let at = start + 1;
  while (at < source.length) {
    const character = source[at] ?? "";
    if (character === '"') return { text, end: at + 1 };
    const escaping = /\\(?:\r?\n|[$`"\\])/y;
    escaping.lastIndex = at;
    if (character === "\\" && escaping.test(source)) {
      const escaped = source[at + 1] ?? "";
      text += /[\r\n]/.test(escaped) ? "" : escaped;
      at = escaping.lastIndex;
      continue;
    }
    const end = reportExpansion(source, at, report);
    text += source.slice(at, end);
    at = end;
  }
  return unclosed(source, start, '"', report);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const TOKEN =
  /'|\\x(?:\{([\da-fA-F]*)\}?|([\da-fA-F]{1,2}))|\\([0-7]{1,3})|\\(?:u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8}))|\\c(\\[\s\S]|[^'\\])|\\([\s\S])|([^'\\]+)/uy;

/** `$'…'` with the escapes of C, as bash reads them: NUL ends the text, though not the quotes. */
function readAnsi(source: string, start: number, report: Report): Quoted {
  const bytes: number[] = [];
  const push = (text: string): void => {
    for (const byte of toBytes(text)) bytes.push(byte);
  };
  TOKEN.lastIndex = start + 2;
  for (let found = TOKEN.exec(source); found !== null; found = TOKEN.exec(source)) {
    const [whole, braced, hex = braced, octal, short, long, control, escaped, plain] = found;
    if (whole === "'") {
      const nul = bytes.indexOf(0);
      const kept = Uint8Array.from(nul === -1 ? bytes : bytes.slice(0, nul));
      return { text: fromBytes(kept), end: found.index + 1 };
    }
    if (hex !== undefined) bytes.push(Number.parseInt(`0${hex}`.slice(-2), 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (short !== undefined || long !== undefined) {
      bytes.push(...encodeCode(Number.parseInt(short ?? long ?? "", 16)));
    } else if (control !== undefined) {
      const [first = 0, ...rest] = toBytes(control);
      bytes.push(control === "?" ? 0x7f : first & 0x1f);
      // `\c\\` is one character with its escape.
      if (control !== "\\\\") bytes.push(...rest);
    } else if (escaped !== undefined) {
      push(ESCAPES[escaped] ?? (/['"\\?]/.test(escaped) ? escaped : whole));
    } else push(plain ?? "");
  }
  return unclosed(source, start, "'", report);
}

/** The bytes of a character by the rule of UTF-8, as bash writes them for any number. */
function encodeCode(code: number): readonly number[] {
  if (code < 0x80) return [code];
  if (code > 0x7fffffff) return [];
  const more: number[] = [];
  let rest = code;
  // The first byte says how many follow, and has what is left.
  while (rest >= 1 << (6 - more.length)) {
    more.unshift(0x80 | (rest & 0x3f));
    rest >>= 6;
  }
  return [((0xff00 >> (more.length + 1)) & 0xff) | rest, ...more];
}

function unclosed(source: string, start: number, quote: string, report: Report): Quoted {
  const end = endOfLine(source, start);
  report({ start, end }, `The quote ${quote} is not closed`, `Put a ${quote} where the value ends`);
  return { text: source.slice(start + 1), end: source.length };
}

/** Reports an expansion of the shell and leaves it unchanged. Returns the end of the text. */
function reportExpansion(source: string, at: number, report: Report): number {
  const end = endOfExpansion(source, at);
  if (end === -1) return at + 1;
  const span = { start: at, end };
  const found = source.slice(at, end);
  const name = /^\$\{?(\w+)\}?$/.exec(found)?.[1];
  if (name === undefined) {
    report(span, `A shell would run "${found}"`, "Write its result instead");
  } else {
    const hint = `Write {{$env.${name}}} or {{${name}}}, or put the word in single quotes`;
    report(span, `A shell would insert the value of "${found}"`, hint);
  }
  return span.end;
}

/** The end of `$NAME`, `${…}`, `$(…)` or text in backquotes; -1 if none of them begins here. */
function endOfExpansion(source: string, at: number): number {
  const character = source[at];
  const next = source[at + 1] ?? "";
  if (character === "`") return indexAfter(source, "`", at + 1);
  if (character !== "$") return -1;
  if (next === "{") return indexAfter(source, "}", at + 2);
  if (next === "(") return indexAfter(source, ")", at + 2);
  const name = /\w+/y;
  name.lastIndex = at + 1;
  return name.test(source) ? name.lastIndex : -1;
}

/** The index after a character. A missing one is searched only once, so that the search stays linear. */
function indexAfter(source: string, character: string, from: number): number {
  if (absent?.source === source && absent.character === character && absent.from <= from) return -1;
  const found = source.indexOf(character, from);
  if (found === -1) absent = { source, character, from };
  return found === -1 ? -1 : found + 1;
}

let absent:
  | { readonly source: string; readonly character: string; readonly from: number }
  | undefined;

function endOfLine(source: string, at: number): number {
  const end = source.slice(at).search(/\r?\n|$/);
  return at + end;
}

/** The start of the next line. */
function nextLine(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end + 1;
}

/** A word of a command line without its quotes. */
export interface Word {
  readonly text: string;
  readonly span: Span;
}

/** Reports a fault. */
export type Report = (span: Span, message: string, hint: string) => void;

/** The words of a command line. */
export interface Words {
  readonly words: readonly Word[];
  /** The start of the line after it. */
  readonly next: number;
}
