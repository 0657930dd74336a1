import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { toVisibleLine } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { type CommandContext, runInContext } from "./context.ts";
import { DocumentError } from "./document.ts";
import { runSuite } from "./run-suite.ts";
import { planSuite, type SuiteUnit, type TestOptions } from "./suite-plan.ts";
import { SuiteTerminal } from "./suite-terminal.ts";
import { writeReports } from "./write-reports.ts";

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

/** Editors write a file in several steps. */
const QUIET_TIME = 100;
/** Modules of a notebook, which are loaded without being reported. */
const MODULE = /\.[cm]?[jt]s$/;

/** Watches files for changes, including those that do not exist yet. */
export class FileWatcher {
  readonly #folders = new Map<string, FSWatcher | undefined>();
  readonly #paths = new Set<string>();
  #hasChanged = false;
  #onChange = (): void => undefined;

  /** Watches a file, by its absolute path. */
  add(path: string): void {
    this.#paths.add(path);
    const folder = dirname(path);
    if (!this.#folders.has(folder)) this.#folders.set(folder, this.#watch(folder));
  }

  /** Resolves after the next change, or one since the last call; also when the signal aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#onChange();
    signal.addEventListener("abort", stop);
    try {
      await new Promise<void>((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        this.#onChange = () => {
          clearTimeout(timer);
          if (signal.aborted) resolve();
          else timer = setTimeout(resolve, QUIET_TIME);
        };
        if (this.#hasChanged || signal.aborted) this.#onChange();
      });
    } finally {
      signal.removeEventListener("abort", stop);
      this.#onChange = () => undefined;
      this.#hasChanged = false;
    }
  }

  close(): void {
    for (const watcher of this.#folders.values()) watcher?.close();
  }

  #watch(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, (_event, name) => this.#note(folder, name));
      watcher.on("error", () => undefined); // A folder that was removed has no changes any more.
      return watcher;
    } catch {
      return undefined; // It does not exist; an environment file may be looked for in it.
    }
  }

  #note(folder: string, name: string | null): void {
    // Some runtimes report the whole path.
    const file = name === null ? undefined : basename(name);
    const isKnown = file !== undefined && this.#paths.has(join(folder, file));
    if (!isKnown && !(file !== undefined && MODULE.test(file))) return;
    this.#hasChanged = true;
    this.#onChange();
  }
}
