/** A piece of an XML text: a tag, a comment and the like, or the text between them. */
interface Piece {
  readonly kind: "start" | "end" | "empty" | "other" | "text";
  readonly text: string;
}

/** What begins a piece that is no tag, and what ends it. */
const OTHERS: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
];

/** Deeper indentation would be longer than the text, and helps nobody. */
const MAX_DEPTH = 50;

/**
 * Indents XML, one element a line. An element with text has it beside its tags, with all that is in it, since blanks
 * may count there. Nothing is expanded, and a text that is not well-formed is indented as far as possible.
 *
 * @example `<a><b>1</b></a>` becomes `<a>\n  <b>1</b>\n</a>`
 */
export function indentXml(text: string): string {
  const pieces = split(text);
  const ends = endsOf(pieces);
  const lines: string[] = [];
  let depth = 0;
  for (let at = 0; at < pieces.length; at++) {
    const { kind, text: shown } = pieces[at] as Piece;
    if (kind === "end") depth = Math.max(0, depth - 1);
    const indent = "  ".repeat(Math.min(depth, MAX_DEPTH));
    const end = ends.get(at);
    if (kind === "start" && end !== undefined) {
      lines.push(
        indent +
          pieces
            .slice(at, end + 1)
            .map((piece) => piece.text)
            .join(""),
      );
      at = end;
      continue;
    }
    const isBlank = kind === "text" && shown.trim() === "";
    if (!isBlank) lines.push(indent + (kind === "text" ? shown.trim() : shown));
    if (kind === "start") depth += 1;
  }
  return lines.join("\n");
}

function split(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    const start = at;
    if (text[at] !== "<") {
      at = endAfter(text, "<", at) - 1;
      if (text[at] !== "<") at = text.length;
      pieces.push({ kind: "text", text: text.slice(start, at) });
      continue;
    }
    const other = OTHERS.find(([opening]) => text.startsWith(opening, start));
    at = other === undefined ? endOfTag(text, at) : endAfter(text, other[1], at + other[0].length);
    const piece = text.slice(start, at);
    pieces.push({ kind: other === undefined ? kindOf(piece) : "other", text: piece });
  }
  return pieces;
}

function kindOf(tag: string): Piece["kind"] {
  if (tag.startsWith("</")) return "end";
  return tag.endsWith("/>") ? "empty" : "start";
}

function endAfter(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index === -1 ? text.length : index + wanted.length;
}

/** The end of a tag; a value in quotes may contain its closing bracket. */
function endOfTag(text: string, start: number): number {
  let quote = "";
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  return text.length;
}

/** The ends of the elements that stay on one line: those that contain text, and those that are empty. */
function endsOf(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: { readonly at: number; hasText: boolean; hasChild: boolean }[] = [];
  for (const [at, { kind, text }] of pieces.entries()) {
    const inner = open.at(-1);
    if (kind === "start" || kind === "empty") {
      if (inner !== undefined) inner.hasChild = true;
      if (kind === "start") open.push({ at, hasText: false, hasChild: false });
    } else if (kind === "end") {
      const closed = open.pop();
      if (closed?.hasText || closed?.hasChild === false) ends.set(closed.at, at);
    } else if (
      inner !== undefined &&
      (text.startsWith("<![CDATA[") || (kind === "text" && text.trim() !== ""))
    ) {
      inner.hasText = true;
    }
  }
  return ends;
}
