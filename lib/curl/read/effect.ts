import type { State } from "./state.ts";
import type { Report, Word } from "./word.ts";

/** Applies an option to the state; `word` is the word of its value. */
export type Effect = (state: State, value: string, word: Word, report: Report) => void;
