import type { State } from "./state.ts";
import type { Report, Word } from "./word.ts";

/** What an option does to the state; `word` is where its value stands. */
export type Effect = (state: State, value: string, word: Word, report: Report) => void;
