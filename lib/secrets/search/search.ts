import type { SecretRange } from "../names/mod.ts";
import { HIDDEN } from "../names/mod.ts";
import { earlier, findPartialMatch, noMatch, type PartialMatch } from "./partial-match.ts";
import { createPatternSet, EMPTY, type PatternSet } from "./pattern-set.ts";
import { readingsOf } from "./readings.ts";

/** Finds secrets in whatever form. */
export interface Search {
  /** Where secrets stand, in no order; they may overlap. */
  locate(text: string): SecretRange[];
  /** From where on a text may go on to be a secret. */
  partialMatch(text: string): PartialMatch;
  /** A secret is one no more: all is built anew. */
  forget(): void;
}

/** So many secrets are searched for beside the others before all are built anew. */
const MOST_RECENT = 64;

/**
 * Creates a search that follows a growing collection. Secrets that come one by one go into a small set
 * of their own, so that a session that learns a token does not build all of it again.
 *
 * @param known The secrets, and what stands in their places.
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
    // A longer match at the same place takes the place of a shorter one, in constant memory.
    if (last !== undefined && last.start >= start && last.end <= end) found.pop();
    found.push({ start, end, shown: known.get(texts[owner] ?? "") ?? HIDDEN });
  });
  return found;
}
