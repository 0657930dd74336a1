import { resolve } from "node:path";
import { toVisibleLine } from "../../lib/display/mod.ts";
import { type CommandContext, DocumentError, runInContext } from "../notebook/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { FileWatcher } from "./file-watcher.ts";
import type { TestOptions } from "./options.ts";
import { planSuite, type SuiteUnit } from "./plan.ts";
import { writeReports } from "./reports/mod.ts";
import { runSuite } from "./run-suite.ts";
import { SuiteTerminal } from "./suite-terminal.ts";

/**
 * `restlab test`: runs documents as `restlab run` does, selects and repeats, and reports results instead of outputs.
 *
 * @returns The exit status, 0 if all passed.
 */
export async function testCommand(options: TestOptions, platform: Platform): Promise<number> {
  const setup = { ...options, writesFile: options.reports.length > 0 };
  const plan = (): Promise<readonly SuiteUnit[]> => planSuite(options, platform);
  if (!options.watch) {
    return await runInContext(setup, platform, plan, (units, context) =>
      runOnce(units, options, context),
    );
  }
  const watcher = new FileWatcher();
  const watched = watchReads(platform, watcher);
  try {
    const planWatched = (): Promise<readonly SuiteUnit[]> => planSuite(options, watched);
    return await runInContext(setup, watched, planWatched, (units, context) =>
      runAgain(units, options, { context, watcher, plan: planWatched }),
    );
  } finally {
    watcher.close();
  }
}

async function runOnce(
  units: readonly SuiteUnit[],
  options: TestOptions,
  context: CommandContext,
): Promise<number> {
  const { platform } = context;
  const { stdout, stderr } = platform;
  // Standard output then has the report alone; annotations are found between other lines.
  const isReport = options.reports.some(
    ({ format, path }) => path === undefined && format !== "github",
  );
  const terminal = new SuiteTerminal({ stdout: isReport ? stderr : stdout, stderr });
  try {
    const { result, status } = await runSuite(units, options, context, terminal);
    terminal.end(result);
    await writeReports(options.reports, result, platform);
    return status;
  } finally {
    terminal.stop();
  }
}

interface Watching {
  readonly context: CommandContext;
  readonly watcher: FileWatcher;
  readonly plan: () => Promise<readonly SuiteUnit[]>;
}

/** Runs the suite again after each change, until Ctrl-C. */
async function runAgain(
  first: readonly SuiteUnit[],
  options: TestOptions,
  { context, watcher, plan }: Watching,
): Promise<number> {
  const { interruption, platform } = context;
  const { signal } = interruption;
  let units: readonly SuiteUnit[] | undefined = first;
  for (;;) {
    if (units !== undefined) await runOnce(units, options, context);
    if (!signal.aborted) platform.stderr.write("Waiting for changes; Ctrl-C ends\n");
    await watcher.changed(signal);
    if (signal.aborted) return interruption.status();
    units = await plan().catch((error: unknown) => {
      if (!(error instanceof DocumentError || error instanceof AggregateError)) throw error;
      const errors = error instanceof AggregateError ? (error.errors as readonly Error[]) : [error];
      for (const { message } of errors) {
        platform.stderr.write(`restlab: ${toVisibleLine(message)}\n`);
      }
      return undefined;
    });
  }
}

/** Watches every file that is read, or that is looked for. */
function watchReads(platform: Platform, watcher: FileWatcher): Platform {
  return {
    ...platform,
    readFile: (path, options) => {
      watcher.add(resolve(platform.directory, path));
      return platform.readFile(path, options);
    },
  };
}
