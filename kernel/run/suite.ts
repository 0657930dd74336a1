import { client, createClient } from "../../lib/mod.ts";
import { Collector, failedCase } from "./collector.ts";
import { DocumentError } from "./errors.ts";
import { type DocumentSession, type DocumentUnit, withDocument } from "./open-document.ts";
import {
  type AnswerRoom,
  addCounts,
  countCases,
  createAnswerRoom,
  type FileResult,
  type Problem,
  type SuiteResult,
  type SuiteStart,
} from "./results.ts";
import { EXIT, type Run } from "./run.ts";

/** Follows the run of a suite. */
export interface SuiteObserver {
  started?(suite: SuiteStart): Promise<void>;
  fileStarted?(file: Collector): void;
  fileEnded?(file: Collector): void;
  /** The result of a file, called in the order of the files, and awaited. */
  file?(result: FileResult): void | Promise<void>;
}

/** How the results are collected. */
export interface SuiteOptions {
  /** Whether they have the answers as in a notebook. */
  readonly withHtml?: boolean;
  /** Whether they have the exchanges and errors themselves, for the program that runs the suite. */
  readonly isLive?: boolean;
}

/** A suite that has ended. */
export interface EndedSuite {
  readonly result: SuiteResult;
  /** The exit status of `restlab test`, 0 if all passed. */
  readonly status: number;
  /** The results of its files, in their order, if they are live; none otherwise. */
  readonly files: readonly FileResult[];
  /** Why documents could not be run. */
  readonly faults: readonly DocumentError[];
}

/** What is said of a suite in which nothing was run. */
export const EMPTY = "Nothing was tested: no request was sent, and nothing was checked";

/** Runs documents, each in a session of its own, and passes on their results, which would fill the memory in a large suite. */
export async function runSuite(
  units: readonly DocumentUnit[],
  run: Run,
  observers: readonly SuiteObserver[],
  given: SuiteOptions = {},
): Promise<EndedSuite> {
  const { parallel = 1, shard, passWithNoTests } = run.options;
  const start = { version: client.version, startedAt: Date.now() };
  const suite = new Suite(run, observers, given);
  const kinds = new Set<Problem["kind"]>();
  const files: FileResult[] = [];
  let counts = countCases([]);
  const pass = async (file: FileResult): Promise<void> => {
    counts = addCounts(counts, countCases([file]));
    for (const { kind } of file.cases.flatMap(({ problems }) => problems)) kinds.add(kind);
    if (given.isLive === true) files.push(file);
    await Promise.all(observers.map((one) => one.file?.(file)));
  };
  await Promise.all(observers.map((one) => one.started?.(start)));
  await runInOrder(units, parallel, (unit) => suite.run(unit), pass);
  const duration = Date.now() - start.startedAt;
  const status = suite.statusOf(kinds);
  // A shard may have got none.
  const mayBeEmpty = shard !== undefined || passWithNoTests === true;
  const isEmpty = status === EXIT.ok && !mayBeEmpty && counts.cases === 0;
  const result = { ...start, duration, counts, isEmpty };
  return { result, status: isEmpty ? EXIT.usage : status, files, faults: suite.faults };
}

class Suite {
  /** Why documents could not be run. */
  readonly faults: DocumentError[] = [];
  readonly #run: Run;
  readonly #observers: readonly SuiteObserver[];
  readonly #options: SuiteOptions & { readonly room: AnswerRoom };
  #hasFailed = false;

  constructor(run: Run, observers: readonly SuiteObserver[], options: SuiteOptions) {
    this.#run = run;
    this.#observers = observers;
    this.#options = { ...options, room: createAnswerRoom() };
  }

  async run(unit: DocumentUnit): Promise<FileResult> {
    const { path } = unit.document;
    if (!this.#continues(0)) return leftOut(unit);
    try {
      return await withDocument(unit, this.#run, (opened) => this.#runDocument(unit, opened));
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      this.faults.push(error);
      this.#hasFailed = true;
      const { message } = error;
      const place = { file: path, line: 1 };
      const problem = { kind: "error", message, details: message, place } as const;
      const { cases, ...rest } = leftOut(unit);
      return { ...rest, cases: [failedCase(path, problem), ...cases] };
    }
  }

  /** The exit status. */
  statusOf(problems: ReadonlySet<Problem["kind"]>): number {
    if (this.#run.end.status !== undefined) return this.#run.end.status;
    if (this.faults.length > 0) return EXIT.usage;
    if (problems.has("no-response")) return EXIT.noResponse;
    return problems.size > 0 ? EXIT.cellFailed : EXIT.ok;
  }

  async #runDocument(
    { document, row, selects }: DocumentUnit,
    { session, run }: DocumentSession,
  ): Promise<FileResult> {
    const { client } = session;
    const collector = new Collector({ document, row, selects, client, ...this.#options });
    for (const one of this.#observers) one.fileStarted?.(collector);
    try {
      const ended = await run({
        reporter: collector,
        continues: (failed) => this.#continues(failed),
      });
      this.#continues(ended.failed.size + ended.givenUp);
      return collector.finish();
    } finally {
      for (const one of this.#observers) one.fileEnded?.(collector);
    }
  }

  /** Whether another cell may be run, given how many of its document have failed. */
  #continues(failed: number): boolean {
    const { end, options } = this.#run;
    this.#hasFailed ||= failed > 0;
    return !end.signal.aborted && !(options.bail === true && this.#hasFailed);
  }
}

/** The result of a unit of which nothing was run. */
function leftOut(unit: DocumentUnit): FileResult {
  // No client has its variables, but a title may have those of its row.
  const lab = createClient();
  for (const [name, value] of Object.entries(unit.row?.values ?? {})) {
    if (!name.includes(".")) lab.setVar(name, value);
  }
  return new Collector({ ...unit, client: lab }).finish();
}

/**
 * Runs tasks, some at the same time, and passes on their results in the order of the items, one after the other.
 *
 * @param limit How many tasks run at the same time; they start in order.
 */
export async function runInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
  onResult: (result: Result) => void | Promise<void>,
): Promise<void> {
  const results = new Map<number, Result>();
  let next = 0;
  let passedOn = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results.set(index, await run(items[index] as Item));
      for (; results.has(passedOn); passedOn++) {
        const result = results.get(passedOn) as Result;
        // Until that has ended, the other tasks find nothing to pass on.
        results.delete(passedOn);
        await onResult(result);
      }
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, work);
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
