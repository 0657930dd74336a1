import { setImmediate, setTimeout } from "node:timers/promises";
import { locate, messageOf } from "../../lib/interpolation/mod.ts";
import type { AssertionResult, PendingRequest, SkippedRequest } from "../../lib/mod.ts";
import { parseText } from "../../lib/request/mod.ts";
import type { CellError, Outcome, OutputSink, Shown } from "../session/cell/mod.ts";
import type { OpenedSession, Session } from "../session/mod.ts";
import { cellRule, type DocumentCell, hasTag, isRunnable, readCell } from "./document.ts";
import type { DocumentUnit } from "./open-document.ts";
import { type CellRun, createOutputList } from "./outputs.ts";
import { EXITED, type Run } from "./run.ts";

/** What a cell did until its end. */
export interface CellEnd {
  /** The results of its assertions and tests; not masked. */
  readonly assertions: readonly AssertionResult[];
  /** The requests that it has not sent; not masked. */
  readonly skipped?: readonly SkippedRequest[];
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

/** How a command runs the cells of a document, besides its options. */
export interface CellOptions {
  readonly reporter: Reporter;
  /** Whether to run the next cell, given how many have failed; all are run by default. */
  readonly continues?: (failed: number) => boolean;
  /** Called before each TypeScript cell, which may never end, with the runs until then. */
  readonly checkpoint?: (runs: ReadonlyMap<string, CellRun>) => Promise<void> | undefined;
  /** Whether to store outputs as MIME bundles. */
  readonly keepOutputs?: boolean;
}

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
 * Runs the code cells of a document in order and waits for what they have started and not awaited.
 *
 * Three tags of Jupyter's runners apply: `skip-execution`, `raises-exception` for a cell that is
 * meant to fail, and `parameters` for one whose variables those of the command line replace.
 */
export async function runDocument(
  unit: DocumentUnit,
  opened: OpenedSession,
  run: Run,
  options: CellOptions,
): Promise<DocumentRun> {
  return await new DocumentRunner(unit, opened, run, options).run();
}

/** Without `--timeout`, milliseconds that requests which no cell awaits may take. */
const DEFAULT_LIMIT = 30_000;
const INTERVAL = 10;

class DocumentRunner {
  readonly #unit: DocumentUnit;
  readonly #opened: OpenedSession;
  readonly #session: Session;
  readonly #run: Run;
  readonly #options: CellOptions;
  readonly #code: readonly DocumentCell[];
  /** The time limit of each cell, in milliseconds. */
  readonly #limit: number | undefined;
  readonly #runs = new Map<string, CellRun>();
  readonly #failed = new Set<string>();
  /** How many cells the session has run. */
  #count = 0;

  constructor(unit: DocumentUnit, opened: OpenedSession, run: Run, options: CellOptions) {
    const { timeout } = run.options;
    this.#unit = unit;
    this.#opened = opened;
    this.#session = opened.session;
    this.#run = run;
    this.#options = options;
    this.#code = unit.document.cells.filter(isRunnable);
    this.#limit = timeout === undefined ? undefined : timeout * 1000;
  }

  async run(): Promise<DocumentRun> {
    const { selects = () => true } = this.#unit;
    const { signal } = this.#run.end;
    const selected = new Set(this.#code.filter(selects));
    const interrupt = (): void => this.#session.interrupt();
    signal.addEventListener("abort", interrupt);
    try {
      await this.#runCells(selected);
    } finally {
      signal.removeEventListener("abort", interrupt);
    }
    const givenUp = signal.aborted ? 0 : await this.#settle();
    const cells = this.#runs.size;
    const notRun = selected.size - cells;
    return { cells, failed: this.#failed, notRun, givenUp, runs: this.#runs };
  }

  async #runCells(selected: ReadonlySet<DocumentCell>): Promise<void> {
    const { reporter, checkpoint, continues = () => true } = this.#options;
    for (const cell of this.#unit.document.cells) {
      if (this.#run.end.signal.aborted || !continues(this.#failed.size)) break;
      if (!isRunnable(cell)) reporter.text?.(cell);
      else if (selected.has(cell)) {
        if (this.#runs.size > 0 && readCell(cell).kind === "typescript")
          await checkpoint?.(this.#runs);
        await this.#runWithRetries(cell);
      } else await this.#setVariables(cell);
    }
  }

  async #runWithRetries(cell: DocumentCell): Promise<void> {
    const { retries = 0, retryDelay = 0 } = this.#run.options;
    const { reporter } = this.#options;
    const { end } = this.#run;
    for (let attempt = 0; ; attempt++) {
      reporter.cellStarted(cell, this.#code.indexOf(cell) + 1, this.#code.length);
      this.#count += 1;
      this.#runs.set(cell.id, await this.#runCell(cell));
      // Runtimes report unhandled rejections at the end of a turn.
      await setImmediate();
      if (attempt === retries || !this.#failed.has(cell.id)) return;
      // An end of the run ends the pause, and no attempt follows.
      if (retryDelay > 0 && !end.signal.aborted)
        await setTimeout(retryDelay * 1000, undefined, { signal: end.signal }).catch(
          () => undefined,
        );
      if (end.signal.aborted) return;
      this.#failed.delete(cell.id);
      reporter.retrying();
    }
  }

  /** Runs a cell; its outputs may still grow by what it did not await. */
  async #runCell(cell: DocumentCell): Promise<CellRun> {
    const { reporter, keepOutputs = false } = this.#options;
    const { end, options } = this.#run;
    const { signal } = end;
    const count = this.#count;
    const list = createOutputList({ stable: options.stable, rule: cellRule(cell) });
    let hasOutputError = false;
    /** No tag expects that an output cannot be shown, and one error is enough. */
    const failToShow = (cause: unknown): void => {
      if (hasOutputError) return;
      hasOutputError = true;
      this.#failed.add(cell.id);
      reporter.failed(toOutputError(cause));
    };
    const show = (shown: Shown, store: (shown: Shown, count: number) => void): void => {
      if (keepOutputs) store(shown, count);
      if (shown.failure !== undefined) failToShow(shown.failure.cause);
      try {
        reporter.show?.(shown);
      } catch (error) {
        failToShow(error);
      }
    };
    const begun = performance.now();
    const outcome = await this.#execute(cell, {
      stream: (name, text) => {
        list.stream(name, text);
        reporter.stream(name, text);
      },
      display: (shown) => show(shown, list.display),
      uncaught: (error) => {
        // An interrupt ends what the cell left running, a loop even before this thread hears of it; that is no failure.
        if (error.name === "InterruptedError") end.interrupt();
        if (signal.aborted) return;
        list.error(error);
        this.#fail(cell);
        reporter.uncaught(error, this.#code.indexOf(cell) + 1, this.#code.length);
      },
    });
    const duration = performance.now() - begun;
    if (hasTag(cell, "parameters")) this.#opened.setInitialVariables();
    if (outcome.status === "ok" && outcome.result !== undefined) show(outcome.result, list.result);
    if (outcome.status !== "ok" && !hasExited(outcome, signal)) {
      this.#fail(cell);
      if (outcome.status === "error") {
        // The runtime itself may have ended the cell at Ctrl-C.
        if (outcome.error.name === "InterruptedError" && !signal.aborted) end.interrupt();
        list.error(outcome.error);
        reporter.failed(outcome.error);
      }
    }
    const { assertions = [], skipped = [] } = outcome;
    reporter.cellEnded({ assertions, skipped, duration });
    return { count, outputs: list.outputs };
  }

  async #execute(cell: DocumentCell, sink: OutputSink): Promise<Outcome> {
    const { end, options } = this.#run;
    const { given } = this.#opened;
    const isRequestFile = cell.line !== undefined;
    const limit = this.#limit === undefined ? undefined : limitOf(this.#limit);
    const place = isRequestFile && { file: this.#unit.document.path, firstLine: cell.line };
    const execute = (): Promise<Outcome> =>
      this.#session.execute(cell.source, sink, { isRequestFile, limit, given, ...place });
    // The breaker cannot distinguish which of several documents computes.
    const isAlone = (options.parallel ?? 1) === 1;
    return await end.breaker.runCell(execute, isAlone ? this.#limit : undefined);
  }

  #fail(cell: DocumentCell): void {
    if (!hasTag(cell, "raises-exception")) this.#failed.add(cell.id);
  }

  /**
   * Waits for what cells have started and not awaited: requests, and whatever else keeps a program alive.
   *
   * @returns How many requests were aborted because they took longer than a cell may.
   */
  async #settle(): Promise<number> {
    const { client } = this.#session;
    const { reporter } = this.#options;
    const { signal } = this.#run.end;
    const limit = this.#limit ?? DEFAULT_LIMIT;
    const end = performance.now() + limit;
    let isIdle = !this.#mayWait();
    const idle = isIdle ? undefined : this.#untilIdle();
    void idle?.then(() => {
      isIdle = true;
    });
    try {
      // Once a cell has failed the run does not go on.
      while (((!isIdle && this.#mayWait()) || client.pending.length > 0) && !signal.aborted) {
        const { pending } = client;
        const isOver = performance.now() > end;
        if (isOver && pending.length > 0) {
          const seconds = limit / 1000;
          reporter.givenUp(pending, seconds);
          client.abort(
            new Error(
              `Giving up the request: no cell awaits it, and it took more than ${seconds} s`,
            ),
          );
          await setImmediate();
          return pending.length;
        }
        // The person has said how long anything may take.
        if (isOver && this.#limit !== undefined) return 0;
        reporter.waiting?.(pending);
        // The timer alone keeps nothing alive.
        const tick = setTimeout(INTERVAL, undefined, { ref: idle === undefined });
        await Promise.race([tick, idle].filter((it) => it !== undefined));
        if (client.pending.length === 0) await setImmediate();
      }
      return 0;
    } finally {
      reporter.waiting?.([]);
    }
  }

  /** Whether nothing but the cells of this document keeps the process alive, and the run would go on. */
  #mayWait(): boolean {
    const { parallel = 1, watch = false, interact } = this.#run.options;
    const { continues = () => true } = this.#options;
    if (this.#run.platform.isGuest === true) return false;
    return parallel === 1 && !watch && interact === undefined && continues(this.#failed.size);
  }

  async #untilIdle(): Promise<void> {
    const { stderr } = this.#run.platform;
    const note = (what: string): void =>
      stderr.write(`restlab: Waiting for ${what}; Ctrl-C ends it\n`);
    await this.#session.untilIdle(note);
  }

  /**
   * Sets the variables of a cell that is not selected, and imports its files, which selected requests may use, and runs
   * its scripts that belong to no request. A line whose value needs a response that is missing is skipped: what uses the variable
   * reports it.
   */
  async #setVariables(cell: DocumentCell): Promise<void> {
    for (const { text, line } of variableLines(cell)) {
      await this.#execute(
        { ...cell, source: text, line: cell.line === undefined ? undefined : line },
        SILENT,
      );
    }
  }
}

/** `process.exit()` is not a failure; its status becomes that of the run. */
function hasExited(outcome: Outcome, { reason }: AbortSignal): boolean {
  return reason === EXITED || (outcome.status === "error" && outcome.error.name === "CellExit");
}

function limitOf(milliseconds: number): { milliseconds: number; reason: Error } {
  const reason = new Error(
    `Running the cell failed: it did not end within ${milliseconds / 1000} s; --timeout sets the limit`,
  );
  reason.name = "TimeoutError";
  // Without the trace, which shows only code of restlab.
  reason.stack = `${reason.name}: ${reason.message}`;
  return { milliseconds, reason };
}

const SILENT = { stream: () => undefined, display: () => undefined };

/** The lines of a cell that name files or set variables, and its scripts, with their lines in the file. */
function variableLines(cell: DocumentCell): readonly { text: string; line: number }[] {
  try {
    const { kind, text } = readCell(cell);
    if (kind !== "request") return [];
    const parsed = parseText(text, cell.line);
    const set = parsed.statements.filter(({ kind }) => kind === "assignment" || kind === "script");
    return [...parsed.imports, ...set].map(({ span: { start, end } }) => ({
      text: text.slice(start, end),
      line: locate(parsed, start).line,
    }));
  } catch {
    return []; // A cell with a syntax error would not set them either.
  }
}

function toOutputError(cause: unknown): CellError {
  const name = "OutputError";
  const message = `An output could not be shown: ${messageOf(cause).split("\n", 1)[0]}`;
  return { name, message, traceback: [`${name}: ${message}`], cause };
}
