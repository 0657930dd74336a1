import { client } from "../../lib/mod.ts";
import { Collector, failedCase } from "./collector.ts";
import { type CommandContext, EXIT } from "./context.ts";
import { DocumentError } from "./document.ts";
import type { FileResult, SuiteResult } from "./results.ts";
import { EarlyEnd } from "./run-cell.ts";
import { type RunningDocument, runInSession } from "./run-in-session.ts";
import type { SuiteUnit, TestOptions } from "./suite-plan.ts";
import type { SuiteTerminal } from "./suite-terminal.ts";

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
  readonly end: EarlyEnd;
  readonly #options: TestOptions;
  #hasFailed = false;
  #isUnusable = false;

  constructor(options: TestOptions, { interruption }: CommandContext) {
    this.#options = options;
    this.end = new EarlyEnd(interruption);
  }

  /** Notes that a document could not be run. */
  unusable(): void {
    this.#isUnusable = true;
    this.#hasFailed = true;
  }

  /** Whether another cell may be run, given how many of its document have failed. */
  continues(failed: number): boolean {
    this.#hasFailed ||= failed > 0;
    return !this.end.signal.aborted && !(this.#options.bail && this.#hasFailed);
  }

  statusOf(files: readonly FileResult[]): number {
    if (this.end.status !== undefined) return this.end.status;
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
  const act = async ({ session, run }: RunningDocument): Promise<FileResult> => {
    const collector = new Collector({
      document,
      row: row?.number,
      client: session.client,
      withHtml: options.reports.some(({ format }) => format === "html"),
    });
    terminal.fileStarted(collector);
    try {
      const ended = await run({
        continues: (failed) => state.continues(failed),
        retries: options.retries,
        reporter: collector,
        isParallel: options.parallel > 1,
        keepOutputs: false,
      });
      state.continues(ended.failed.size + ended.givenUp);
      return collector.finish(ended);
    } finally {
      terminal.fileEnded(collector);
    }
  };
  try {
    const setup = { ...options, selects, ...(row === undefined ? {} : { row: row.values }) };
    return await runInSession(document, setup, { ...context, end: state.end }, act);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    state.unusable();
    const { message } = error;
    const place = { file: document.path, line: 1 };
    const problem = { kind: "error", message, details: message, place } as const;
    return { ...notRun, cases: [failedCase(document.path, problem)] };
  }
}

/**
 * Runs tasks, some at the same time, and passes on their results in the order of the items.
 *
 * @param limit How many tasks run at the same time; they start in order.
 */
export async function runInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
  onResult: (result: Result) => void,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let next = 0;
  let passedOn = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results.set(index, await run(items[index] as Item));
      for (; results.has(passedOn); passedOn++) onResult(results.get(passedOn) as Result);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, work);
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return items.map((_item, index) => results.get(index) as Result);
}
