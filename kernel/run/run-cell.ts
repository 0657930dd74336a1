import type { AssertionResult, PendingRequest } from "../../lib/mod.ts";
import type { LoopBreaker } from "../platform/mod.ts";
import type { CellError, Outcome, OutputSink, Shown } from "../session/cell/mod.ts";
import type { Session } from "../session/mod.ts";
import { cellRule, type DocumentCell } from "./document.ts";
import { type CellRun, createOutputList } from "./outputs.ts";

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

/** The reason of a signal after `process.exit` in a cell, which is not a failure of the cells that it ends. */
const EXITED = "process.exit";

export interface RunDocumentOptions {
  /** Whether to run the next cell, given how many have failed. */
  readonly continues: (failed: number) => boolean;
  /** Whether to run a cell; all by default. */
  readonly selects?: (cell: DocumentCell) => boolean;
  /** How often a cell that fails is run again; 0 by default. */
  readonly retries?: number;
  /** The time limit of each cell, and of pending requests after the last one, in milliseconds. */
  readonly cellTimeout?: number;
  /** Whether other documents run at the same time; see `LoopBreaker.runCell`. */
  readonly isParallel?: boolean;
  readonly reporter: Reporter;
  /** Aborted at Ctrl-C, and with {@link EXITED}: ends the running cell and starts no other. */
  readonly signal: AbortSignal;
  /** Called when the runtime itself has ended a cell at Ctrl-C. */
  readonly interrupted?: () => void;
  readonly breaker: LoopBreaker;
  /** Called before each TypeScript cell, which may never end, with the runs until then. */
  readonly checkpoint?: (runs: ReadonlyMap<string, CellRun>) => Promise<void>;
  /** Whether to store outputs as MIME bundles. */
  readonly keepOutputs: boolean;
  /** Whether the stored outputs have no times and dates. */
  readonly stable?: boolean;
}

interface Interruption {
  /** Aborted at Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** The exit status after it. */
  status(): number;
}

/** The end of a run before its last cell: at Ctrl-C, at SIGTERM, or by `process.exit` in a cell. */
export class EarlyEnd {
  /** Aborted when the run ends early. */
  readonly signal: AbortSignal;
  readonly #interruption: Interruption;
  readonly #leaving = new AbortController();
  #exit: number | undefined;

  constructor(interruption: Interruption) {
    this.#interruption = interruption;
    this.signal = AbortSignal.any([interruption.signal, this.#leaving.signal]);
  }

  /** Ends the run: a cell has called `process.exit`. */
  exit(status: number): void {
    this.#exit ??= status;
    this.#leaving.abort(EXITED);
  }

  /** The exit status of a run that ended early. */
  get status(): number | undefined {
    return this.#interruption.signal.aborted ? this.#interruption.status() : this.#exit;
  }
}

/** What a cell did until its end. */
export interface CellEnd {
  /** The results of its assertions and tests; not masked. */
  readonly assertions: readonly AssertionResult[];
  /** How long it took, in milliseconds. */
  readonly duration: number;
}

/** Reports a run to the person, in the order of its events. */
export interface Reporter {
  /** A cell that is not run: Markdown, raw text or skipped code. */
  text?(cell: DocumentCell): void;
  cellStarted(cell: DocumentCell, number: number, total: number): void;
  stream(name: "stdout" | "stderr", text: string): void;
  /** @throws What a value throws that is inspected. */
  show?(shown: Shown): void;
  failed(error: CellError): void;
  /** An error that nothing in a cell caught, during the cell or after it. */
  uncaught(error: CellError, number: number, total: number): void;
  /** After the last cell: the requests that are still pending, none at the end. */
  waiting?(pending: readonly PendingRequest[]): void;
  /** Pending requests that took too long and were aborted. */
  givenUp(pending: readonly PendingRequest[], seconds: number): void;
  cellEnded(end: CellEnd): void;
  /** The cell has failed and is run again. */
  retrying(): void;
}
