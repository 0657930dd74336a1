import { type CellError, kindOfCell, type Session } from "../../session/mod.ts";
import type { CellRun, Document, DocumentCell } from "../document/mod.ts";
import { awaitRequests, turn } from "./drain-requests.ts";
import { toOutputError } from "./output-error.ts";
import { type CellHooks, runCell } from "./run-cell.ts";
import type { RunDocumentOptions } from "./run-options.ts";
import { setVariables } from "./set-variables.ts";

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
