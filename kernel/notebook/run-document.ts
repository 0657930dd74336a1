import type { Outcome, Session } from "../session/mod.ts";
import type { Document, DocumentCell } from "./document.ts";
import { createOutputList } from "./outputs.ts";
import { relocate } from "./relocate.ts";
import type { CellRun } from "./render-ipynb.ts";
import type { Reporter } from "./reporter.ts";

/** How to run a document. */
export interface RunDocumentOptions {
  readonly keepGoing: boolean;
  /** Limit of each cell, in milliseconds. */
  readonly cellTimeout?: number;
  readonly reporter: Reporter;
  /** Aborted at Ctrl-C: the running cell ends, and no further one is started. */
  readonly signal: AbortSignal;
  /** Called where Ctrl-C has ended a cell before anybody could hear of it. */
  readonly interrupted?: () => void;
  /** Whether the outputs are wanted as MIME bundles, to be stored. */
  readonly keepOutputs: boolean;
}

/** What running a document came to. */
export interface DocumentRun {
  readonly cells: number;
  readonly failed: number;
  /** Code cells that were not run since an earlier one failed. */
  readonly notRun: number;
  readonly runs: ReadonlyMap<string, CellRun>;
}

/**
 * Runs the code cells of a document in order, each after the one before has ended.
 *
 * The tags that Jupyter's own runners know are kept to: `skip-execution`, and `raises-exception`
 * for a cell whose failure is part of what it shows.
 */
export async function runDocument(
  document: Document,
  session: Session,
  options: RunDocumentOptions,
): Promise<DocumentRun> {
  const { reporter, signal } = options;
  const runs = new Map<string, CellRun>();
  const code = document.cells.filter(isRunnable);
  let failed = 0;
  for (const cell of document.cells) {
    if (signal.aborted || (failed > 0 && !options.keepGoing)) break;
    if (!isRunnable(cell)) {
      reporter.text(cell);
      continue;
    }
    const count = runs.size + 1;
    reporter.cellStarted(cell, count, code.length);
    const ended = await runCell(cell, count, session, options);
    runs.set(cell.id, ended.run);
    if (!ended.ok && !hasTag(cell, "raises-exception")) failed += 1;
  }
  return { cells: runs.size, failed, notRun: code.length - runs.size, runs };
}

async function runCell(
  cell: DocumentCell,
  count: number,
  session: Session,
  options: RunDocumentOptions,
): Promise<{ run: CellRun; ok: boolean }> {
  const { reporter, keepOutputs } = options;
  const list = createOutputList();
  const outcome = await withLimits(session, options, () =>
    session.execute(cell.source, {
      stream: (name, text) => {
        list.stream(name, text);
        reporter.stream(name, text);
      },
      display: (shown) => {
        if (keepOutputs) list.display(shown);
        reporter.show(shown);
      },
    }),
  );
  if (outcome.status === "ok" && outcome.result !== undefined) {
    if (keepOutputs) list.result(outcome.result, count);
    reporter.show(outcome.result);
  }
  // `process.exit()` is no failure; its status becomes that of the run.
  const hasLeft = outcome.status === "error" && outcome.error.name === "CellExit";
  if (outcome.status === "error" && !hasLeft) {
    const error =
      cell.line === undefined
        ? outcome.error
        : relocate(outcome.error, cell.line, session.client.secrets);
    list.error(error);
    reporter.failed(error);
  }
  reporter.cellEnded();
  return { run: { count, outputs: list.outputs }, ok: outcome.status === "ok" || hasLeft };
}

/** Interrupts the session when the run is aborted or the cell's time is over. */
async function withLimits(
  session: Session,
  { signal, cellTimeout, interrupted }: RunDocumentOptions,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  let isLate = false;
  const stop = (): void => session.interrupt();
  const stopLate = (): void => {
    isLate = true;
    stop();
  };
  signal.addEventListener("abort", stop);
  const timer = cellTimeout === undefined ? undefined : setTimeout(stopLate, cellTimeout);
  try {
    const outcome = await run();
    const isInterrupted = outcome.status === "error" && outcome.error.name === "InterruptedError";
    if (isInterrupted && !isLate && !signal.aborted) interrupted?.();
    return isLate && outcome.status !== "ok" ? lateOutcome(cellTimeout ?? 0) : outcome;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function lateOutcome(cellTimeout: number): Outcome {
  const cause = new Error(
    `Running the cell failed: it did not end within ${cellTimeout / 1000} s; --timeout sets the limit`,
  );
  const { message } = cause;
  const name = "TimeoutError";
  return { status: "error", error: { name, message, traceback: [`${name}: ${message}`], cause } };
}

/** Whether a cell holds code that is to be run. */
export function isRunnable(cell: DocumentCell): boolean {
  return cell.type === "code" && cell.source.trim() !== "" && !hasTag(cell, "skip-execution");
}

function hasTag(cell: DocumentCell, tag: string): boolean {
  const tags = cell.metadata["tags"];
  return Array.isArray(tags) && tags.includes(tag);
}
