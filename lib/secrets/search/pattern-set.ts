import { type Automaton, createAutomaton } from "./automaton.ts";
import { formsOf } from "./forms.ts";

/** Secrets that are searched for together, in all their forms. */
export interface PatternSet {
  readonly texts: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly automaton: Automaton;
}

/** No secrets. */
export const EMPTY: PatternSet = { texts: [], known: new Set(), automaton: createAutomaton([]) };

/** Builds the automaton for secrets. */
export function createPatternSet(texts: readonly string[]): PatternSet {
  if (texts.length === 0) return EMPTY;
  const patterns = texts.flatMap((text, owner) =>
    formsOf(text).map((form) => ({ text: form, owner })),
  );
  return { texts, known: new Set(texts), automaton: createAutomaton(patterns) };
}
