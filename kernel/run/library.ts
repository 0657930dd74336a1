import type { AssertionResult, Exchange, Value } from "../../lib/mod.ts";
import { DocumentError } from "./errors.ts";
import type { TestReport, TestResult, TestSummary } from "./report-json.ts";
import type { ExchangeSummary } from "./results.ts";

/**
 * Runs documents in a program, as `restlab test` runs them: `.http` files, `.rest` files and notebooks.
 *
 * ```ts
 * import { runFile } from "restlab/run";
 *
 * const result = await runFile("api/users.http", { vars: { base: "http://127.0.0.1:8787" }, tags: ["smoke"] });
 * result.ok; // true
 * result.requests.map(({ status }) => status); // [200]
 * ```
 *
 * Nothing is loaded before the first run, nothing is written to the streams of the process, and everything that a run
 * changes in the process is as before when it has ended.
 *
 * @module
 */

export { DocumentError, type ExchangeSummary, type TestReport, type TestResult, type TestSummary };

/** Options of {@link runFile}: those of `restlab test`, by the same names. */
export interface RunFileOptions {
  /** The environment, from the files in the folder of the document. */
  readonly env?: string;
  /** Initial variables, before lines of the document; any value, and a text is that text. */
  readonly vars?: Readonly<Record<string, Value>>;
  /** Runs the requests of these names alone (`# @name`, `### title`), and those that they refer to. */
  readonly names?: readonly string[];
  /** Runs those whose name one of these matches. */
  readonly grep?: readonly RegExp[];
  /** Runs those with one of these tags (`# @tag smoke`, a tag of a cell). */
  readonly tags?: readonly string[];
  /** Runs the document once for each row, whose columns are variables: the path of a `.csv`, `.json` or `.jsonl` file, or the rows. */
  readonly data?: string | readonly Readonly<Record<string, Value>>[];
  /** Whether to stop at the first failure. */
  readonly bail?: boolean;
  /** Whether it is `ok` if nothing was run. */
  readonly passWithNoTests?: boolean;
  /** How many more times a request or cell that fails is run; 0 by default. */
  readonly retry?: number;
  /** Milliseconds before each of them; 0 by default. */
  readonly retryDelay?: number;
  /** The time limit of each request (30,000 by default) and of each cell (none), in milliseconds. */
  readonly timeout?: number;
  /** Repeats the generated values of this seed. */
  readonly seed?: string;
  /** The time of generated dates and signatures. */
  readonly now?: Date;
  /** Whether to start the embedded users API on a free port, and set `base` to its URL. */
  readonly demo?: boolean;
  /** Records all requests and responses to this HAR file, without secrets. */
  readonly record?: string;
  /** Answers the requests from this HAR file, without a network. */
  readonly replay?: string;
  /** Whether requests that `replay` does not have are sent, and added to it. */
  readonly recordMissing?: boolean;
  /** Ends the run: what is running is aborted, and the promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * The result of a test: what the report has of it, and what it sent. Only the data of the report is enumerable, so that
 * it alone is shown and written as JSON.
 */
export interface RunTest extends TestResult {
  /** Its requests with their responses: masked where they are shown, real where they are read. */
  readonly requests: readonly Exchange[];
  /** The errors that nothing in it has caught, as they were thrown; they may contain secrets. */
  readonly errors: readonly unknown[];
}

/** The result of a run. `JSON.stringify` writes what `restlab test --report json` writes, without secrets. */
export interface RunResult {
  /** Whether all tests passed, and there were some. */
  readonly ok: boolean;
  /** The exit status of `restlab test`: 0 if `ok`, 1 after a failed check, 2 if nothing was run, 3 without a response. */
  readonly exitStatus: number;
  /** How many tests there are, by what became of them. */
  readonly summary: TestSummary;
  /** The tests, in the order of the document. */
  readonly tests: readonly RunTest[];
  /** What had no effect, and that nothing was tested, in words. */
  readonly remarks: readonly string[];
  /** The results of the assertions and tests of all tests. Not enumerable, as are the next two. */
  readonly assertions: readonly AssertionResult[];
  /** The requests of all tests. */
  readonly requests: readonly Exchange[];
  /** The errors of all tests. */
  readonly errors: readonly unknown[];
  /** Returns the report. */
  toJSON(): TestReport;
}

/**
 * Runs a document in this program, in a session of its own, as `restlab test` does. A test that fails is a result, not
 * an error. Documents can run at the same time.
 *
 * @param path The document: a `.http` or `.rest` file or a notebook, as a path from the working folder or a file URL;
 * also what else `restlab test` takes, such as a folder or `api.http:12`. Paths in a document start at its folder.
 * @param options Which requests are run, and how.
 * @returns The results.
 * @throws {TypeError} There is no such option, or its value is of another type.
 * @throws {DocumentError} A file cannot be read or run, or nothing is selected; the message is that of the command.
 * @throws {Error} A recording cannot be read or written: a `RecordingError`.
 * @example
 * ```ts
 * const vars = { base: "http://127.0.0.1:8787", id: 1 };
 * const result = await runFile("api/users.http", { vars, names: ["read a user"] });
 * result.ok; // true
 * result.tests.map(({ name, status }) => [name, status]); // [["read a user", "passed"]]
 * result.requests[0].json.name; // "Ada Lovelace"
 * ```
 */
export async function runFile(
  path: string | URL,
  options: RunFileOptions = {},
): Promise<RunResult> {
  // Whoever only imports the function loads no more than this file.
  const { runInProgram } = await import("./run-file.ts");
  return await runInProgram(path, options);
}
