import type { Span } from "../../../interpolation/mod.ts";
import { lineAt } from "../lines/mod.ts";

/** Placeholders are skipped like strings. Their length is limited to keep the search linear. */
const TOKEN =
  /\{\{[^{}\r\n]{0,1000}\}\}|\\[\s\S]|"|\/\/[^\r\n]*|\/\*|#|[,}\]]|[{/\\]|[^\s"\\/#{},\]]+/g;
const STRING_TOKEN = /\{\{[^{}\r\n]{0,1000}\}\}|\\[\s\S]|"/g;

/**
 * Finds what has to go so that JSON with comments is JSON: lines that begin with `#`, `//` to the end of a line,
 * block comments, and a comma that only such comments separate from a closing bracket.
 *
 * @param omitted Lines that are not part of the text.
 * @returns The spans in order, by offsets in `source`.
 */
export function findJsonComments(
  source: string,
  { start, end }: Span,
  omitted: readonly Span[],
): readonly Span[] {
  const text = blankOut(source.slice(start, end), omitted, start);
  const found: Span[] = [];
  const add = (from: number, to: number): void =>
    void found.push({ start: start + from, end: start + to });
  /** The last comma, and how many comments were before it. */
  let comma: { readonly at: number; readonly comments: number } | undefined;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const at = match.index;
    if (token.startsWith("//") && /\w:$/.test(text.slice(Math.max(at - 2, 0), at))) {
      // A URL outside of a string: the text is not JSON.
      TOKEN.lastIndex = at + 2;
    } else if (token.startsWith("//")) {
      add(at, at + token.length);
    } else if (token === "/*") {
      const close = text.indexOf("*/", at + 2);
      if (close === -1) break;
      TOKEN.lastIndex = close + 2;
      add(at, close + 2);
    } else if (token === "#" && beginsLine(text, at)) {
      const { end: lineEnd } = lineAt(text, at);
      TOKEN.lastIndex = lineEnd;
      add(at, lineEnd);
    } else {
      const closes = token === "}" || token === "]";
      if (closes && comma !== undefined && found.length > comma.comments) {
        const span = { start: start + comma.at, end: start + comma.at + 1 };
        found.splice(comma.comments, 0, span);
      }
      comma = token === "," ? { at, comments: found.length } : undefined;
      if (token === '"') TOKEN.lastIndex = endOfString(text, at + 1);
    }
  }
  return found;
}

/**
 * Replaces spans by spaces, so that offsets do not change.
 *
 * @param spans In the order of the text.
 * @param offset Where the text begins in the source of the spans.
 */
export function blankOut(text: string, spans: readonly Span[], offset: number): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    const [from, to] = [start - offset, end - offset];
    pieces.push(text.slice(at, from), toSpaces(text.slice(from, to)));
    at = to;
  }
  return pieces.join("") + text.slice(at);
}

/** Spaces and the line breaks of a text. */
export function toSpaces(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

function endOfString(text: string, from: number): number {
  STRING_TOKEN.lastIndex = from;
  for (let match = STRING_TOKEN.exec(text); match !== null; match = STRING_TOKEN.exec(text)) {
    if (match[0] === '"') return STRING_TOKEN.lastIndex;
  }
  return text.length;
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  return before < 0 || text[before] === "\n" || text[before] === "\r";
}
