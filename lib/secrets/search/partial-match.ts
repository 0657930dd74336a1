import type { Automaton } from "./automaton.ts";
import { startOfPartialEscape, unescapeText } from "./escapes.ts";

/** The end of a text that may be the beginning of a secret, or of what hides one. */
export interface PartialMatch {
  /** Where it begins; the length of the text where there is none. */
  readonly from: number;
  /** How many characters of a secret stand there, and how many it needs at least; none of a URL. */
  readonly depth: number;
  readonly missing: number;
}

/** So many characters of a secret may be seen where a text stops in the middle of it. */
export const HARMLESS = 3;

/** `&amp;amp;#x0041;`: hardly an escape of one character is longer. */
const LONGEST_ESCAPE = 16;

/** From where on the end of a text may go on to be a secret, however it is written. */
export function findPartialMatch(text: string, automaton: Automaton): PartialMatch {
  const begun = begunIn(text.slice(-automaton.longest), automaton);
  const plain = { from: text.length - begun.depth, ...begun };
  return earlier(plain, findEscaped(text, automaton));
}

/** An end of a text, from some place on, that is no beginning of a secret by itself. */
export function noMatch(from: number): PartialMatch {
  return { from, depth: 0, missing: 0 };
}

/** Of two ends the one that begins earlier. */
export function earlier(one: PartialMatch, other: PartialMatch): PartialMatch {
  return other.from < one.from ? other : one;
}

function findEscaped(text: string, automaton: Automaton): PartialMatch {
  const tail = text.slice(-automaton.longest * LONGEST_ESCAPE);
  const offset = text.length - tail.length;
  // An escape may begin behind a beginning that has none.
  const begin = startOfPartialEscape(tail);
  const whole = tail.slice(0, begin);
  const read = unescapeText(whole);
  const inside = read?.text ?? whole;
  const { depth, missing } = begunIn(inside, automaton);
  if (depth === 0) return noMatch(offset + begin);
  const at = inside.length - depth;
  return { from: offset + (read?.toWritten(at, inside.length).start ?? at), depth, missing };
}

/**
 * How many characters at the end of a text may go on to be a secret, and how many it needs at least.
 * A secret that is whole and ends in a quote is open, too: quotes in a row are read as one, however
 * they are written, and the next piece may bring another.
 */
function begunIn(text: string, automaton: Automaton): Pick<PartialMatch, "depth" | "missing"> {
  let whole = 0;
  const state = automaton.scan(text, (end, length) => {
    if (end === text.length) whole = length;
  });
  const depth = automaton.depth(state);
  return whole > depth && /["']$/.test(text)
    ? { depth: whole, missing: 0 }
    : { depth, missing: automaton.missing(state) };
}
