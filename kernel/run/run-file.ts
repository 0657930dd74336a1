import { fileURLToPath } from "node:url";
import { nearNames } from "../../lib/interpolation/mod.ts";
import { guestPlatform } from "../platform/mod.ts";
import { DocumentError, UnreadableError } from "./errors.ts";
import type { RunFileOptions, RunResult, RunTest } from "./library.ts";
import { toReport } from "./report-json.ts";
import { type RunOptions, runOn } from "./run.ts";
import { EMPTY, type EndedSuite, runSuite } from "./suite.ts";
import { planSuite } from "./suite-plan.ts";

/** Does what `runFile` promises; here is all that importing it should not load. */
export async function runInProgram(
  path: string | URL,
  options: RunFileOptions,
): Promise<RunResult> {
  const file = toPath(path);
  checkOptions(file, options);
  const { signal } = options;
  signal?.throwIfAborted();
  const platform = guestPlatform();
  const runOptions = toRunOptions(file, options);
  try {
    return await runOn(
      runOptions,
      platform,
      () => planSuite(runOptions, platform),
      async (units, run) => {
        const interrupt = (): void => run.end.interrupt();
        signal?.addEventListener("abort", interrupt);
        try {
          // It may have been aborted while the files were read.
          if (signal?.aborted === true) interrupt();
          const ended = await runSuite(units, run, [], { isLive: true });
          signal?.throwIfAborted();
          const [fault] = ended.faults;
          if (fault !== undefined) throw fault;
          return toResult(ended, run.sessions.remarks());
        } finally {
          signal?.removeEventListener("abort", interrupt);
        }
      },
    );
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new DocumentError(error.errors.map(({ message }) => message).join("\n"), {
      cause: error,
    });
  }
}

function toPath(path: unknown): string {
  if (path instanceof URL) return fileURLToPath(path);
  if (typeof path === "string") return path;
  throw new TypeError(`Cannot run ${typeof path} as a document: give a path, or a file URL`);
}

type Check = readonly [wanted: string, test: (value: unknown) => boolean];

const listOf =
  (test: Check[1]): Check[1] =>
  (value) =>
    Array.isArray(value) && value.every(test);
const isText = (value: unknown): boolean => typeof value === "string";
const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isRows = listOf(isObject);

const TEXT: Check = ["a string", isText];
const TEXTS: Check = ["a list of strings", listOf(isText)];
const SWITCH: Check = ["true or false", (value) => typeof value === "boolean"];
/** `setTimeout` takes 31 bits of milliseconds and fires at once beyond them. */
const isTime = (value: unknown): boolean =>
  typeof value === "number" && value >= 0 && value < 2 ** 31;

/** What each option takes. */
const OPTIONS: Readonly<Record<keyof RunFileOptions, Check>> = {
  env: TEXT,
  vars: ["an object of variables", isObject],
  names: TEXTS,
  grep: ["a list of regular expressions", listOf((value) => value instanceof RegExp)],
  tags: TEXTS,
  data: ["a path or a list of objects", (value) => isText(value) || isRows(value)],
  bail: SWITCH,
  passWithNoTests: SWITCH,
  retry: ["a whole number", (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  retryDelay: ["a number of milliseconds", isTime],
  timeout: ["a number of milliseconds above 0", (value) => isTime(value) && value !== 0],
  seed: TEXT,
  now: ["a valid Date", (value) => value instanceof Date && !Number.isNaN(value.getTime())],
  demo: SWITCH,
  record: TEXT,
  replay: TEXT,
  recordMissing: SWITCH,
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
};

/** @throws {TypeError} There is no such option, or its value is of another type. */
function checkOptions(file: string, options: unknown): void {
  const fail = (reason: string): never => {
    throw new TypeError(`Cannot run "${file}": ${reason}`);
  };
  if (!isObject(options)) fail("its options are not an object");
  for (const [name, value] of Object.entries(options as object)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      const names = Object.keys(OPTIONS);
      const [near] = nearNames(name, names, 1);
      const hint =
        near === undefined ? `; the options are ${names.join(", ")}` : `; did you mean "${near}"?`;
      fail(`"${name}" is not an option of runFile${hint}`);
    }
    const [wanted, test] = OPTIONS[name as keyof RunFileOptions];
    if (value !== undefined && !test(value)) fail(`its option "${name}" is not ${wanted}`);
  }
}

/** The options as `restlab test` has them, which counts in seconds. */
function toRunOptions(file: string, options: RunFileOptions): RunOptions {
  const { names = [], grep = [], tags = [], now, retry, retryDelay, timeout } = options;
  const { env, vars, data, bail, passWithNoTests, seed, demo, record, replay } = options;
  return {
    files: [file],
    variables: [],
    values: vars,
    environment: env,
    // One that is global goes on where it has matched before.
    selection: { names, patterns: grep.map(withoutState), tags },
    data,
    bail,
    passWithNoTests,
    retries: retry,
    retryDelay: retryDelay === undefined ? undefined : retryDelay / 1000,
    timeout: timeout === undefined ? undefined : timeout / 1000,
    seed,
    now: now === undefined ? undefined : () => new Date(now),
    demo,
    record,
    replay,
    recordMissing: options.recordMissing,
  };
}

function withoutState({ source, flags }: RegExp): RegExp {
  return new RegExp(source, flags.replace(/[gy]/g, ""));
}

function toResult({ result, status, files }: EndedSuite, remarks: readonly string[]): RunResult {
  const report = toReport(result, files);
  const { summary, tests } = report.results;
  const cases = files.flatMap((file) => file.cases);
  const live = cases.map(({ live: { exchanges: requests = [], errors = [] } = {} }) => ({
    requests,
    errors,
  }));
  const shown = {
    ok: status === 0,
    exitStatus: status,
    summary,
    tests: tests.map((test, index): RunTest => withHidden(test, live[index] ?? NOTHING)),
    remarks: result.isEmpty ? [...remarks, EMPTY] : remarks,
  };
  return withHidden(shown, {
    assertions: tests.flatMap(({ extra }) => extra.assertions),
    requests: live.flatMap(({ requests }) => requests),
    errors: live.flatMap(({ errors }) => errors),
    toJSON: () => report,
  });
}

const NOTHING = { requests: [], errors: [] };

/** Adds members that are read by their names, and neither shown nor written as JSON. */
function withHidden<Shown extends object, Hidden extends object>(
  shown: Shown,
  hidden: Hidden,
): Shown & Hidden {
  const members = Object.entries(hidden).map(([name, value]) => [
    name,
    { value, enumerable: false },
  ]);
  return Object.defineProperties({ ...shown, ...hidden }, Object.fromEntries(members));
}
