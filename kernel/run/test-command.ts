import { client, createClient } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { Collector, failedCase } from "./collector.ts";
import { DocumentError } from "./document.ts";
import { FileWatcher, watchReads } from "./file-watcher.ts";
import { type DocumentSession, type DocumentUnit, withDocument } from "./open-document.ts";
import { countCases, type FileResult, type SuiteResult } from "./results.ts";
import { EXIT, type Run, type RunOptions, reportFaults, runCommandOn } from "./run.ts";
import { planSuite } from "./suite-plan.ts";
import { writeReports } from "./suite-reports.ts";
import { SuiteTerminal } from "./suite-terminal.ts";

type Plan = () => Promise<readonly DocumentUnit[]>;

/**
 * `restlab test`: runs documents as `restlab run` does, selects and repeats, and reports results instead of outputs.
 *
 * @returns The exit status, 0 if all passed.
 */
export async function testCommand(options: RunOptions, platform: Platform): Promise<number> {
  if (options.watch !== true) {
    return await runCommandOn(options, platform, () => planSuite(options, platform), runOnce);
  }
  const watcher = new FileWatcher();
  const watched = watchReads(platform, watcher);
  const plan: Plan = () => planSuite(options, watched);
  try {
    return await runCommandOn(options, watched, plan, (units, run) =>
      runAgain(units, run, watcher, plan),
    );
  } finally {
    watcher.close();
  }
}

/** Runs the suite again after each change, until Ctrl-C. */
async function runAgain(
  first: readonly DocumentUnit[],
  run: Run,
  watcher: FileWatcher,
  plan: Plan,
): Promise<number> {
  const { platform } = run;
  let units: readonly DocumentUnit[] | undefined = first;
  for (;;) {
    if (units !== undefined) await runOnce(units, run);
    run.end.restart();
    if (!run.end.signal.aborted) platform.stderr.write("Waiting for changes; Ctrl-C ends\n");
    await watcher.changed(run.end.signal);
    if (run.end.status !== undefined) return run.end.status;
    units = await plan().catch((error: unknown) => {
      if (!reportFaults(error, platform)) throw error;
      return undefined;
    });
  }
}

async function runOnce(units: readonly DocumentUnit[], run: Run): Promise<number> {
  const { platform, options } = run;
  const { stdout, stderr } = platform;
  const { reports = [], parallel = 1 } = options;
  // Standard output then has the report alone; annotations are found between other lines.
  const isReport = reports.some(({ format, path }) => path === undefined && format !== "github");
  const terminal = new SuiteTerminal({ stdout: isReport ? stderr : stdout, stderr });
  const startedAt = Date.now();
  const suite = new Suite(run, terminal);
  try {
    const files = await runInOrder(
      units,
      parallel,
      (unit) => suite.run(unit),
      (file) => terminal.file(file),
    );
    const duration = Date.now() - startedAt;
    const status = suite.statusOf(files);
    // A shard may have got none.
    const mayBeEmpty = options.shard !== undefined || options.passWithNoTests === true;
    const isEmpty = status === EXIT.ok && !mayBeEmpty && countCases(files).cases === 0;
    const result: SuiteResult = { version: client.version, startedAt, duration, files, isEmpty };
    terminal.end(result);
    await writeReports(reports, result, platform);
    if (!isEmpty) return status;
    stderr.write(
      "restlab: Nothing was tested: no request was sent, and nothing was checked; --pass-with-no-tests accepts that\n",
    );
    return EXIT.usage;
  } finally {
    terminal.stop();
  }
}

/** Runs the documents of a suite, each in a session of its own. */
class Suite {
  readonly #run: Run;
  readonly #terminal: SuiteTerminal;
  #hasFailed = false;
  /** Whether a document could not be run. */
  #isUnusable = false;

  constructor(run: Run, terminal: SuiteTerminal) {
    this.#run = run;
    this.#terminal = terminal;
  }

  async run(unit: DocumentUnit): Promise<FileResult> {
    const { path } = unit.document;
    if (!this.#continues(0)) return leftOut(unit);
    try {
      return await withDocument(unit, this.#run, (opened) => this.#runDocument(unit, opened));
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      this.#isUnusable = true;
      this.#hasFailed = true;
      const { message } = error;
      const place = { file: path, line: 1 };
      const problem = { kind: "error", message, details: message, place } as const;
      const { cases, ...rest } = leftOut(unit);
      return { ...rest, cases: [failedCase(path, problem), ...cases] };
    }
  }

  /** The exit status. */
  statusOf(files: readonly FileResult[]): number {
    if (this.#run.end.status !== undefined) return this.#run.end.status;
    if (this.#isUnusable) return EXIT.usage;
    const problems = files.flatMap(({ cases }) => cases.flatMap((one) => one.problems));
    if (problems.some(({ kind }) => kind === "no-response")) return EXIT.noResponse;
    return problems.length > 0 ? EXIT.cellFailed : EXIT.ok;
  }

  async #runDocument(
    { document, row, selects }: DocumentUnit,
    { session, run }: DocumentSession,
  ): Promise<FileResult> {
    const { reports = [] } = this.#run.options;
    const collector = new Collector({
      document,
      row,
      selects,
      client: session.client,
      withHtml: reports.some(({ format }) => format === "html"),
    });
    this.#terminal.fileStarted(collector);
    try {
      const ended = await run({
        reporter: collector,
        continues: (failed) => this.#continues(failed),
      });
      this.#continues(ended.failed.size + ended.givenUp);
      return collector.finish();
    } finally {
      this.#terminal.fileEnded(collector);
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
  return new Collector({ ...unit, client: lab, withHtml: false }).finish();
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
