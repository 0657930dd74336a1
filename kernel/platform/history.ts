import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { appendFile, chmod, open, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { userFolder } from "./read-file.ts";
import { makeFolder, writeFile } from "./write-file.ts";

/** What a person has entered: at the prompt, or in a cell, whose number in its session is its line. */
export interface HistoryEntry {
  readonly line?: number;
  readonly input: string;
}

interface HistoryOptions {
  /** Without a path nothing is stored or found. */
  readonly path: string | undefined;
  /** Called once, when the file or folder cannot be used; the session continues without it. */
  readonly onWarning: (message: string) => void;
}

const MAX_INPUT_LENGTH = 50_000;
/** How much is read of a file that another program has filled, and of all sessions together. */
const MAX_READ = 8 * 1024 * 1024;
/** Changes are written this much later, so that no reply waits for the disk; in milliseconds. */
const DELAY = 20;

/**
 * A history on disk: an entry as JSON on each line, `"input"` or `[line, "input"]`. Sessions only append to
 * it, so that several can run. It is written synchronously: a forced interrupt may drop promises.
 */
export class HistoryFile {
  readonly #path: string;
  readonly #onWarning: HistoryOptions["onWarning"];
  #isUsable: boolean;
  #hasWarned = false;
  #pending: HistoryEntry[] = [];
  /** Inputs of this session that may be in the file. */
  readonly #own = new Set<string>();
  #isKeepable: ((input: string) => boolean) | undefined;
  #revision = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ path, onWarning }: HistoryOptions) {
    this.#path = path ?? "";
    this.#isUsable = path !== undefined;
    this.#onWarning = onWarning;
  }

  /** Reads the entries from the end of the file. */
  async read(maxBytes: number = MAX_READ): Promise<FileContent> {
    if (!this.#isUsable) return EMPTY;
    try {
      const { text, end } = await readTail(this.#path, maxBytes);
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      const entries = lines.map(parseEntry).filter((entry) => entry !== undefined);
      const broken = lines.length - entries.length;
      if (broken > 0) {
        const what = broken === 1 ? "1 broken line was" : `${broken} broken lines were`;
        this.warn(`Reading the history "${this.#path}": ${what} skipped`);
      }
      return { entries, hasBroken: broken > 0, bytes: Buffer.byteLength(text), end };
    } catch (error) {
      this.#giveUp(error);
      return EMPTY;
    }
  }

  /**
   * Replaces what was read of the file. It may be a link, which stays one.
   *
   * @param end Where that ended: what other sessions have appended since is kept.
   */
  async rewrite(
    entries: readonly HistoryEntry[],
    { end }: Pick<FileContent, "end">,
  ): Promise<void> {
    try {
      const path = await realpath(this.#path);
      const before = await open(path);
      try {
        await writeFile(path, entries.map(toLine).join(""));
        await appendFile(path, (await before.readFile()).subarray(end));
      } finally {
        await before.close();
      }
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Adds an entry; it is written a moment later. */
  add(entry: HistoryEntry): void {
    const { input } = entry;
    if (!this.#isUsable || input.trim() === "" || input.length > MAX_INPUT_LENGTH) return;
    this.#pending.push(entry);
    this.#own.add(input);
    this.#timer ??= setTimeout(() => this.flush(), DELAY);
  }

  /**
   * Removes entries of this session that may no longer be in the file, a moment later.
   *
   * @param revision The revision of the rule; a review by the same revision does nothing.
   */
  review(isKeepable: (input: string) => boolean, revision: number): void {
    if (!this.#isUsable || revision === this.#revision) return;
    this.#revision = revision;
    this.#isKeepable = isKeepable;
    this.#timer ??= setTimeout(() => this.flush(), DELAY);
  }

  /** Writes all changes. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isUsable) return;
    const pending = this.#pending;
    const isKeepable = this.#isKeepable ?? (() => true);
    this.#pending = [];
    this.#isKeepable = undefined;
    try {
      const removed = new Set([...this.#own].filter((input) => !isKeepable(input)));
      for (const input of removed) this.#own.delete(input);
      if (removed.size > 0 && existsSync(this.#path)) removeEntries(this.#path, removed);
      const kept = pending.filter(({ input }) => !removed.has(input));
      if (kept.length === 0) return;
      makeFolder(dirname(this.#path), 0o700);
      appendFileSync(this.#path, kept.map(toLine).join(""), { mode: 0o600 });
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Warns if this is the first time. */
  warn(message: string): void {
    if (!this.#hasWarned) this.#onWarning(message);
    this.#hasWarned = true;
  }

  #giveUp(error: unknown): void {
    this.#isUsable = false;
    this.warn(`The history is not kept beyond this session: "${this.#path}": ${reasonOf(error)}`);
  }
}

interface FileContent {
  readonly entries: readonly HistoryEntry[];
  /** Whether lines were skipped. */
  readonly hasBroken: boolean;
  readonly bytes: number;
  /** The size of the file when it was read. */
  readonly end: number;
}

const EMPTY: FileContent = { entries: [], hasBroken: false, bytes: 0, end: 0 };

/** The history of a session, beside those of earlier ones. */
export interface SessionHistory {
  readonly file: HistoryFile;
  /**
   * The entries of each session that had begun when this one was opened, the oldest first. A session
   * keeps its position in the list.
   */
  former(): Promise<readonly (readonly HistoryEntry[])[]>;
}

const MAX_SESSIONS = 200;
const FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[\da-f-]{36}\.jsonl$/;

/**
 * Opens the history of a session in a folder, and removes the oldest files if there are too many. Each
 * session has a file of its own, so that its cells have numbers.
 *
 * @param maxSessions How many sessions are kept.
 */
export async function openSessionHistory(
  { path: folder, onWarning }: HistoryOptions,
  maxSessions: number = MAX_SESSIONS,
): Promise<SessionHistory> {
  const begun = new Date().toISOString().replaceAll(":", "-");
  const path = folder && join(folder, `${begun}-${randomUUID()}.jsonl`);
  const file = new HistoryFile({ path, onWarning });
  const files = folder === undefined ? [] : await listFiles(folder, file);
  for (const old of files.splice(0, files.length - maxSessions)) {
    // Another session may have removed it. A folder that is read-only is reported when it is written.
    await rm(old, { force: true }).catch(() => undefined);
  }
  return { file, former };

  /** All sessions together are limited, the latest are read first. */
  async function former(): Promise<readonly (readonly HistoryEntry[])[]> {
    const sessions: (readonly HistoryEntry[])[] = [];
    let rest = MAX_READ;
    for (const old of files.toReversed()) {
      const earlier = new HistoryFile({ path: old, onWarning: (message) => file.warn(message) });
      const { entries, bytes } = await earlier.read(Math.max(0, rest));
      rest -= bytes;
      sessions.unshift(entries);
    }
    return sessions;
  }
}

async function listFiles(folder: string, file: HistoryFile): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort();
    return names.map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      file.warn(`Reading the history of earlier sessions failed: "${folder}": ${reasonOf(error)}`);
    }
    return [];
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toLine({ line, input }: HistoryEntry): string {
  return `${JSON.stringify(line === undefined ? input : [line, input])}\n`;
}

/** Parses a line of a file; returns nothing for a broken one. */
function parseEntry(text: string): HistoryEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return { input: value };
    if (!Array.isArray(value)) return undefined;
    const [line, input]: readonly unknown[] = value;
    return Number.isInteger(line) && typeof input === "string"
      ? { line: Number(line), input }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The path of a history: `restlab/history` in the user's state folder, or `RESTLAB_HISTORY`. An empty
 * `RESTLAB_HISTORY` turns histories off.
 *
 * @param suffix Distinguishes histories, for example `-kernel`.
 * @returns Nothing where histories are off, and for a user without a home.
 */
export function historyPath(
  environment: Readonly<Record<string, string | undefined>>,
  suffix = "",
): string | undefined {
  const given = environment["RESTLAB_HISTORY"];
  if (given !== undefined) return given === "" ? undefined : given + suffix;
  const folder = userFolder("state", environment);
  return folder && join(folder, `history${suffix}`);
}

/**
 * Reads whole lines from the end of a file, and makes the file private to the user.
 *
 * @returns An empty text where the file does not exist; otherwise also the size of the file.
 * @throws {Error} The file cannot be read, or it is a pipe, for example.
 */
async function readTail(
  path: string,
  maxBytes: number,
): Promise<{ readonly text: string; readonly end: number }> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { text: "", end: 0 };
    throw error;
  }
  const file = await open(path, "r");
  try {
    const { size, mode } = await file.stat();
    // Others may have access to an old file.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) await chmod(path, 0o600);
    const length = Math.min(size, maxBytes);
    const start = size - length;
    const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, start);
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead));
    return { text: start === 0 ? text : text.slice(text.indexOf("\n") + 1), end: size };
  } finally {
    await file.close();
  }
}

const NEWLINE = 0x0a;
const BLANK = 0x20;

/**
 * Removes entries from an existing file by overwriting them with blanks. Nothing moves, since other
 * sessions may append lines at the same time, and the bytes are gone from the disk.
 */
function removeEntries(path: string, inputs: ReadonlySet<string>): void {
  const file = openSync(path, "r+");
  try {
    const bytes = readFileSync(file);
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      const entry = parseEntry(bytes.toString("utf8", start, end));
      if (entry !== undefined && inputs.has(entry.input)) {
        writeSync(file, Buffer.alloc(end - start, BLANK), 0, end - start, start);
      }
      start = end + 1;
    }
  } finally {
    closeSync(file);
  }
}
