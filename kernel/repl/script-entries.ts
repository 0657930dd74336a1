import { type AskStatus, EntryReader, type TextSource } from "./entry/mod.ts";

/** An entry of a script. */
export interface ScriptEntry {
  readonly text: string;
  /** The line on which it begins in the text that it is from. */
  readonly line: number;
  /** Its name in messages; absent if it is the only one. */
  readonly name?: string;
  /** Whether nothing follows it, as far as that is known. */
  readonly isLast: boolean;
}

/** A text of the command line, or standard input. */
export interface ScriptText {
  readonly source: TextSource;
  /** For example `-e 2`; absent for the only text. */
  readonly label?: string;
  /** Whether it is one entry, whatever it contains. */
  readonly isWhole?: boolean;
}

/** Yields the entries of texts in order, as they arrive. */
export async function* readScript(
  texts: readonly ScriptText[],
  ask: AskStatus,
): AsyncGenerator<ScriptEntry, undefined> {
  let count = 0;
  for (const [index, { source, label, isWhole }] of texts.entries()) {
    const isLastText = index === texts.length - 1;
    if (isWhole === true) {
      count += 1;
      const text = (await source()) ?? "";
      yield {
        text,
        line: 1,
        isLast: isLastText,
        ...(isLastText ? {} : { name: `Entry ${count}` }),
      };
      continue;
    }
    const reader = new EntryReader(source, ask);
    for (let entry = await reader.next(); entry !== undefined; entry = await reader.next()) {
      const { text, line } = entry;
      const isLast = entry.isLast && isLastText;
      count += 1;
      const place = [label, `line ${line}`].filter(Boolean).join(", ");
      yield {
        text,
        line,
        isLast,
        ...(count === 1 && isLast ? {} : { name: `Entry ${count} (${place})` }),
      };
    }
  }
  return undefined;
}
