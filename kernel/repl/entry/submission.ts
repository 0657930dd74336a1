import { splitEntries } from "./entry-reader.ts";
import {
  type AskStatus,
  type Input,
  isInputComplete,
  kindOfInput,
  normalizeInput,
} from "./input.ts";

/** A text at whose end Enter was pressed, and the entries that it contains. */
export interface Submission {
  /** The text, with missing empty lines before bodies inserted. */
  readonly text: string;
  /** Whether the last entry needs no more lines. */
  readonly isComplete: boolean;
  readonly entries: readonly SubmittedEntry[];
}

interface SubmittedEntry {
  readonly input: Input;
  /** The line of the text on which it begins, from 1. */
  readonly line: number;
}

/** Reads a text that was typed or pasted: its entries by their kinds, and whether the last one is complete. */
export async function readSubmission(typed: string, ask: AskStatus): Promise<Submission> {
  const whole = normalizeInput(kindOfInput(typed));
  const text = whole.source;
  if (text.trim() === "") return { text, isComplete: true, entries: [] };
  // A single line is one entry.
  const found = text.includes("\n") ? await splitEntries(text, ask) : [];
  const { line = 1 } = found.at(-1) ?? {};
  const lines = text.split("\n").slice(line - 1);
  const last = line === 1 ? whole : kindOfInput(lines.join("\n"));
  const entries =
    found.length > 1
      ? found.map((entry) => ({ input: kindOfInput(entry.text), line: entry.line }))
      : [{ input: whole, line: 1 }];
  return { text, isComplete: await isInputComplete(last, ask), entries };
}
