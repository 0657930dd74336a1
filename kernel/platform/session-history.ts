import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { chmod, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { userFolder } from "./read-file.ts";
import { draftName, makeFolder } from "./write-file.ts";

/** The cells of this session and of earlier ones. */
export interface SessionHistory extends SessionFile {
  /**
   * The cells of each session that had begun when this one was opened, the oldest first. A session
   * keeps its position in the list.
   */
  former(): Promise<readonly (readonly KeptCell[])[]>;
}

interface SessionHistoryOptions {
  /** Created where it is missing; without a folder nothing is stored or found. */
  readonly folder: string | undefined;
  /** Called once, when the folder or a file cannot be used. */
  readonly onWarning: (message: string) => void;
  /** How many sessions are kept; 200 by default. */
  readonly maxSessions?: number;
  /** The limit of a session's file, whose older half is removed beyond it; 1 MiB by default. */
  readonly maxBytes?: number;
}

const MAX_SESSIONS = 200;
const MAX_BYTES = 1024 * 1024;
/** How much is read of all sessions together, the latest first. */
const MAX_READ = 8 * MAX_BYTES;
const FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[\da-f-]{36}\.jsonl$/;

type Warn = (message: string) => void;

/**
 * Opens the history of a session, and removes the oldest files if there are too many. Each session
 * has a file of its own, so that sessions need no lock. Where the history cannot be used, the session
 * continues without it.
 */
export async function openSessionHistory(options: SessionHistoryOptions): Promise<SessionHistory> {
  const { folder, onWarning, maxSessions = MAX_SESSIONS, maxBytes = MAX_BYTES } = options;
  let hasWarned = false;
  const warn: Warn = (message) => {
    if (!hasWarned) onWarning(message);
    hasWarned = true;
  };
  const files = folder === undefined ? [] : await listFiles(folder, warn);
  for (const path of files.splice(0, files.length - maxSessions)) {
    // Another session may have removed it. A folder that is read-only is reported when it is written.
    await rm(path, { force: true }).catch(() => undefined);
  }
  const begun = new Date().toISOString().replaceAll(":", "-");
  const own = createSessionFile(folder, `${begun}-${randomUUID()}.jsonl`, maxBytes, warn);
  return { ...own, former: () => readSessions(files, warn) };
}

async function listFiles(folder: string, warn: Warn): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort();
    return names.map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      warn(`Reading the history of earlier sessions failed: "${folder}": ${reasonOf(error)}`);
    }
    return [];
  }
}

async function readSessions(
  files: readonly string[],
  warn: Warn,
): Promise<readonly (readonly KeptCell[])[]> {
  const sessions: (readonly KeptCell[])[] = [];
  let rest = MAX_READ;
  for (const path of files.toReversed()) {
    const text = rest > 0 ? await readText(path, rest, warn) : "";
    rest -= Buffer.byteLength(text);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const cells = lines.map(parseCell).filter((cell) => cell !== undefined);
    const broken = lines.length - cells.length;
    if (broken > 0) warn(`Reading the history "${path}": ${broken} broken lines were skipped`);
    sessions.unshift(cells);
  }
  return sessions;
}

async function readText(path: string, maxBytes: number, warn: Warn): Promise<string> {
  try {
    return await readTail(path, maxBytes);
  } catch (error) {
    warn(`Reading the history of an earlier session failed: "${path}": ${reasonOf(error)}`);
    return "";
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The source of a cell, with its number in its session. */
export interface KeptCell {
  readonly line: number;
  readonly input: string;
}

interface SessionFile {
  /** Adds a cell; it is written a moment later. */
  keep(cell: KeptCell): void;
  /**
   * Removes cells that may no longer be in the file, a moment later.
   *
   * @param revision The revision of the rule; a review by the same revision does nothing.
   */
  review(isKeepable: (input: string) => boolean, revision: number): void;
  flush(): void;
}

const MAX_INPUT_LENGTH = 50_000;
/** Changes are written this much later, so that no reply waits for the disk; in milliseconds. */
const DELAY = 20;

/**
 * Creates the file of a session, with `[line, input]` as JSON on each line. It is written synchronously:
 * a forced interrupt may drop promises.
 *
 * @param folder Without a folder nothing is written.
 * @param maxBytes Beyond it the older half of the file is removed.
 * @param warn Called when the file cannot be written; it is given up then.
 */
function createSessionFile(
  folder: string | undefined,
  name: string,
  maxBytes: number,
  warn: (message: string) => void,
): SessionFile {
  const path = join(folder ?? "", name);
  let isUsable = folder !== undefined;
  let written = 0;
  let pending: readonly KeptCell[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let revision = 0;
  let isKeepable: ((input: string) => boolean) | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isUsable) return;
    try {
      if (isKeepable !== undefined) applyReview(isKeepable);
      isKeepable = undefined;
      if (pending.length > 0) append();
    } catch (error) {
      isUsable = false;
      const reason = error instanceof Error ? error.message : String(error);
      warn(`The history is not kept beyond this session: "${path}": ${reason}`);
    }
  }

  function applyReview(isStillKeepable: (input: string) => boolean): void {
    pending = pending.filter(({ input }) => isStillKeepable(input));
    if (written > 0) removeCells(path, (input) => !isStillKeepable(input));
  }

  function append(): void {
    const text = pending.map(({ line, input }) => `${JSON.stringify([line, input])}\n`).join("");
    pending = [];
    if (written === 0) makeFolder(folder ?? "", 0o700);
    appendFileSync(path, text, { mode: 0o600 });
    written += Buffer.byteLength(text);
    if (written > maxBytes) written = shorten(path, maxBytes / 2);
  }

  return {
    keep: (cell) => {
      if (!isUsable || cell.input.trim() === "" || cell.input.length > MAX_INPUT_LENGTH) return;
      pending = [...pending, cell];
      timer ??= setTimeout(flush, DELAY);
    },
    review: (rule, newRevision) => {
      if (!isUsable || newRevision === revision) return;
      revision = newRevision;
      isKeepable = rule;
      timer ??= setTimeout(flush, DELAY);
    },
    flush,
  };
}

function removeCells(path: string, isRemoved: (input: string) => boolean): void {
  removeLines(path, (line) => {
    const cell = parseCell(line);
    return cell !== undefined && isRemoved(cell.input);
  });
}

/** Parses a line of a session's file; returns nothing for a broken one. */
function parseCell(text: string): KeptCell | undefined {
  try {
    const cell: unknown = JSON.parse(text);
    if (!Array.isArray(cell)) return undefined;
    const [line, input]: readonly unknown[] = cell;
    return Number.isInteger(line) && typeof input === "string"
      ? { line: Number(line), input }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps as many of the latest lines as fit. */
function shorten(path: string, maxBytes: number): number {
  const bytes = readFileSync(path);
  const end = bytes.indexOf("\n", bytes.length - maxBytes);
  const rest = bytes.subarray(end + 1);
  const draft = draftName(path);
  writeFileSync(draft, rest, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
  return rest.length;
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
 * @param maxBytes How much is read of a file that another program has filled.
 * @returns An empty text where the file does not exist.
 * @throws {Error} The file cannot be read, or it is a pipe, for example.
 */
export async function readTail(path: string, maxBytes: number): Promise<string> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
  const file = await open(path, "r");
  try {
    const { size, mode } = await file.stat();
    // Others may have access to an old file.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) await chmod(path, 0o600);
    const start = Math.max(0, size - maxBytes);
    const { bytesRead, buffer } = await file.read(
      new Uint8Array(size - start),
      0,
      size - start,
      start,
    );
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead));
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await file.close();
  }
}

const NEWLINE = 0x0a;
const BLANK = 0x20;

/**
 * Removes lines from an existing file by overwriting them with blanks. Nothing moves, since other
 * sessions may append lines at the same time, and the bytes are gone from the disk.
 */
export function removeLines(path: string, isRemoved: (line: string) => boolean): void {
  const file = openSync(path, "r+");
  try {
    const bytes = readFileSync(file);
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      if (isRemoved(bytes.toString("utf8", start, end))) {
        writeSync(file, Buffer.alloc(end - start, BLANK), 0, end - start, start);
      }
      start = end + 1;
    }
  } finally {
    closeSync(file);
  }
}
