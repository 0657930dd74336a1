import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { draftName, makeFolder } from "../files/mod.ts";
import { removeLines } from "./remove-lines.ts";

/** The source of a cell, with its number in its session. */
export interface KeptCell {
  readonly line: number;
  readonly input: string;
}

export interface SessionFile {
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
export function createSessionFile(
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
export function parseCell(text: string): KeptCell | undefined {
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
