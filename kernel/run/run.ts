import { toVisibleLine } from "../../lib/display/mod.ts";
import { LoopBreaker, type Platform } from "../platform/mod.ts";
import {
  type CommandOptions,
  captureOutput,
  createSessionOpener,
  RecordingError,
  type SessionOpener,
  type SessionOptions,
} from "../session/mod.ts";
import type { Row } from "./data-rows.ts";
import { DocumentError, UnreadableError } from "./errors.ts";
import type { DocumentSession } from "./open-document.ts";
import type { ReportOption } from "./reports.ts";
import type { SelectionOptions } from "./selection.ts";
import type { Shard } from "./suite-plan.ts";

/**
 * What `run`, `test`, `verify` and `check` do, resolved once from the command line. A member that only some of them
 * have says which; without it, nothing of it applies.
 */
export interface RunOptions extends CommandOptions {
  /** Files, folders and globs; for `test` places such as `api.http:12` as well. */
  readonly files: readonly string[];

  /** `run`, `check`: whether to print whole answers, one line per request, or JSON. */
  readonly form?: "shown" | "brief" | "json";
  /** `run`: where to write the notebook with its outputs: a file, a folder for several, `-` for stdout. */
  readonly output?: string;
  /** `run`, `verify`: whether the outputs have no times and dates. */
  readonly stable?: boolean;
  /** `run`: whether to go on after a cell that failed. */
  readonly keepGoing?: boolean;
  /** `run`: whether a status of 3xx, 4xx or 5xx makes the exit status 3, 4 or 5. */
  readonly checkStatus?: boolean;
  /** `run`: asks the person at the terminal for the values of prompts. */
  readonly ask?: SessionOptions["ask"];
  /** `run`: called with the session of the last document before it is closed. */
  readonly interact?: (opened: DocumentSession, breaker: LoopBreaker) => Promise<void>;

  /** `test`: which cells are run; all by default. */
  readonly selection?: SelectionOptions;
  /** `test`: whether to end the suite at the first failure. */
  readonly bail?: boolean;
  /** `test`: whether a suite in which nothing is run passes. */
  readonly passWithNoTests?: boolean;
  /** `test`: how many files run at the same time. */
  readonly parallel?: number;
  /** `test`: how often a cell that fails is run again. */
  readonly retries?: number;
  /** `test`: how long it waits before, in seconds. */
  readonly retryDelay?: number;
  readonly shard?: Shard;
  /** `test`: a file whose rows are runs of their own, or those rows. */
  readonly data?: string | readonly Row[];
  /** `test`: whether to run again after each change of a file. */
  readonly watch?: boolean;
  /** `test`, `verify`: the reports to write. */
  readonly reports?: readonly ReportOption[];

  /** `verify`: the HAR file with what was promised; by default the saved outputs. */
  readonly baseline?: string;
  /** `verify`: the file, or the URL, of an OpenAPI description. */
  readonly openapi?: string;
  /** `verify`: whether compatible differences are failures as well. */
  readonly strict?: boolean;
  /** `verify`: whether to write the new outputs into the notebooks. */
  readonly update?: boolean;
}

/** The exit statuses of `run`, `test`, `verify` and `check`; in all of them a cell may choose another one by `process.exit`. */
export const EXIT = {
  ok: 0,
  cellFailed: 1,
  usage: 2,
  noResponse: 3,
  interrupted: 130,
  terminated: 143,
} as const;

/** The reason of the signal after `process.exit` in a cell, which is not a failure of the cells that it ends. */
export const EXITED = "process.exit";

/** A command that runs documents, and what they share. */
export interface Run {
  readonly options: RunOptions;
  readonly platform: Platform;
  readonly sessions: SessionOpener;
  readonly end: RunEnd;
}

/** The end of a run before its last cell: at Ctrl-C, at SIGTERM, or by `process.exit` in a cell. */
export class RunEnd {
  readonly breaker: LoopBreaker;
  readonly #releases: (() => void)[];
  #end = new AbortController();
  #exit: number | undefined;
  #interrupted: number | undefined;

  constructor(options: RunOptions, platform: Platform) {
    // SIGTERM must not end at once what has a file to write.
    const signals = writesFile(options) ? (["SIGINT", "SIGTERM"] as const) : (["SIGINT"] as const);
    this.breaker = new LoopBreaker({
      signals,
      exitMessage: exitMessage(options, platform),
      endsCallbacks: true,
      isGuest: platform.isGuest === true,
    });
    this.#releases = signals.map((signal) =>
      signal === "SIGINT"
        ? platform.onInterrupt(() => this.interrupt())
        : platform.onTermination(() => this.#interrupt(EXIT.terminated)),
    );
  }

  /** Aborted at Ctrl-C, at SIGTERM, and with {@link EXITED}: ends the running cells and starts no other. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The exit status of a run that ended early. */
  get status(): number | undefined {
    return this.#interrupted ?? this.#exit;
  }

  /** Does what Ctrl-C does. */
  interrupt(): void {
    this.#interrupt(EXIT.interrupted);
  }

  /** Ends the run: a cell has called `process.exit`. */
  exit(status: number): void {
    this.#exit ??= status;
    this.#end.abort(EXITED);
  }

  /** Begins another run of the same documents, unless the person has ended the command. */
  restart(): void {
    if (this.#interrupted !== undefined) return;
    this.#exit = undefined;
    this.#end = new AbortController();
  }

  /** Leaves Ctrl-C and SIGTERM to others. */
  release(): void {
    for (const release of this.#releases) release();
  }

  #interrupt(status: number): void {
    // A SIGINT may come with a SIGTERM: the latter decides.
    this.#interrupted = Math.max(this.#interrupted ?? 0, status);
    this.breaker.acknowledge();
    this.#end.abort();
  }
}

/**
 * Runs a command on documents, and reports what a person can mend.
 *
 * @param prepare Reads and checks all that is given, before anything is started or sent.
 * @param act Returns the exit status.
 */
export async function runCommandOn<Plan>(
  options: RunOptions,
  platform: Platform,
  prepare: () => Promise<Plan>,
  act: (plan: Plan, run: Run) => Promise<number>,
): Promise<number> {
  // Until the process ends: what a cell did not await may print or fail at any time.
  const restoreOutput = captureOutput();
  try {
    return await runOn(options, platform, prepare, async (plan, run) => {
      const status = await act(plan, run);
      const remarks = run.end.signal.aborted ? [] : run.sessions.remarks();
      for (const remark of remarks) platform.stderr.write(`restlab: ${toVisibleLine(remark)}\n`);
      return status;
    });
  } catch (error) {
    if (reportFaults(error, platform)) return EXIT.usage;
    restoreOutput();
    throw error;
  }
}

/** Prepares a run of documents, opens what they share, and closes it when `act` has ended. */
export async function runOn<Plan, Result>(
  options: RunOptions,
  platform: Platform,
  prepare: () => Promise<Plan>,
  act: (plan: Plan, run: Run) => Promise<Result>,
): Promise<Result> {
  const end = new RunEnd(options, platform);
  try {
    const plan = await prepare();
    const sessions = await createSessionOpener(options, platform, { keepsFailures: true });
    try {
      return await act(plan, { options, platform, sessions, end });
    } finally {
      await sessions.close();
    }
  } finally {
    end.release();
  }
}

/** Reports what a person can mend, a file or an option; returns whether an error is that. */
export function reportFaults(error: unknown, { stderr }: Platform): boolean {
  const errors: readonly unknown[] = error instanceof UnreadableError ? error.errors : [error];
  const faults = errors.filter(
    (one) => one instanceof DocumentError || one instanceof RecordingError,
  );
  for (const { message } of faults) stderr.write(`restlab: ${toVisibleLine(message)}\n`);
  return faults.length > 0;
}

function writesFile({ output, reports = [], update, record, recordMissing }: RunOptions): boolean {
  const isNamed = [output, record, reports[0]].some((one) => one !== undefined);
  return isNamed || update === true || recordMissing === true;
}

/** What is written where the runtime cannot end a busy cell, which ends the process at a limit or signal. */
function exitMessage({ output }: RunOptions, { runtime }: Platform): string {
  const saved = output === undefined ? "" : `; ${output} has the outputs of the cells before it`;
  return toVisibleLine(
    `restlab: A cell is busy in code other than its own, which ${runtime.title} cannot interrupt: the whole run was ended${saved}`,
  );
}
