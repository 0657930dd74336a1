import { appendFile, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, readTail, removeLines, writeFile } from "../platform/mod.ts";

interface HistoryOptions {
  /** Without a file, entries last as long as the session. */
  readonly path: string | undefined;
  readonly warn: (message: string) => void;
}

const MAX_ENTRIES = 2_000;
const MAX_ENTRY_LENGTH = 50_000;
/** How much is read of a file that another program has filled. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The entries of this session and earlier ones. The file has one JSON string per line, since entries may
 * have several lines. Sessions only append to it, so that several can run; a start shortens it. If the
 * file cannot be used, the session continues without it.
 */
export class History {
  /** Without duplicates, the latest last. */
  entries: readonly string[] = [];
  readonly #warn: HistoryOptions["warn"];
  /** The file, as long as it can be used. */
  #path: string | undefined;
  #hasWarned = false;
  #pending: Promise<void> = Promise.resolve();
  /** Entries of this session that may be in the file. */
  readonly #written = new Set<string>();
  #revision = 0;

  constructor({ path, warn }: HistoryOptions) {
    this.#path = path;
    this.#warn = warn;
  }

  /** Reads the entries of earlier sessions. */
  async load(): Promise<void> {
    this.#enqueue(async (path) => {
      const { entries, broken, lines } = await readEntries(path);
      this.entries = entries;
      if (broken > 0) {
        const what = broken === 1 ? "1 broken line is" : `${broken} broken lines are`;
        this.#warnOnce(`Reading the history "${path}": ${what} left out`);
      }
      if (broken > 0 || lines > MAX_ENTRIES * 2) await rewrite(path, entries);
    });
    await this.#pending;
  }

  /** @param isPrivate Whether the entry stays out of the file. */
  add(entry: string, isPrivate = false): void {
    if (entry.trim() === "" || entry.length > MAX_ENTRY_LENGTH) return;
    const isRepeated = this.entries.at(-1) === entry;
    const others = this.entries.filter((other) => other !== entry);
    this.entries = [...others, entry].slice(-MAX_ENTRIES);
    if (isPrivate) return;
    // An earlier session may have written an entry that is repeated here.
    this.#written.add(entry);
    if (isRepeated) return;
    this.#enqueue(async (path) => {
      makeFolder(dirname(path), 0o700);
      await appendFile(path, toLine(entry), { mode: 0o600 });
    });
  }

  /**
   * Removes entries of this session from the file that may no longer be in it.
   *
   * @param revision The revision of the rule; a review by the same revision does nothing.
   */
  review(isKeepable: (entry: string) => boolean, revision: number): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    const removed = [...this.#written].filter((entry) => !isKeepable(entry));
    if (removed.length === 0) return;
    for (const entry of removed) this.#written.delete(entry);
    const lines = new Set(removed.map((entry) => JSON.stringify(entry)));
    this.#enqueue((path) => removeLines(path, (line) => lines.has(line)));
  }

  /** Resolves when all changes have been written. */
  async flush(): Promise<void> {
    await this.#pending;
  }

  /** Changes the file after all earlier changes; stops using it if that fails. */
  #enqueue(change: (path: string) => void | Promise<void>): void {
    this.#pending = this.#pending.then(async () => {
      const path = this.#path;
      if (path === undefined) return;
      try {
        await change(path);
      } catch (error) {
        this.#path = undefined;
        const reason = error instanceof Error ? error.message : String(error);
        this.#warnOnce(`The history is not kept beyond this session: "${path}": ${reason}`);
      }
    });
  }

  #warnOnce(message: string): void {
    if (!this.#hasWarned) this.#warn(message);
    this.#hasWarned = true;
  }
}

async function readEntries(
  path: string,
): Promise<{ entries: readonly string[]; broken: number; lines: number }> {
  const lines = (await readTail(path, MAX_BYTES)).split("\n").filter((line) => line.trim() !== "");
  const found = new Set<string>();
  let broken = 0;
  for (const line of lines) {
    const entry = parseLine(line);
    if (entry === undefined) broken += 1;
    else {
      // A repeated entry has the position of its latest use.
      found.delete(entry);
      found.add(entry);
    }
  }
  return { entries: [...found].slice(-MAX_ENTRIES), broken, lines: lines.length };
}

/** @returns Nothing for a line that is broken. */
function parseLine(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
}

function toLine(entry: string): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The file may be a link, which stays one. */
async function rewrite(link: string, entries: readonly string[]): Promise<void> {
  await writeFile(await realpath(link), entries.map(toLine).join(""));
}
