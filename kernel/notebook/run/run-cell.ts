import type { CellError, Outcome, OutputSink, Session, Shown } from "../../session/mod.ts";
import type { CellRun, DocumentCell } from "../document/mod.ts";
import { createOutputList } from "../document/mod.ts";
import { relocate } from "./relocate.ts";
import type { RunDocumentOptions } from "./run-options.ts";

/** Which cell of a run it is, and who hears of it. */
export interface CellPlace {
  /** Which cell of the run it is, from 1. */
  readonly count: number;
  /** Told what nobody in the cell has caught, after its end as well. */
  readonly onUncaught: (error: CellError) => void;
  /** Told why an output could not be shown; an error stands in its place. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Runs a cell and reports on it.
 *
 * @returns Its outputs, to which what it left behind may still add, and whether it ended well.
 */
export async function runCell(
  cell: DocumentCell,
  session: Session,
  options: RunDocumentOptions,
  { count, onUncaught, onBroken }: CellPlace,
): Promise<{ run: CellRun; ok: boolean }> {
  const { reporter, keepOutputs, signal, cellTimeout, breaker } = options;
  const list = createOutputList();
  const keep = (shown: Shown, put: (shown: Shown, count: number) => void): void => {
    if (keepOutputs) put(shown, count);
    if (shown.failure !== undefined) onBroken(shown.failure.cause);
    reporter.show(shown);
  };
  const sink: OutputSink = {
    stream: (name, text) => {
      list.stream(name, text);
      reporter.stream(name, text);
    },
    display: (shown) => keep(shown, list.display),
    uncaught: (error) => {
      // What ends with the run is no failure of the cell.
      if (signal.aborted) return;
      list.error(error);
      onUncaught(error);
    },
  };
  const limit =
    cellTimeout === undefined
      ? {}
      : { limit: { milliseconds: cellTimeout, reason: late(cellTimeout) } };
  const execute = (): Promise<Outcome> => session.execute(cell.source, sink, limit);
  const outcome = await breaker.runCell(execute, cellTimeout);
  const isInterrupted = outcome.status === "error" && outcome.error.name === "InterruptedError";
  if (isInterrupted && !signal.aborted) options.interrupted?.();
  if (outcome.status === "ok" && outcome.result !== undefined) keep(outcome.result, list.result);
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

function late(cellTimeout: number): Error {
  const error = new Error(
    `Running the cell failed: it did not end within ${cellTimeout / 1000} s; --timeout sets the limit`,
  );
  error.name = "TimeoutError";
  // Where in restlab it was made is of no use to anyone.
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
