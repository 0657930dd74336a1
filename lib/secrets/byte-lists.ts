import type { Stretch } from "./positions.ts";
import type { Unescaped } from "./unescape.ts";

/** Bytes that a text lists by their numbers, as a text of their own. */
export interface ByteList extends Unescaped {
  /** Where it ends in the text. */
  readonly end: number;
  /** What stands behind it, as far as it may belong to it. */
  readonly rest: string;
}

/** So many numbers are a list; fewer tell no more than a few characters. */
const FEWEST = 4;
// Commas, blanks and lines between the numbers, and the keys that JSON gives to an array of bytes.
const DECIMAL = String.raw`(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?![\w.])`;
const DECIMAL_GAP = String.raw`(?:\s{0,40},\s{0,40}(?:["']?\d{1,9}["']?:\s{0,4})?|\s{1,40})`;
const HEX = String.raw`(?:0x)?[\da-f]{2}(?!\w)`;
const HEX_GAP = String.raw`[\s,:-]{1,40}`;

/** How a byte may be written, and what stands between two of them. */
const NOTATIONS = [
  { base: 10, number: String.raw`(?<![\w.])${DECIMAL}`, next: DECIMAL_GAP + DECIMAL },
  { base: 16, number: String.raw`(?<!\w)${HEX}`, next: HEX_GAP + HEX },
].map(({ base, number, next }) => ({
  base,
  // A few of them, so that nothing is walked over twice; the others are read one by one.
  list: new RegExp(`${number}(?:${next}){${FEWEST - 1}}`, "gi"),
  number: new RegExp(number, "gi"),
  first: new RegExp(number, "iy"),
  next: new RegExp(next, "iy"),
}));

/**
 * Finds the lists of bytes in a text: `Uint8Array(3) [ 97, 98, 99 ]`, `<Buffer 61 62 63>`,
 * `[97,98,99]` and `{"0":97,"1":98}` of JSON, `0x61, 0x62`, `61:62`.
 */
export function findByteLists(text: string): readonly ByteList[] {
  return areasOf(text, FEWEST).flatMap((area) =>
    NOTATIONS.flatMap((notation) => listsIn(text, area, notation.list, notation)),
  );
}

/** A list at the end of a text. */
export interface OpenList extends ByteList {
  /** What it may say: the last number may have more digits. */
  readonly readings: readonly string[];
}

/** The lists that the next piece of a stream may go on with: a single number may begin one. */
export function findOpenLists(text: string): readonly OpenList[] {
  const area = areasOf(text, 1).findLast(({ end }) => end === text.length);
  if (area === undefined) return [];
  return NOTATIONS.flatMap((notation) =>
    listsIn(text, area, notation.number, notation)
      .filter(({ rest, end }) => OPEN.test(rest) && end + rest.length === text.length)
      .map((list) => ({ ...list, readings: readingsOf(list, text, notation) })),
  );
}

function readingsOf(list: ByteList, text: string, { base }: Notation): readonly string[] {
  if (list.rest !== "" || base !== 10) return [list.text];
  const last = list.toWritten(list.text.length - 1, list.text.length);
  const digits = text.slice(last.start, last.end);
  const before = list.text.slice(0, -1);
  const bytes = BYTES.filter((byte) => String(byte).startsWith(digits));
  return bytes.map((byte) => before + String.fromCharCode(byte));
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte);

/** Whether a console has left out what follows: `... 20 more items`. */
export function isCutList({ rest }: ByteList): boolean {
  return CUT.test(rest);
}

const LONGEST_REST = 100;
const CUT = /^[\s,]{0,60}(?:\.\.\.|…)/;
const OPEN = /^[\s,:-]{0,80}(?:["']?\d{0,9}["']?:?\s{0,4})?(?:0x?)?$/;

type Notation = (typeof NOTATIONS)[number];

const DIGIT = 1;
const GAP = 2;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[\da-fx]/i.test(character) ? DIGIT : /[\s,:"'-]/.test(character) ? GAP : 0;
});

/** Where so many numbers in a row may stand: all else is passed over at a fraction of what patterns cost. */
function areasOf(text: string, fewest: number): Stretch[] {
  const areas: Stretch[] = [];
  let start = 0;
  let count = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < KINDS.length ? (KINDS[code] as number) : 0;
    if (kind === 0) {
      if (count >= fewest) areas.push({ start, end: at });
      count = 0;
    } else if (kind === DIGIT && before !== DIGIT) {
      if (count === 0) start = at;
      count += 1;
    }
    before = kind;
  }
  if (count >= fewest) areas.push({ start, end: text.length });
  return areas;
}

function listsIn(text: string, area: Stretch, begin: RegExp, notation: Notation): ByteList[] {
  const lists: ByteList[] = [];
  // With the character before it, which may make a name of the first number.
  const offset = Math.max(0, area.start - 1);
  const part = text.slice(offset, area.end);
  begin.lastIndex = 0;
  for (let match = begin.exec(part); match !== null; match = begin.exec(part)) {
    const list = readList(part, match.index, notation);
    begin.lastIndex = Math.max(begin.lastIndex, list.end);
    const end = list.end + offset;
    lists.push({
      text: list.text,
      end,
      rest: text.slice(end, end + LONGEST_REST),
      toWritten: (start, stop) => ({
        start: offset + (list.starts[start] ?? list.end),
        end: offset + (list.ends[stop - 1] ?? list.end),
      }),
    });
  }
  return lists;
}

function readList(
  text: string,
  from: number,
  { base, first, next }: Notation,
): { text: string; end: number; starts: readonly number[]; ends: readonly number[] } {
  const bytes: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let end = from;
  for (let pattern = first; ; pattern = next) {
    pattern.lastIndex = end;
    if (!pattern.test(text)) break;
    const start = startOfNumber(text, pattern.lastIndex, end);
    end = pattern.lastIndex;
    bytes.push(String.fromCharCode(Number.parseInt(text.slice(start, end), base)));
    starts.push(start);
    ends.push(end);
  }
  return { text: bytes.join(""), end, starts, ends };
}

/** Where the digits begin that end here. */
function startOfNumber(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && HEX_DIGITS[text.charCodeAt(at - 1)] === 1) at--;
  return at;
}

const HEX_DIGITS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\da-f]/i.test(String.fromCharCode(code)) ? 1 : 0,
);
