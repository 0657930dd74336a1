import type { CellError, Outcome, OutputSink, Session, Shown } from "../../session/mod.ts";
import { type CellRun, cellRule, createOutputList, type DocumentCell } from "../document/mod.ts";
import { EXITED, type RunDocumentOptions } from "./run-options.ts";

export interface CellHooks {
  /** How many cells the session has run with this one. */
  readonly count: number;
  /** The file of the document. */
  readonly path: string;
  readonly onFailure: () => void;
  /** Called for errors that nothing in the cell catches, even after its end. */
  readonly onUncaught: (error: CellError) => void;
  readonly onOutputError: (error: unknown) => void;
}

/**
 * Runs a cell and reports on it.
 *
 * @returns Its outputs, which may still grow by what it did not await.
 */
export async function runCell(
  cell: DocumentCell,
  session: Session,
  options: RunDocumentOptions,
  { count, path, onFailure, onUncaught, onOutputError }: CellHooks,
): Promise<CellRun> {
  const { reporter, keepOutputs, stable, signal, cellTimeout, breaker } = options;
  const { isParallel = false } = options;
  const list = createOutputList({ stable: stable ?? false, rule: cellRule(cell) });
  const show = (shown: Shown, store: (shown: Shown, count: number) => void): void => {
    if (keepOutputs) store(shown, count);
    if (shown.failure !== undefined) onOutputError(shown.failure.cause);
    try {
      reporter.show?.(shown);
    } catch (error) {
      onOutputError(error);
    }
  };
  const sink: OutputSink = {
    stream: (name, text) => {
      list.stream(name, text);
      reporter.stream(name, text);
    },
    display: (shown) => show(shown, list.display),
    uncaught: (error) => {
      // An interrupt ends what the cell left running; that is not its failure.
      if (signal.aborted) return;
      list.error(error);
      onUncaught(error);
    },
  };
  const isRequestFile = cell.line !== undefined;
  const limit = cellTimeout === undefined ? {} : { limit: limitOf(cellTimeout) };
  const execute = (): Promise<Outcome> =>
    session.execute(cell.source, sink, {
      isRequestFile,
      ...limit,
      ...(cell.line !== undefined && { file: path, firstLine: cell.line }),
    });
  const begun = performance.now();
  const outcome = await breaker.runCell(execute, isParallel ? undefined : cellTimeout);
  const duration = performance.now() - begun;
  if (outcome.status === "ok" && outcome.result !== undefined) show(outcome.result, list.result);
  const isExit = outcome.status !== "ok" && hasExited(outcome, signal);
  if (outcome.status !== "ok" && !isExit) onFailure();
  if (outcome.status === "error" && !isExit) {
    if (outcome.error.name === "InterruptedError" && !signal.aborted) options.interrupted?.();
    list.error(outcome.error);
    reporter.failed(outcome.error);
  }
  reporter.cellEnded({ assertions: outcome.assertions ?? [], duration });
  return { count, outputs: list.outputs };
}

/** `process.exit()` is not a failure; its status becomes that of the run. */
function hasExited(outcome: Outcome, { reason }: AbortSignal): boolean {
  return reason === EXITED || (outcome.status === "error" && outcome.error.name === "CellExit");
}

function limitOf(cellTimeout: number): { milliseconds: number; reason: Error } {
  const reason = new Error(
    `Running the cell failed: it did not end within ${cellTimeout / 1000} s; --timeout sets the limit`,
  );
  reason.name = "TimeoutError";
  // Without the trace, which shows only code of restlab.
  reason.stack = `${reason.name}: ${reason.message}`;
  return { milliseconds: cellTimeout, reason };
}
