import { HIDDEN, type Masking } from "../../secrets/mod.ts";

/** The part of `parse5` that is used: it returns the source positions of nodes and attributes. */
export interface MarkupParser {
  /** Parses HTML as browsers do. */
  parseFragment(html: string, options: { readonly sourceCodeLocationInfo: true }): MarkupNode;
}

/** A node of `parse5`. */
export interface MarkupNode {
  /** The name of the element, or `#text` and the like. */
  readonly nodeName: string;
  /** The text of a `#text`. */
  readonly value?: string;
  /** The attributes of an element. */
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  /** Its children. */
  readonly childNodes?: readonly MarkupNode[];
  /** Its position, and the positions of its attributes. */
  readonly sourceCodeLocation?:
    | (MarkupStretch & { readonly attrs?: Readonly<Record<string, MarkupStretch>> })
    | null
    | undefined;
}

/** A range of the source. */
export interface MarkupStretch {
  /** The start. */
  readonly startOffset: number;
  /** The end, exclusive. */
  readonly endOffset: number;
}

/** Elements whose text is a program, a style or markup, and those that load something. */
const NO_TEXT =
  /^(?:script|style|template|no(?:script|embed|frames)|xmp|plaintext|i?frame|frameset|object|embed|base|link|meta)$/;
/** Attributes whose value is text for a reader. */
const WORDS =
  /^(?:title|alt|value|placeholder|label|summary|aria-(?:label|description|placeholder|valuetext|roledescription))$/;
/** Attributes whose value is a URL. */
const ADDRESSES = /^(?:href|src|cite|action|poster)$/;
const PROGRAM = /^(?:javascript|vbscript|data):/i;
/** The beginning of a tag, which may become one if the text around it changes. */
const TAG = /<[a-z/!?]/i;
const QUOTED = /^[^\s=]+\s*=\s*(?=["'])/;

/**
 * Masks the texts and the attributes of markup that a program has created, and leaves every other character as
 * it is: parsing and serializing would change it. Secrets are found in the source; the parser only says which
 * parts of it are text.
 *
 * @returns `undefined` if a secret is part of the markup itself: of the name of a tag or an attribute, of
 *   a comment, a script or a style. A server decides what is secret, and replacing it there would change
 *   how the rest is parsed.
 */
export function maskOwnMarkup(
  source: string,
  { locate }: Masking,
  parser: () => MarkupParser | undefined,
): string | undefined {
  const ranges = locate(source);
  if (ranges.length === 0) return source;
  const texts = textRangesOf(source, parser());
  const parts: string[] = [];
  let from = 0;
  let index = 0;
  for (const { start, end, shown } of ranges) {
    while ((texts[index]?.end ?? end) < end) index++;
    const text = texts[index];
    if (text === undefined || text.start > start) return undefined;
    parts.push(source.slice(from, start), text.isAddress ? HIDDEN : toPlainMark(shown));
    from = end;
  }
  return parts.join("") + source.slice(from);
}

interface TextRange {
  readonly start: number;
  readonly end: number;
  /** Whether it is a URL, which a placeholder would change to another one. */
  readonly isAddress: boolean;
}

function textRangesOf(source: string, parser: MarkupParser | undefined): readonly TextRange[] {
  const texts: TextRange[] = [];
  const waiting = [parser?.parseFragment(source, { sourceCodeLocationInfo: true })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (NO_TEXT.test(node.nodeName.toLowerCase())) continue;
    const { sourceCodeLocation: place } = node;
    if (node.nodeName === "#text" && place != null) {
      const { startOffset: start, endOffset: end } = place;
      if (!TAG.test(source.slice(start, end))) texts.push({ start, end, isAddress: false });
    }
    for (const attribute of node.attrs ?? []) {
      const range = attributeRange(source, node, attribute);
      if (range !== undefined) texts.push(range);
    }
    // One by one: a million children as arguments of one call would overflow the stack.
    for (const child of node.childNodes ?? []) waiting.push(child);
  }
  return texts.sort((one, other) => one.start - other.start);
}

function attributeRange(
  source: string,
  { sourceCodeLocation }: MarkupNode,
  { name, value }: { readonly name: string; readonly value: string },
): TextRange | undefined {
  const place = sourceCodeLocation?.attrs?.[name];
  const isAddress = ADDRESSES.test(name);
  if (place === undefined || !(isAddress || WORDS.test(name))) return undefined;
  // Browsers ignore control characters and blanks in the scheme of a URL.
  if (isAddress && PROGRAM.test(value.replace(/[\0- ]/g, ""))) return undefined;
  const written = source.slice(place.startOffset, place.endOffset);
  const before = QUOTED.exec(written)?.[0].length;
  // A blank would end an unquoted value.
  if (before === undefined) return undefined;
  return { start: place.startOffset + before + 1, end: place.endOffset - 1, isAddress };
}

/**
 * A placeholder that is plain text in every markup language, or else dots: a server chooses the keys in it,
 * and what is inert in HTML may not be in Markdown or in a formula.
 */
export function toPlainMark(shown: string): string {
  return /^\{\{[\p{L}\p{M}\p{Nd}_.[\]-]{1,200}\}\}$/u.test(shown) ? shown : HIDDEN;
}
