import { endOfEntry } from "./end-of-entry.ts";
import {
  type AskStatus,
  type Input,
  isInputComplete,
  kindOfInput,
  normalizeInput,
} from "./input.ts";

/** An entry of a text with several. */
interface Entry {
  readonly text: string;
  /** The line of the text on which it begins, from 1. */
  readonly line: number;
  /** Whether nothing follows it, as far as that is known. */
  readonly isLast: boolean;
}

/** Returns the next piece of a text when it arrives; `undefined` at the end. */
export type TextSource = () => Promise<string | undefined>;

/**
 * How long an entry that is complete waits for a line that continues it, in milliseconds. Pieces of the same text
 * follow each other faster, and a person types slower.
 */
const GRACE = 50;

/** Divides a text into entries, as if its lines were typed at the prompt. */
export class EntryReader {
  readonly #source: TextSource;
  readonly #ask: AskStatus;
  #text = "";
  #line = 1;
  #isAll = false;
  #pending: Promise<string | undefined> | undefined;

  /** @param source The whole text, or the source of its pieces. */
  constructor(source: string | TextSource, ask: AskStatus) {
    this.#ask = ask;
    if (typeof source === "string") {
      this.#source = async () => undefined;
      this.#text = toLineFeeds(source);
      this.#isAll = true;
    } else this.#source = source;
  }

  /** Reads the next entry; `undefined` at the end of the text. */
  async next(): Promise<Entry | undefined> {
    for (;;) {
      const isBlank = hasNoEntry(this.#text);
      if (isBlank && this.#isAll) return undefined;
      const found = isBlank ? undefined : await endOfEntry(this.#text, this.#isAll, this.#ask);
      if (found === undefined && (await this.#more())) continue;
      if (found?.isSure === false && (await this.#more(GRACE))) continue;
      const entry = this.#take(found ?? { start: 0, end: this.#text.length });
      if (entry !== undefined) return entry;
    }
  }

  /** Waits for the next piece or the end; returns whether the text has to be read again. */
  async #more(within?: number): Promise<boolean> {
    if (this.#isAll) return false;
    this.#pending ??= this.#source();
    const piece = await (within === undefined ? this.#pending : inTime(this.#pending, within));
    if (piece === LATE) return false;
    this.#pending = undefined;
    if (piece === undefined) this.#isAll = true;
    else this.#text = toLineFeeds(this.#text + piece);
    return true;
  }

  #take({ start, end }: { readonly start: number; readonly end: number }): Entry | undefined {
    this.#drop(start);
    const line = this.#line;
    const text = this.#text.slice(0, end - start);
    this.#drop(end - start);
    if (text.trim() === "") return undefined;
    const isLast = this.#isAll && hasNoEntry(this.#text);
    return { text: text.trimEnd(), line, isLast };
  }

  #drop(end: number): void {
    for (let at = this.#text.indexOf("\n"); at !== -1 && at < end; ) {
      this.#line += 1;
      at = this.#text.indexOf("\n", at + 1);
    }
    this.#text = this.#text.slice(end);
  }
}

const toLineFeeds = (text: string): string => text.replaceAll("\r\n", "\n");

/** Whether a text has only blank lines and separators. */
function hasNoEntry(text: string): boolean {
  const [separators = ""] = /^(?:[^\S\n]*(?:###[^\n]*)?(?:\n|$))*/.exec(text) ?? [];
  return separators.length === text.length;
}

const LATE = Symbol("late");

async function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T | typeof LATE> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Divides a text that is complete into its entries. */
export async function splitEntries(text: string, ask: AskStatus): Promise<readonly Entry[]> {
  const reader = new EntryReader(text, ask);
  const entries: Entry[] = [];
  for (let entry = await reader.next(); entry !== undefined; entry = await reader.next()) {
    entries.push(entry);
  }
  return entries;
}

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
