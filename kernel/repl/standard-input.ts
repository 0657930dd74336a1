import process from "node:process";
import type { Platform } from "../platform/mod.ts";
import type { ReplOptions } from "./command.ts";
import type { TextSource } from "./entry/mod.ts";

/** The command line or standard input cannot be used; the message says why and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A text of the command line, or standard input. */
export interface ScriptText {
  readonly source: TextSource;
  /** For example `-e 2`; absent for the only text. */
  readonly label?: string;
  /** The request of the command line as it was typed. It is one entry, whatever it contains. */
  readonly typed?: string;
}

/** The request of the command line and the texts of `-e`, else standard input; those that are blank are left out. */
export async function readTexts(
  { request, entries }: ReplOptions,
  platform: Platform,
): Promise<readonly ScriptText[]> {
  const note = (message: string): void => platform.stderr.write(`restlab: ${message}\n`);
  if (request === undefined && entries.length === 0) {
    const source = await pastBlanks(openStandardInput(note));
    return source === undefined ? [] : [{ source }];
  }
  const texts = entries
    .map((text, index) => ({
      text,
      source: sourceOf(text),
      label: entries.length > 1 ? `-e ${index + 1}` : undefined,
    }))
    .filter(({ text }) => text.trim() !== "");
  if (request === undefined) return texts;
  // Loaded late: most command lines have no request.
  const { requestText, typedText } = await import("./request-text.ts");
  const source = sourceOf(await requestText(request, note));
  return [{ source, typed: typedText(request) }, ...texts];
}

function sourceOf(...pieces: string[]): TextSource {
  return async () => pieces.shift();
}

/** Waits for a text that is not blank, before anything is loaded. */
async function pastBlanks(source: TextSource): Promise<TextSource | undefined> {
  let begun = "";
  while (begun.trim() === "") {
    const piece = await source();
    if (piece === undefined) return undefined;
    begun += piece;
  }
  const first = sourceOf(begun);
  return async () => (await first()) ?? (await source());
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
