import type { Report, Word, Words } from "./word.ts";

interface Sign {
  readonly text: string;
  /** Where it stands in the source. */
  readonly at: number;
  /** A caret before it took its meaning for `cmd` from it, not that for the program. */
  readonly isLineEnd: boolean;
}

/**
 * Splits a command line that is written for `cmd`, as browsers' "Copy as cURL (cmd)" does: first
 * the carets, as `cmd` reads them, then quotes and backslashes, as a program's start-up does.
 */
export function splitCmdWords(source: string, start: number, report: Report): Words {
  const { signs, next } = readCarets(source, start);
  const words: Word[] = [];
  let at = 0;
  const is = (index: number, text: string): boolean => signs[index]?.text === text;
  while (at < signs.length) {
    while (at < signs.length && isBlank(signs[at])) at += 1;
    const first = signs[at];
    if (first === undefined) break;
    let text = "";
    let isQuoted = false;
    while (at < signs.length && (isQuoted || !isBlank(signs[at]))) {
      let slashes = 0;
      while (is(at + slashes, "\\")) slashes += 1;
      if (slashes > 0) {
        const beforeQuote = is(at + slashes, '"');
        text += "\\".repeat(beforeQuote ? slashes >> 1 : slashes);
        at += slashes;
        if (beforeQuote && slashes % 2 === 1) {
          text += '"';
          at += 1;
        }
      } else if (is(at, '"')) {
        if (isQuoted && is(at + 1, '"')) {
          text += '"';
          at += 2;
        } else {
          isQuoted = !isQuoted;
          at += 1;
        }
      } else {
        text += signs[at]?.text ?? "";
        at += 1;
      }
    }
    const span = { start: first.at, end: (signs[at - 1]?.at ?? first.at) + 1 };
    if (isQuoted) {
      report(span, 'The quote " is not closed', 'Put a " where the value ends');
    }
    words.push({ text, span });
  }
  return { words, next };
}

function isBlank(sign: Sign | undefined): boolean {
  return sign !== undefined && !sign.isLineEnd && /^\s$/.test(sign.text);
}

/** A caret quotes the sign behind it; before a line end it joins the lines, and quotes what follows. */
function readCarets(
  source: string,
  start: number,
): { readonly signs: readonly Sign[]; readonly next: number } {
  const signs: Sign[] = [];
  let isQuoted = false;
  let at = start;
  while (at < source.length) {
    const text = source[at] ?? "";
    if (text === "^" && !isQuoted) {
      const line = /\^\r?\n/y;
      line.lastIndex = at;
      const isJoined = line.test(source);
      const quoted = isJoined ? line.lastIndex : at + 1;
      const width = source.startsWith("\r\n", quoted) ? 2 : 1;
      const sign = source[quoted];
      if (sign !== undefined) {
        const isLineEnd = /[\r\n]/.test(sign);
        signs.push({ text: isLineEnd ? "\n" : sign, at: quoted, isLineEnd });
      }
      at = quoted + width;
      continue;
    }
    if (text === "\n" && !isQuoted) return { signs, next: at + 1 };
    if (text === '"') isQuoted = !isQuoted;
    signs.push({ text, at, isLineEnd: false });
    at += 1;
  }
  return { signs, next: source.length };
}
