import type { Platform } from "../platform/mod.ts";
import { settleAll } from "./errors.ts";
import { FileWatcher, watchReads } from "./file-watcher.ts";
import type { DocumentUnit } from "./open-document.ts";
import { type Run, type RunOptions, reportFaults, runCommandOn } from "./run.ts";
import { EMPTY, runSuite } from "./suite.ts";
import { planSuite } from "./suite-plan.ts";
import { openSuiteReport } from "./suite-reports.ts";
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
  const { reports: given = [] } = options;
  // Standard output then has the report alone; annotations are found between other lines.
  const isReport = given.some(({ format, path }) => path === undefined && format !== "github");
  const terminal = new SuiteTerminal({ stdout: isReport ? stderr : stdout, stderr });
  const reports = given.map((report) => openSuiteReport(report, platform));
  try {
    const withHtml = given.some(({ format }) => format === "html");
    const { result, status } = await runSuite(units, run, [terminal, ...reports], { withHtml });
    terminal.end(result);
    await settleAll(reports.map((report) => report.end(result)));
    if (result.isEmpty) stderr.write(`restlab: ${EMPTY}; --pass-with-no-tests accepts that\n`);
    return status;
  } finally {
    terminal.stop();
  }
}
