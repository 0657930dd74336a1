import { HIDDEN, type Masking } from "../../secrets/mod.ts";

/** The part of `parse5` that is needed: it says where in a text each node and attribute stands. */
export interface MarkupParser {
  /** Parses HTML as browsers do. */
  parseFragment(html: string, options: { readonly sourceCodeLocationInfo: true }): MarkupNode;
}

/** A node of `parse5`. */
export interface MarkupNode {
  /** The name of the element, or `#text` and its kin. */
  readonly nodeName: string;
  /** The attributes of an element. */
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  /** What is in it. */
  readonly childNodes?: readonly MarkupNode[];
  /** Where it stands, and where its attributes do. */
  readonly sourceCodeLocation?:
    | (MarkupStretch & { readonly attrs?: Readonly<Record<string, MarkupStretch>> })
    | null
    | undefined;
}

/** From where to where something stands in the text. */
export interface MarkupStretch {
  /** The place of its first character. */
  readonly startOffset: number;
  /** The place behind its last one. */
  readonly endOffset: number;
}

/** Elements in which text is a program, a style or markup again, and those that load something. */
const NO_LEAVES =
  /^(?:script|style|template|no(?:script|embed|frames)|xmp|plaintext|i?frame|frameset|object|embed|base|link|meta)$/;
/** Attributes that are words for a reader. */
const WORDS =
  /^(?:title|alt|value|placeholder|label|summary|aria-(?:label|description|placeholder|valuetext|roledescription))$/;
/** Attributes that are one address. */
const ADDRESSES = /^(?:href|src|cite|action|poster)$/;
const PROGRAM = /^(?:javascript|vbscript|data):/i;
/** What another element of the page could begin with: then a text node is more than text. */
const TAG = /<[a-z/!?]/i;
const QUOTED = /^[^\s=]+\s*=\s*(?=["'])/;

/**
 * Masks the texts and the attributes of markup that a program has made, and leaves every other
 * character of it as it is: what is parsed and written anew is not what it was. Nothing is found by
 * what the parser makes of the text, only where it stands.
 *
 * @returns Nothing where a secret stands in the markup itself: in the name of a tag or an attribute,
 *   in a comment, in a script or a style. A server decides what is secret, and taken out of there it
 *   would let what follows be read as something else.
 */
export function maskOwnMarkup(
  source: string,
  { locate }: Masking,
  parser: () => MarkupParser | undefined,
): string | undefined {
  const ranges = locate(source);
  if (ranges.length === 0) return source;
  const leaves = leavesOf(source, parser());
  const parts: string[] = [];
  let from = 0;
  let index = 0;
  for (const { start, end, shown } of ranges) {
    while ((leaves[index]?.end ?? end) < end) index++;
    const leaf = leaves[index];
    if (leaf === undefined || leaf.start > start) return undefined;
    parts.push(source.slice(from, start), leaf.isAddress ? HIDDEN : toPlainMark(shown));
    from = end;
  }
  return parts.join("") + source.slice(from);
}

interface Leaf {
  readonly start: number;
  readonly end: number;
  /** Whether a mark that says something would name another place. */
  readonly isAddress: boolean;
}

function leavesOf(source: string, parser: MarkupParser | undefined): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const waiting = [parser?.parseFragment(source, { sourceCodeLocationInfo: true })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (NO_LEAVES.test(node.nodeName.toLowerCase())) continue;
    const { sourceCodeLocation: place } = node;
    if (node.nodeName === "#text" && place != null) {
      const { startOffset: start, endOffset: end } = place;
      if (!TAG.test(source.slice(start, end))) leaves.push({ start, end, isAddress: false });
    }
    for (const attribute of node.attrs ?? [])
      leaves.push(...attributeLeaf(source, node, attribute));
    waiting.push(...(node.childNodes ?? []));
  }
  return leaves.sort((one, other) => one.start - other.start);
}

function attributeLeaf(
  source: string,
  { sourceCodeLocation }: MarkupNode,
  { name, value }: { readonly name: string; readonly value: string },
): readonly Leaf[] {
  const place = sourceCodeLocation?.attrs?.[name];
  const isAddress = ADDRESSES.test(name);
  if (place === undefined || !(isAddress || WORDS.test(name))) return [];
  // A browser passes over control characters and blanks in the scheme of an address.
  if (isAddress && PROGRAM.test(value.replace(/[\0- ]/g, ""))) return [];
  const written = source.slice(place.startOffset, place.endOffset);
  const before = QUOTED.exec(written)?.[0].length;
  // Without quotes a blank would end it.
  if (before === undefined) return [];
  return [{ start: place.startOffset + before + 1, end: place.endOffset - 1, isAddress }];
}

/**
 * A placeholder that is plain in every markup language, or else dots: its keys are a server's, and
 * what is inert in HTML is not so in Markdown or in a formula.
 */
export function toPlainMark(shown: string): string {
  return /^\{\{[\p{L}\p{M}\p{Nd}_.[\]-]{1,200}\}\}$/u.test(shown) ? shown : HIDDEN;
}
