import { type CellError, kindOfCell, type Session } from "../../session/mod.ts";
import type { CellRun, Document, DocumentCell } from "../document/mod.ts";
import { createBufferedReporter } from "./buffered-reporter.ts";
import { awaitRequests, turn } from "./drain-requests.ts";
import { toOutputError } from "./output-error.ts";
import { runCell } from "./run-cell.ts";
import type { RunDocumentOptions } from "./run-options.ts";

/** What running a document came to. */
export interface DocumentRun {
  readonly cells: number;
  /** Cells that failed, or that left something behind that did; it may still grow. */
  readonly failed: number;
  /** Code cells that were not run since an earlier one failed. */
  readonly notRun: number;
  /** Requests that no cell awaited and that were given up. */
  readonly givenUp: number;
  readonly runs: ReadonlyMap<string, CellRun>;
}

/**
 * Runs the code cells of a document in order, each after the one before has ended, and waits for the
 * requests that are still on their way then.
 *
 * The tags that Jupyter's own runners know are kept to: `skip-execution`, and `raises-exception`
 * for a cell whose failure is part of what it shows.
 */
export async function runDocument(
  document: Document,
  session: Session,
  options: RunDocumentOptions,
): Promise<DocumentRun> {
  const { signal } = options;
  const { now, soon, flush } = createBufferedReporter(options.reporter, (error) => onBroken(error));
  const later = { ...options, reporter: soon };
  const atOnce = { ...options, reporter: now };
  const runs = new Map<string, CellRun>();
  const failed = new Set<string>();
  let latest: DocumentCell | undefined;
  const broken = new Set<DocumentCell | undefined>();
  /** The cell has done its part, and its run goes on; that its output is lacking is a failure. */
  const onBroken = (error: unknown): void => {
    if (broken.has(latest)) return;
    broken.add(latest);
    if (latest !== undefined) failed.add(latest.id);
    now.failed(toOutputError(error));
  };
  const code = document.cells.filter(isRunnable);
  const stop = (): void => session.interrupt();
  signal.addEventListener("abort", stop);
  try {
    for (const cell of document.cells) {
      if (signal.aborted || (failed.size > 0 && !options.keepGoing)) break;
      if (!isRunnable(cell)) {
        now.text(cell);
        continue;
      }
      const count = runs.size + 1;
      const fail = (): void => {
        if (!hasTag(cell, "raises-exception")) failed.add(cell.id);
      };
      const mayHang = !isRequest(cell);
      if (mayHang && count > 1) await options.checkpoint?.(runs);
      const told = mayHang ? atOnce : later;
      told.reporter.cellStarted(cell, count, code.length);
      const onUncaught = (error: CellError): void => {
        fail();
        now.uncaught(error, count, code.length);
      };
      latest = cell;
      const { run, ok } = await runCell(cell, session, told, { count, onUncaught, onBroken });
      runs.set(cell.id, run);
      if (!ok) fail();
      // Runtimes tell of rejections that nobody handles at the end of a turn; requests cause none.
      if (mayHang) await turn();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    flush();
  }
  const givenUp = signal.aborted ? 0 : await awaitRequests(session, atOnce);
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

function isRequest({ source }: DocumentCell): boolean {
  try {
    return kindOfCell(source).kind !== "typescript";
  } catch {
    return true; // It was not run.
  }
}

/** Whether a cell holds code that is to be run. */
export function isRunnable(cell: DocumentCell): boolean {
  return cell.type === "code" && cell.source.trim() !== "" && !hasTag(cell, "skip-execution");
}

function hasTag(cell: DocumentCell, tag: string): boolean {
  const tags = cell.metadata["tags"];
  return Array.isArray(tags) && tags.includes(tag);
}
