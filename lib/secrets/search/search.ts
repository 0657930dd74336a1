import type { SecretRange } from "../names/mod.ts";
import { HIDDEN } from "../names/mod.ts";
import { earlier, findPartialMatch, noMatch, type PartialMatch } from "./partial-match.ts";
import { createPatternSet, EMPTY, type PatternSet } from "./pattern-set.ts";
import { readingsOf } from "./readings.ts";

/** Finds secrets in all their forms. */
export interface Search {
  /** The ranges of secrets, unordered; they may overlap. */
  locate(text: string): SecretRange[];
  /** The end of a text that may continue to a secret. */
  partialMatch(text: string): PartialMatch;
  /** Rebuilds everything after a secret was removed. */
  forget(): void;
}

/** The most secrets of the small set. */
const MOST_RECENT = 64;

/**
 * Creates a search over a growing collection. New secrets go into a small set, so that learning a token
 * does not rebuild the automaton of all secrets.
 *
 * @param known The secrets and their replacements.
 */
export function createSearch(known: ReadonlyMap<string, string>): Search {
  let settled = EMPTY;
  let recent = EMPTY;

  function sets(): readonly PatternSet[] {
    if (known.size !== settled.texts.length + recent.texts.length) {
      const fresh = [...known.keys()].filter((text) => !settled.known.has(text));
      if (fresh.length <= MOST_RECENT) recent = createPatternSet(fresh);
      else {
        settled = createPatternSet([...known.keys()]);
        recent = EMPTY;
      }
    }
    return [settled, recent].filter((set) => set.texts.length > 0);
  }

  return {
    locate: (text) => {
      const all = sets();
      const found: SecretRange[] = [];
      if (all.length === 0) return found;
      for (const reading of readingsOf(text)) {
        for (const { start, end, shown } of all.flatMap((set) =>
          locateIn(reading.text, set, known),
        )) {
          found.push({ ...reading.toWritten(start, end), shown });
        }
      }
      return found;
    },
    partialMatch: (text) =>
      sets()
        .map(({ automaton }) => findPartialMatch(text, automaton))
        .reduce(earlier, noMatch(text.length)),
    forget: () => {
      settled = EMPTY;
      recent = EMPTY;
    },
  };
}

function locateIn(
  text: string,
  { automaton, texts }: PatternSet,
  known: ReadonlyMap<string, string>,
): SecretRange[] {
  const found: SecretRange[] = [];
  automaton.scan(text, (end, length, owner) => {
    const last = found.at(-1);
    const start = end - length;
    // A longer match replaces a shorter one inside it.
    if (last !== undefined && last.start >= start && last.end <= end) found.pop();
    found.push({ start, end, shown: known.get(texts[owner] ?? "") ?? HIDDEN });
  });
  return found;
}
