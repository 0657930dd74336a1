import { type CellError, kindOfCell, type Session } from "../../session/mod.ts";
import type { CellRun, Document, DocumentCell } from "../document/mod.ts";
import { awaitRequests, turn } from "./drain-requests.ts";
import { toOutputError } from "./output-error.ts";
import { type CellHooks, runCell } from "./run-cell.ts";
import type { RunDocumentOptions } from "./run-options.ts";

/** The result of running a document. */
export interface DocumentRun {
  readonly cells: number;
  /** Cells that failed, themselves or by what they did not await; the number may still grow. */
  readonly failed: number;
  /** Code cells that were not run because an earlier one failed. */
  readonly notRun: number;
  /** Requests that no cell awaited and that took too long. */
  readonly givenUp: number;
  readonly runs: ReadonlyMap<string, CellRun>;
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
  const { signal, reporter, keepGoing, checkpoint } = options;
  const code = document.cells.filter(isRunnable);
  const runs = new Map<string, CellRun>();
  const failed = new Set<string>();
  const interrupt = (): void => session.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    for (const cell of document.cells) {
      if (signal.aborted || (failed.size > 0 && !keepGoing)) break;
      if (!isRunnable(cell)) {
        reporter.text(cell);
        continue;
      }
      const count = runs.size + 1;
      if (count > 1 && isTypeScript(cell)) await checkpoint?.(runs);
      reporter.cellStarted(cell, count, code.length);
      const place = { count, total: code.length, path: document.path };
      const hooks = hooksOf(cell, place, options, failed);
      runs.set(cell.id, await runCell(cell, session, options, hooks));
      // Runtimes report unhandled rejections at the end of a turn.
      await turn();
    }
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
  const givenUp = signal.aborted ? 0 : await awaitRequests(session, options);
  const cells = runs.size;
  return {
    cells,
    get failed() {
      return failed.size;
    },
    notRun: code.length - cells,
    givenUp,
    runs,
  };
}

function hooksOf(
  cell: DocumentCell,
  { count, total, path }: { readonly count: number; readonly total: number; readonly path: string },
  { reporter }: RunDocumentOptions,
  failed: Set<string>,
): CellHooks {
  let hasOutputError = false;
  const fail = (): void => {
    if (!hasTag(cell, "raises-exception")) failed.add(cell.id);
  };
  return {
    count,
    path,
    onFailure: fail,
    onUncaught: (error: CellError) => {
      fail();
      reporter.uncaught(error, count, total);
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

function isTypeScript({ source, line }: DocumentCell): boolean {
  try {
    return kindOfCell(source, line !== undefined).kind === "typescript";
  } catch {
    return false; // The session reports what is wrong with the cell.
  }
}

/** Whether a cell is code to run. */
export function isRunnable(cell: DocumentCell): boolean {
  return cell.type === "code" && cell.source.trim() !== "" && !hasTag(cell, "skip-execution");
}

function hasTag(cell: DocumentCell, tag: string): boolean {
  const tags = cell.metadata["tags"];
  return Array.isArray(tags) && tags.includes(tag);
}
