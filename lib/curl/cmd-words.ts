import type { Report, Word, Words } from "./words.ts";

interface Character {
  readonly text: string;
  /** Its offset in the source. */
  readonly at: number;
  /** A line break after a caret, which `cmd` passes to the program. */
  readonly isLineEnd: boolean;
}

/**
 * Splits a command line for `cmd.exe`, as "Copy as cURL (cmd)" of browsers writes it: first the carets, as
 * `cmd` does, then quotes and backslashes, as the C runtime does.
 */
export function splitCmdWords(source: string, start: number, report: Report): Words {
  const { characters, next } = readCarets(source, start);
  const words: Word[] = [];
  let at = 0;
  const is = (index: number, text: string): boolean => characters[index]?.text === text;
  while (at < characters.length) {
    while (at < characters.length && isBlank(characters[at])) at += 1;
    const first = characters[at];
    if (first === undefined) break;
    let text = "";
    let isQuoted = false;
    while (at < characters.length && (isQuoted || !isBlank(characters[at]))) {
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
        text += characters[at]?.text ?? "";
        at += 1;
      }
    }
    const span = { start: first.at, end: (characters[at - 1]?.at ?? first.at) + 1 };
    if (isQuoted) {
      report(span, 'The quote " is not closed', 'Put a " where the value ends');
    }
    words.push({ text, span });
  }
  return { words, next };
}

function isBlank(character: Character | undefined): boolean {
  return character !== undefined && !character.isLineEnd && /^\s$/.test(character.text);
}

/** A caret escapes the next character; before a line break it joins the lines and escapes what follows. */
function readCarets(
  source: string,
  start: number,
): { readonly characters: readonly Character[]; readonly next: number } {
  const characters: Character[] = [];
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
      const character = source[quoted];
      if (character !== undefined) {
        const isLineEnd = /[\r\n]/.test(character);
        characters.push({ text: isLineEnd ? "\n" : character, at: quoted, isLineEnd });
      }
      at = quoted + width;
      continue;
    }
    if (text === "\n" && !isQuoted) return { characters, next: at + 1 };
    if (text === '"') isQuoted = !isQuoted;
    characters.push({ text, at, isLineEnd: false });
    at += 1;
  }
  return { characters, next: source.length };
}
