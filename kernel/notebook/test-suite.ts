import { client } from "../../lib/mod.ts";
import type { CommandContext } from "./command-context.ts";
import { DocumentError } from "./document/mod.ts";
import { EXIT } from "./exit-status.ts";
import { openSession } from "./open-session.ts";
import { prepareClient } from "./prepare-client.ts";
import { Collector, type FileResult, failedCase, type SuiteResult } from "./results/mod.ts";
import { EXITED, runDocument } from "./run/mod.ts";
import { runInOrder, type SuiteTerminal } from "./suite/mod.ts";
import type { TestOptions } from "./test-options.ts";
import type { SuiteUnit } from "./test-plan.ts";

/** A suite that has ended. */
interface EndedSuite {
  readonly result: SuiteResult;
  /** The exit status. */
  readonly status: number;
}

/** Runs the documents of a suite, each in a session of its own. */
export async function runSuite(
  units: readonly SuiteUnit[],
  options: TestOptions,
  context: CommandContext,
  terminal: SuiteTerminal,
): Promise<EndedSuite> {
  const startedAt = Date.now();
  const state = new SuiteState(options, context);
  const files = await runInOrder(
    units,
    options.parallel,
    (unit) => runUnit(unit, options, context, { state, terminal }),
    (file) => terminal.file(file),
  );
  const result = { version: client.version, startedAt, duration: Date.now() - startedAt, files };
  return { result, status: state.statusOf(files) };
}

/** What the documents of a suite share while they run. */
class SuiteState {
  /** Aborted at Ctrl-C and by `process.exit`. */
  readonly signal: AbortSignal;
  readonly #options: TestOptions;
  readonly #interruption: CommandContext["interruption"];
  readonly #leaving = new AbortController();
  #hasFailed = false;
  #isUnusable = false;
  #exit: number | undefined;

  constructor(options: TestOptions, { interruption }: CommandContext) {
    this.#options = options;
    this.#interruption = interruption;
    this.signal = AbortSignal.any([interruption.signal, this.#leaving.signal]);
  }

  /** Ends the suite: a cell has called `process.exit`. */
  exit(status: number): void {
    this.#exit ??= status;
    this.#leaving.abort(EXITED);
  }

  /** Notes that a document could not be run. */
  unusable(): void {
    this.#isUnusable = true;
    this.#hasFailed = true;
  }

  /** Whether another cell may be run, given how many of its document have failed. */
  continues(failed: number): boolean {
    this.#hasFailed ||= failed > 0;
    return !this.signal.aborted && !(this.#options.bail && this.#hasFailed);
  }

  statusOf(files: readonly FileResult[]): number {
    if (this.#interruption.signal.aborted) return this.#interruption.status();
    if (this.#exit !== undefined) return this.#exit;
    if (this.#isUnusable) return EXIT.usage;
    const problems = files.flatMap(({ cases }) => cases.flatMap((one) => one.problems));
    if (problems.some(({ kind }) => kind === "no-response")) return EXIT.noResponse;
    return problems.length > 0 ? EXIT.cellFailed : EXIT.ok;
  }
}

async function runUnit(
  { document, selects, size, row }: SuiteUnit,
  options: TestOptions,
  context: CommandContext,
  { state, terminal }: { readonly state: SuiteState; readonly terminal: SuiteTerminal },
): Promise<FileResult> {
  const notRun = {
    path: document.path,
    ...(row === undefined ? {} : { row: row.number }),
    startedAt: Date.now(),
    duration: 0,
    cases: [],
    notRun: size,
  };
  if (!state.continues(0)) return notRun;
  try {
    const setup = { ...options, ...(row === undefined ? {} : { row: row.values }) };
    const onExit = (status: number): void => state.exit(status);
    const { session } = await openSession(document, setup, { ...context, onExit });
    const collector = new Collector({
      document,
      row: row?.number,
      secrets: session.client.secrets,
      withHtml: options.reports.some(({ format }) => format === "html"),
    });
    terminal.fileStarted(collector);
    try {
      prepareClient(document, session.client, (cell) => selects(cell, 0));
      const run = await runDocument(document, session, {
        continues: (failed) => state.continues(failed),
        selects,
        retries: options.retries,
        reporter: collector,
        signal: state.signal,
        interrupted: context.interruption.interrupt,
        breaker: context.breaker,
        isParallel: options.parallel > 1,
        keepOutputs: false,
        ...(options.timeout === undefined ? {} : { cellTimeout: options.timeout * 1000 }),
      });
      state.continues(run.failed.size + run.givenUp);
      return collector.finish(run);
    } finally {
      terminal.fileEnded(collector);
      await session.close();
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    state.unusable();
    const { message } = error;
    const place = { file: document.path, line: 1 };
    const problem = { kind: "error", message, details: message, place } as const;
    return { ...notRun, cases: [failedCase(document.path, problem)] };
  }
}
