import type { Automaton } from "./automaton.ts";
import type { Layer } from "./layer.ts";
import { openEscape, unescapeText } from "./unescape.ts";

/** The end of a text that may be the beginning of a secret, or of what hides one. */
export interface OpenEnd {
  /** Where it begins; the length of the text where there is none. */
  readonly from: number;
  /** How many characters of a secret stand there, and how many it needs at least; none of a URL. */
  readonly depth: number;
  readonly missing: number;
}

/** So many characters of a secret may be seen where a text stops in the middle of it. */
export const HARMLESS = 3;

/** `\\\\u0041`: no escape of one character is longer. */
const LONGEST_ESCAPE = 8;

/** From where on the end of a text may go on to be a secret of a layer, however it is written. */
export function openEndOf(text: string, layer: Layer): OpenEnd {
  const begun = begunIn(text.slice(-layer.automaton.longest), layer.automaton);
  const plain = { from: text.length - begun.depth, ...begun };
  return nearer(plain, openEscaped(text, layer));
}

/** Nothing is open. */
export function closed(text: string): OpenEnd {
  return { from: text.length, depth: 0, missing: 0 };
}

/** Of two ends the one that begins earlier. */
export function nearer(one: OpenEnd, other: OpenEnd): OpenEnd {
  return other.from < one.from ? other : one;
}

/** From where on the end of a text may be the beginning of a secret that is written with escapes. */
function openEscaped(text: string, { automaton }: Layer): OpenEnd {
  const tail = text.slice(-automaton.longest * LONGEST_ESCAPE);
  const whole = tail.slice(0, openEscape(tail));
  // An escape may begin behind a beginning that has none.
  const read = unescapeText(whole);
  if (read === undefined && whole.length === tail.length) return closed(text);
  const inside = read?.text ?? whole;
  const { depth, missing } = begunIn(inside, automaton);
  if (depth === 0) return closed(text);
  const at = inside.length - depth;
  const start = read?.toWritten(at, inside.length).start ?? at;
  return { from: text.length - tail.length + start, depth, missing };
}

/**
 * How many characters at the end of a text may go on to be a secret, and how many it needs at least.
 * A secret that is whole and ends in a quote is open, too: of quotes in a row {@link unescapeText}
 * makes one, however they are written, and the next piece may bring another.
 */
function begunIn(text: string, automaton: Automaton): Pick<OpenEnd, "depth" | "missing"> {
  let whole = 0;
  const state = automaton.scan(text, (end, length) => {
    if (end === text.length) whole = length;
  });
  const depth = automaton.depth(state);
  return whole > depth && /["']$/.test(text)
    ? { depth: whole, missing: 0 }
    : { depth, missing: automaton.missing(state) };
}
