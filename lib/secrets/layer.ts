import { type Automaton, createAutomaton, type Pattern } from "./automaton.ts";
import { formsOf } from "./forms.ts";

/** Secrets that are searched for together. */
export interface Layer {
  readonly texts: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly automaton: Automaton;
}

/** No secrets. */
export const EMPTY: Layer = { texts: [], known: new Set(), automaton: createAutomaton([]) };

/** Builds the search for secrets in all their forms. */
export function createLayer(texts: readonly string[]): Layer {
  if (texts.length === 0) return EMPTY;
  const patterns: Pattern[] = texts.flatMap((text, owner) =>
    formsOf(text).map((form) => ({ text: form, owner })),
  );
  return { texts, known: new Set(texts), automaton: createAutomaton(patterns) };
}
