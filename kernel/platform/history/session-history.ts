import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readTail } from "./read-tail.ts";
import { createSessionFile, type KeptCell, parseCell, type SessionFile } from "./session-file.ts";

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
