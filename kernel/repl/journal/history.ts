import { appendFile, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, openFileForWriting, readTail, takeOutLines } from "../../platform/mod.ts";

/** Entries of this and earlier sessions. */
export interface History {
  /** The latest last, none twice. */
  readonly entries: readonly string[];
  /**
   * Keeps an entry.
   *
   * @param isPrivate Whether it stays in this session and out of the file.
   */
  add(entry: string, isPrivate?: boolean): void;
  /**
   * Takes entries of this session out of the file that are no longer to be in it.
   *
   * @param isKeepable Whether an entry may be in the file.
   * @param revision What this is by; nothing is done where it is as it was the last time.
   */
  review(isKeepable: (entry: string) => boolean, revision: number): void;
  /** Resolves when everything is in the file. */
  settle(): Promise<void>;
}

/** How a history is kept. */
export interface HistoryOptions {
  /** The file; without one, entries live as long as the session. */
  readonly path: string | undefined;
  /** Told once, when the file is of no use. */
  readonly onTrouble: (message: string) => void;
}

const LONGEST = 2_000;
const LONGEST_ENTRY = 50_000;
/** What is read of a file that somebody else has made large. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Opens the history: one JSON string a line, so that an entry may have several. The file is only
 * appended to, by whichever sessions there are, and made shorter at a start. Whatever is wrong with
 * it is told once, and the session goes on without it.
 */
export async function openHistory({ path, onTrouble }: HistoryOptions): Promise<History> {
  let usable = path;
  let pending: Promise<void> = Promise.resolve();
  let entries: readonly string[] = [];
  let isTold = false;
  const kept = new Set<string>();
  let reviewed = 0;

  const tell = (message: string): void => {
    if (!isTold) onTrouble(message);
    isTold = true;
  };

  const giveUp = (file: string, error: unknown): void => {
    if (usable === undefined) return;
    usable = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    tell(`The history is not kept beyond this session: "${file}": ${reason}`);
  };

  if (path !== undefined) {
    try {
      const { found, broken, lines } = await readEntries(path);
      entries = found;
      if (broken > 0) {
        const what = broken === 1 ? "1 broken line is" : `${broken} broken lines are`;
        tell(`Reading the history "${path}": ${what} left out`);
      }
      if (broken > 0 || lines > LONGEST * 2) await rewrite(path, entries);
    } catch (error) {
      giveUp(path, error);
    }
  }

  async function append(file: string, entry: string): Promise<void> {
    try {
      makeFolder(dirname(file), 0o700);
      await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch (error) {
      giveUp(file, error);
    }
  }

  function takeOut(file: string, lines: ReadonlySet<string>): void {
    try {
      takeOutLines(file, (line) => lines.has(line));
    } catch (error) {
      giveUp(file, error);
    }
  }

  return {
    get entries() {
      return entries;
    },
    add: (entry, isPrivate = false) => {
      if (entry.trim() === "" || entry.length > LONGEST_ENTRY) return;
      const isRepeated = entries.at(-1) === entry;
      entries = [...entries.filter((other) => other !== entry), entry].slice(-LONGEST);
      if (isPrivate) return;
      // What was repeated is there from an earlier session, perhaps.
      kept.add(entry);
      if (isRepeated) return;
      pending = pending.then(() => (usable === undefined ? undefined : append(usable, entry)));
    },
    review: (isKeepable, revision) => {
      if (revision === reviewed) return;
      reviewed = revision;
      const out = [...kept].filter((entry) => !isKeepable(entry));
      for (const entry of out) kept.delete(entry);
      if (out.length === 0) return;
      const lines = new Set(out.map((entry) => JSON.stringify(entry)));
      pending = pending.then(() => (usable === undefined ? undefined : takeOut(usable, lines)));
    },
    settle: () => pending,
  };
}

async function readEntries(
  path: string,
): Promise<{ found: readonly string[]; broken: number; lines: number }> {
  const text = await readTail(path, MOST_BYTES);
  const found = new Set<string>();
  let broken = 0;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry === undefined) broken += 1;
    else {
      // The latest use counts.
      found.delete(entry);
      found.add(entry);
    }
  }
  return { found: [...found].slice(-LONGEST), broken, lines: lines.length };
}

function parseEntry(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? entry : undefined;
  } catch {
    // Counted by the caller, who tells of it.
    return undefined;
  }
}

async function rewrite(link: string, entries: readonly string[]): Promise<void> {
  // A link to where somebody keeps such files stays a link.
  const file = await openFileForWriting(await realpath(link), { replace: true });
  try {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    await file.write(new TextEncoder().encode(text));
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
