import type { Automaton } from "./automaton.ts";
import { startOfPartialEscape, unescapeText } from "./escapes.ts";

/** The end of a text that may be the beginning of a secret, of an escape or of a URL. */
export interface PartialMatch {
  /** Its offset; the length of the text if there is none. */
  readonly from: number;
  /** How many characters of a secret there are, and how many more it needs; 0 for a URL. */
  readonly depth: number;
  readonly missing: number;
}

/** This many characters of a secret may be shown when a text stops inside it. */
export const HARMLESS = 3;

/** `&amp;amp;#x0041;`: hardly an escape of one character is longer. */
const LONGEST_ESCAPE = 16;

/** Finds the end of a text that may continue to a secret in any form. */
export function findPartialMatch(text: string, automaton: Automaton): PartialMatch {
  const begun = begunIn(text.slice(-automaton.longest), automaton);
  const plain = { from: text.length - begun.depth, ...begun };
  return earlier(plain, findEscaped(text, automaton));
}

/** The end of a text from an offset on, which is not itself the beginning of a secret. */
export function noMatch(from: number): PartialMatch {
  return { from, depth: 0, missing: 0 };
}

/** The one of two ends that begins earlier. */
export function earlier(one: PartialMatch, other: PartialMatch): PartialMatch {
  return other.from < one.from ? other : one;
}

function findEscaped(text: string, automaton: Automaton): PartialMatch {
  const tail = text.slice(-automaton.longest * LONGEST_ESCAPE);
  const offset = text.length - tail.length;
  // An escape may follow characters that are not escaped.
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
 * How many characters at the end of a text may continue to a secret, and how many more it needs. A
 * whole secret that ends in a quote counts, too: quotes in a row are read as one, and the next piece
 * may begin with another.
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
