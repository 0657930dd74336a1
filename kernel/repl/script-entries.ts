import process from "node:process";
import { type AskStatus, EntryReader, type TextSource } from "./entry/mod.ts";
import { UsageError } from "./options.ts";

/** An entry of a script. */
interface ScriptEntry {
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

/** After how many milliseconds without a first byte a note says what is waited for. */
const NOTE_AFTER = 5_000;
/** How many pieces are read ahead. */
const MAX_AHEAD = 16;

/**
 * Opens standard input as text that is read as it comes; if it is closed, the text is empty. Reading
 * throws a {@link UsageError} if it is not UTF-8 or cannot be read.
 *
 * @param note Receives a note if nothing comes for a while.
 */
export function openStandardInput(note: (message: string) => void): TextSource {
  const { stdin } = process;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const chunks: Uint8Array[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let wake = (): void => undefined;
  const timer = setTimeout(() => {
    note("Waiting for standard input; Ctrl-D ends it. To read none, write -e TEXT, or < /dev/null");
  }, NOTE_AFTER);
  timer.unref?.();
  stdin.on("data", (chunk: Uint8Array) => {
    clearTimeout(timer);
    chunks.push(chunk);
    if (chunks.length > MAX_AHEAD) stdin.pause();
    wake();
  });
  const end = (error?: Error): void => {
    clearTimeout(timer);
    isEnded = true;
    failure ??= error;
    wake();
  };
  stdin.on("end", () => end());
  stdin.on("close", () => end());
  stdin.on("error", end);

  return async () => {
    while (chunks.length === 0 && !isEnded) {
      stdin.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const chunk = chunks.shift();
    if (chunk === undefined && failure !== undefined) throw describe(failure);
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      return chunk === undefined && text === "" ? undefined : text;
    } catch {
      throw new UsageError("Reading standard input failed: it is not UTF-8 text");
    }
  };
}

/** Reads all of standard input. */
export async function readStandardInput(note: (message: string) => void): Promise<string> {
  const read = openStandardInput(note);
  let text = "";
  for (let piece = await read(); piece !== undefined; piece = await read()) text += piece;
  return text;
}

function describe(error: Error): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === "EISDIR" ? "it is a folder" : message;
  return new UsageError(`Reading standard input failed: ${reason}`);
}
