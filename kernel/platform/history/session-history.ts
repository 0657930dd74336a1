import { randomBytes, randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { makeFolder } from "../files/mod.ts";
import { readTail } from "./read-tail.ts";
import { takeOutLines } from "./take-out-lines.ts";

/** A cell as it was typed, with its number in its session. */
export interface KeptCell {
  readonly line: number;
  readonly input: string;
}

/** The cells of this session and of those before it, in a folder. */
export interface SessionHistory {
  /**
   * The cells of the sessions that had begun when this one was opened, the oldest session first. It
   * has one list for each of them, always in the same places.
   */
  former(): Promise<readonly (readonly KeptCell[])[]>;
  /** Keeps a cell of this session; it is in the file a moment later. */
  keep(cell: KeptCell): void;
  /**
   * Takes cells of this session out of the file, a moment later, that are no longer to be in it.
   *
   * @param isKeepable Whether an input may be in the file.
   * @param revision What this is by; nothing is done where it is as it was the last time.
   */
  review(isKeepable: (input: string) => boolean, revision: number): void;
  /** Writes what is not in the file yet. */
  flush(): void;
}

/** How such a history is kept. */
export interface SessionHistoryOptions {
  /** The folder, which is made where it is missing; without one nothing is kept or found. */
  readonly folder: string | undefined;
  /** Told once, when the folder or a file is of no use. */
  readonly onTrouble: (message: string) => void;
  /** How many sessions are kept; 200 unless given. */
  readonly mostSessions?: number;
  /** How many bytes one session may take; the older half goes when it takes more. 1 MiB unless given. */
  readonly mostBytes?: number;
}

const MOST_SESSIONS = 200;
const MOST_BYTES = 1024 * 1024;
/** What is read of all sessions together, the latest first. */
const MOST_READ = 8 * MOST_BYTES;
const LONGEST_INPUT = 50_000;
/** A reply should not wait for a disk, in milliseconds. */
const DELAY = 20;
const FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[\da-f-]{36}\.jsonl$/;

/**
 * Opens the history of a session. Each session writes a file of its own, `[line, input]` as JSON on
 * each line, so that sessions that run at the same time need no lock. The oldest files go when there
 * are too many. Whatever is wrong is told once, and the session goes on without it.
 */
export async function openSessionHistory(options: SessionHistoryOptions): Promise<SessionHistory> {
  const { folder, onTrouble, mostSessions = MOST_SESSIONS, mostBytes = MOST_BYTES } = options;
  const begun = new Date().toISOString().replaceAll(":", "-");
  const own = join(folder ?? "", `${begun}-${randomUUID()}.jsonl`);
  let isUsable = folder !== undefined;
  let isTold = false;
  let written = 0;
  let pending: readonly KeptCell[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reviewed = 0;
  let isKeepable: ((input: string) => boolean) | undefined;

  function tell(message: string): void {
    if (!isTold) onTrouble(message);
    isTold = true;
  }

  const files = folder === undefined ? [] : await listFiles(folder);
  for (const file of files.splice(0, files.length - mostSessions)) {
    // Another session may have removed it, and a folder that takes no changes is told when it is written to.
    await rm(join(folder ?? "", file), { force: true }).catch(() => undefined);
  }

  async function listFiles(place: string): Promise<string[]> {
    try {
      return (await readdir(place)).filter((name) => FILE.test(name)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        tell(`Reading the history of earlier sessions failed: "${place}": ${reasonOf(error)}`);
      }
      return [];
    }
  }

  async function readSession(path: string, most: number): Promise<readonly KeptCell[]> {
    try {
      const lines = (await readTail(path, most)).split("\n").filter((line) => line.trim() !== "");
      const cells = lines.map(parseCell).filter((cell) => cell !== undefined);
      if (cells.length < lines.length) {
        const broken = lines.length - cells.length;
        tell(`Reading the history "${path}": ${broken} broken lines were skipped`);
      }
      return cells;
    } catch (error) {
      tell(`Reading the history of an earlier session failed: "${path}": ${reasonOf(error)}`);
      return [];
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isUsable) return;
    const isStill = isKeepable;
    isKeepable = undefined;
    if (isStill !== undefined) {
      pending = pending.filter(({ input }) => isStill(input));
      if (written > 0) takeOut(isStill);
    }
    if (pending.length === 0) return;
    const text = pending.map(({ line, input }) => `${JSON.stringify([line, input])}\n`).join("");
    pending = [];
    try {
      if (written === 0) makeFolder(folder ?? "", 0o700);
      // In one go and not by promises, which an interrupt by force may drop.
      appendFileSync(own, text, { mode: 0o600 });
      written += Buffer.byteLength(text);
      if (written > mostBytes) written = shorten(own, mostBytes / 2);
    } catch (error) {
      giveUp(error);
    }
  }

  function takeOut(isStill: (input: string) => boolean): void {
    try {
      takeOutLines(own, (line) => {
        const cell = parseCell(line);
        return cell !== undefined && !isStill(cell.input);
      });
    } catch (error) {
      giveUp(error);
    }
  }

  function giveUp(error: unknown): void {
    isUsable = false;
    tell(`The history is not kept beyond this session: "${own}": ${reasonOf(error)}`);
  }

  return {
    former: async () => {
      const found: (readonly KeptCell[])[] = [];
      let rest = MOST_READ;
      for (const file of files.toReversed()) {
        const path = join(folder ?? "", file);
        const size = rest > 0 ? await sizeOf(path) : 0;
        found.unshift(size > 0 ? await readSession(path, rest) : []);
        rest -= size;
      }
      return found;
    },
    keep: (cell) => {
      if (!isUsable || cell.input.trim() === "" || cell.input.length > LONGEST_INPUT) return;
      pending = [...pending, cell];
      timer ??= setTimeout(flush, DELAY);
    },
    review: (rule, revision) => {
      if (!isUsable || revision === reviewed) return;
      reviewed = revision;
      isKeepable = rule;
      timer ??= setTimeout(flush, DELAY);
    },
    flush,
  };
}

/** What is gone or cannot be looked at has nothing to read; reading tells of the latter. */
async function sizeOf(path: string): Promise<number> {
  try {
    return Math.max(1, (await stat(path)).size);
  } catch {
    return 0;
  }
}

function parseCell(text: string): KeptCell | undefined {
  try {
    const cell: unknown = JSON.parse(text);
    if (!Array.isArray(cell)) return undefined;
    const [line, input]: readonly unknown[] = cell;
    return Number.isInteger(line) && typeof input === "string"
      ? { line: Number(line), input }
      : undefined;
  } catch {
    // Counted by the caller, who tells of it.
    return undefined;
  }
}

/** Keeps the latest lines, as many as fit. */
function shorten(path: string, mostBytes: number): number {
  const bytes = readFileSync(path);
  const end = bytes.indexOf("\n", bytes.length - mostBytes);
  const rest = bytes.subarray(end + 1);
  const draft = `${path}.${randomBytes(9).toString("base64url")}.tmp`;
  writeFileSync(draft, rest, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
  return rest.length;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
