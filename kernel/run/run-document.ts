import { setImmediate, setTimeout } from "node:timers/promises";
import { locate } from "../../lib/interpolation/mod.ts";
import { parseText } from "../../lib/request/mod.ts";
import type { CellError } from "../session/cell/mod.ts";
import { kindOfCell, type Session } from "../session/mod.ts";
import type { Document, DocumentCell } from "./document.ts";
import type { CellRun } from "./outputs.ts";
import { type CellHooks, type RunDocumentOptions, runCell } from "./run-cell.ts";

/** The result of running a document. */
export interface DocumentRun {
  readonly cells: number;
  /** The ids of cells that failed, themselves or by what they did not await; there may still be more. */
  readonly failed: ReadonlySet<string>;
  /** Selected cells that were not run, because the run was ended before. */
  readonly notRun: number;
  /** Requests that no cell awaited and that took too long. */
  readonly givenUp: number;
  readonly runs: ReadonlyMap<string, CellRun>;
}

/** Whether a cell has failed, or a request that no cell awaited; one may still fail later. */
export function hasFailed({ failed, givenUp }: DocumentRun): boolean {
  return failed.size + givenUp > 0;
}

/**
 * Runs the code cells of a document in order and waits for the requests that are pending at its end.
 *
 * Two tags of Jupyter's runners apply: `skip-execution`, and `raises-exception` for a cell that is
 * meant to fail.
 */
export async function runDocument(
  document: Document,
  session: Session,
  options: RunDocumentOptions,
): Promise<DocumentRun> {
  const { signal, reporter, continues, checkpoint, selects = () => true, retries = 0 } = options;
  const code = document.cells.filter(isRunnable);
  const selected = new Set(code.filter(selects));
  const runs = new Map<string, CellRun>();
  const failed = new Set<string>();
  let count = 0;
  const interrupt = (): void => session.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    for (const cell of document.cells) {
      if (signal.aborted || !continues(failed.size)) break;
      if (!isRunnable(cell)) {
        reporter.text?.(cell);
        continue;
      }
      if (!selected.has(cell)) {
        await setVariables(cell, session, document.path);
        continue;
      }
      if (runs.size > 0 && isTypeScript(cell)) await checkpoint?.(runs);
      const number = code.indexOf(cell) + 1;
      const place = { number, total: code.length, path: document.path };
      const hooks = hooksOf(cell, place, options, failed);
      for (let attempt = 0; ; attempt++) {
        reporter.cellStarted(cell, number, code.length);
        count += 1;
        runs.set(cell.id, await runCell(cell, session, options, { count, ...hooks }));
        // Runtimes report unhandled rejections at the end of a turn.
        await turn();
        if (attempt === retries || signal.aborted || !failed.delete(cell.id)) break;
        reporter.retrying();
      }
    }
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
  const givenUp = signal.aborted ? 0 : await awaitRequests(session, options);
  const cells = runs.size;
  return { cells, failed, notRun: selected.size - cells, givenUp, runs };
}

function hooksOf(
  cell: DocumentCell,
  {
    number,
    total,
    path,
  }: { readonly number: number; readonly total: number; readonly path: string },
  { reporter }: RunDocumentOptions,
  failed: Set<string>,
): Omit<CellHooks, "count"> {
  let hasOutputError = false;
  const fail = (): void => {
    if (!hasTag(cell, "raises-exception")) failed.add(cell.id);
  };
  return {
    path,
    onFailure: fail,
    onUncaught: (error: CellError) => {
      fail();
      reporter.uncaught(error, number, total);
    },
    onOutputError: (error) => {
      // One error is enough, and no tag expects it.
      if (hasOutputError) return;
      hasOutputError = true;
      failed.add(cell.id);
      reporter.failed(toOutputError(error));
    },
  };
}

/** Whether a cell is code of TypeScript, and not a request. */
export function isTypeScript({ source, line }: DocumentCell): boolean {
  return kindOfCell(source, line !== undefined).kind === "typescript";
}

/** Whether a cell is code to run. */
export function isRunnable(cell: DocumentCell): boolean {
  return cell.type === "code" && cell.source.trim() !== "" && !hasTag(cell, "skip-execution");
}

/** Whether the metadata of a cell has a tag. */
export function hasTag(cell: DocumentCell, tag: string): boolean {
  const tags = cell.metadata["tags"];
  return Array.isArray(tags) && tags.includes(tag);
}

const DEFAULT_LIMIT = 30_000;
const INTERVAL = 10;

async function turn(): Promise<void> {
  await setImmediate();
}

/**
 * Waits for the pending requests that no cell awaits, and for those that follow them.
 *
 * @returns How many were aborted because they took longer than a cell may.
 */
async function awaitRequests(
  { client }: Session,
  {
    reporter,
    signal,
    cellTimeout = DEFAULT_LIMIT,
  }: Pick<RunDocumentOptions, "reporter" | "signal" | "cellTimeout">,
): Promise<number> {
  if (client.pending.length === 0) return 0;
  const end = performance.now() + cellTimeout;
  try {
    while (client.pending.length > 0 && !signal.aborted) {
      const { pending } = client;
      if (performance.now() > end) {
        const seconds = cellTimeout / 1000;
        reporter.givenUp(pending, seconds);
        client.abort(
          new Error(`Giving up the request: no cell awaits it, and it took more than ${seconds} s`),
        );
        await turn();
        return pending.length;
      }
      reporter.waiting?.(pending);
      await setTimeout(INTERVAL);
      if (client.pending.length === 0) await turn();
    }
    return 0;
  } finally {
    reporter.waiting?.([]);
  }
}

const SILENT = { stream: () => undefined, display: () => undefined };

/**
 * Sets the variables of a cell that is not selected, which selected requests may use, and runs its scripts that belong
 * to no request. A line whose value needs a response that is missing is skipped: what uses the variable reports it.
 */
async function setVariables(cell: DocumentCell, session: Session, file: string): Promise<void> {
  const isRequestFile = cell.line !== undefined;
  for (const { text, line } of variableLines(cell)) {
    const place = isRequestFile ? { file, firstLine: line } : {};
    await session.execute(text, SILENT, { isRequestFile, ...place });
  }
}

interface VariableLine {
  readonly text: string;
  /** Its number in the file. */
  readonly line: number;
}

function variableLines({ source, line }: DocumentCell): readonly VariableLine[] {
  try {
    const cell = kindOfCell(source, line !== undefined);
    if (cell.kind !== "request") return [];
    const parsed = parseText(cell.text, line);
    return parsed.statements.flatMap((entry) => {
      if (entry.kind !== "assignment" && entry.kind !== "script") return [];
      const { start, end } = entry.span;
      return [{ text: cell.text.slice(start, end), line: locate(parsed, start).line }];
    });
  } catch {
    return []; // A cell with a syntax error would not set them either.
  }
}

function toOutputError(cause: unknown): CellError {
  const name = "OutputError";
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `An output could not be shown: ${reason.split("\n", 1)[0]}`;
  return { name, message, traceback: [`${name}: ${message}`], cause };
}
