import { isFailedAssertion } from "../../lib/assertions/mod.ts";
import { AssertionError } from "../../lib/exchange/mod.ts";
import { isError, isThenable, readable } from "../../lib/interpolation/mod.ts";
import type { AssertionLocation, AssertionResult, Exchange, SourceText } from "../../lib/mod.ts";
import { isAssertionFailure } from "./expect.ts";
import { describeFailure, tidyFailure } from "./test-failure.ts";
import {
  createGroup,
  type GroupTests,
  type PlaceOf,
  runInGroup,
  settleGroup,
  type TestGroup,
} from "./test-group.ts";

/** The code that tests belong to. */
interface TestsOptions {
  readonly placeOf: PlaceOf;
  /** Where the code begins. */
  readonly location: AssertionLocation;
  /** Its text, if the results of failed assertions are to contain their lines. */
  readonly text?: SourceText;
  /** Whether an error ends the whole code, instead of failing a test. */
  readonly isEnd: (error: unknown) => boolean;
  /** Masks the secrets of a text that is going to be cut. */
  readonly mask: (text: string) => string;
}

/** A test, from its call on. */
interface StartedTest {
  readonly name: string;
  readonly location: AssertionLocation;
  isRunning: boolean;
  result?: AssertionResult;
  /** The exchange that the result is about. */
  readonly exchange?: Exchange;
}

/** The tests of a cell or of a script, which run one after another, and their results. */
export class Tests implements GroupTests {
  readonly #options: TestsOptions;
  readonly #started: StartedTest[] = [];
  /** The results of requests with a failed assertion, whose errors the code may catch. */
  readonly #refused = new WeakMap<Exchange, readonly AssertionResult[]>();
  readonly #all: TestGroup = createGroup(this, []);
  /** Why all of it was ended, if it was. */
  #end: { readonly reason: unknown } | undefined;

  constructor(options: TestsOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#all.hasEnded;
  }

  /** Runs the code that the tests belong to. */
  run<T>(code: () => T): T {
    return runInGroup(this.#all, code);
  }

  /**
   * Runs a test: at once, or after the asynchronous ones before it. A test may contain others.
   *
   * @returns A promise of its end, which a failure does not reject.
   */
  test(group: TestGroup, name: string, run: () => unknown): Promise<void> {
    const { placeOf, location } = this.#options;
    const inside = createGroup(this, [...group.names, name]);
    const started: StartedTest = {
      name: inside.names.join(" › "),
      location: placeOf(new Error("place")) ?? location,
      isRunning: false,
    };
    this.#started.push(started);
    const start = (): Promise<void> | undefined =>
      runInGroup(inside, () => this.#run(started, run, inside));
    const ended = group.pending === undefined ? start() : group.pending.then(start);
    if (ended === undefined) return Promise.resolve();
    group.pending = ended;
    const done = (): void => {
      if (group.pending === ended) group.pending = undefined;
    };
    ended.then(done, done);
    return ended;
  }

  /** Adds a test that is not run. */
  skip(group: TestGroup, test: string): void {
    const { placeOf, location: start } = this.#options;
    const name = [...group.names, test].join(" › ");
    const location = placeOf(new Error("place")) ?? start;
    const result = { text: name, name, passed: false, skipped: true, location } as const;
    this.#started.push({ name, location, isRunning: false, result });
  }

  /** Takes the assertions of the requests that a call sends. Their place is that of the call. */
  observe(): (exchange: Exchange) => void {
    const { placeOf, location: start } = this.#options;
    const call = new Error("place");
    return (exchange) => {
      if (exchange.assertions.length === 0) return;
      const location = placeOf(call) ?? start;
      const results = exchange.assertions.map((result) => ({ ...result, location }));
      if (!results.some(isFailedAssertion)) this.#add(exchange, results);
      else this.#refused.set(exchange, results);
    };
  }

  /** Adds the failure of an assertion outside of tests; other errors are not assertions. */
  addFailure(error: unknown): void {
    if (error instanceof AssertionError) {
      this.#add(error.exchange, this.#refused.get(error.exchange) ?? []);
      return;
    }
    if (!isAssertionFailure(error)) return;
    const { location } = this.#options;
    const started = { name: "assertion", location, isRunning: true };
    const { name: _, ...result } = this.#toFailure(started, error);
    this.#started.push({ ...started, result });
  }

  /**
   * Waits until all tests have ended, and all assertions outside of them.
   *
   * @throws Whatever has ended the code inside of a test, or the failure of an assertion outside of tests.
   */
  async settle(): Promise<void> {
    await settleGroup(this.#all);
    if (this.#end !== undefined) throw this.#end.reason;
  }

  /** Ends the tests: the results, in the order of the calls. A test that has not ended has failed. */
  close(): readonly AssertionResult[] {
    this.#all.hasEnded = true;
    return this.#started.map((started) => {
      const { name, location, isRunning } = started;
      const message = isRunning ? "The test has not ended" : "The test has not started";
      started.result ??= { text: name, name, passed: false, message, location };
      return started.result;
    });
  }

  /** The results, when the tests have ended, without those that the view of this exchange shows. */
  resultsBeside(shown: unknown): readonly AssertionResult[] {
    const others = this.#started.filter(
      ({ exchange }) => exchange === undefined || exchange !== shown,
    );
    return others.flatMap(({ result }) => result ?? []);
  }

  #add(exchange: Exchange, results: readonly AssertionResult[]): void {
    for (const result of results) {
      const { text: name, location } = result;
      this.#started.push({ name, location, isRunning: false, result, exchange });
    }
  }

  /** Runs the function of a test; a promise is returned if it takes a while. */
  #run(started: StartedTest, run: () => unknown, group: TestGroup): Promise<void> | undefined {
    started.isRunning = true;
    let value: unknown;
    try {
      value = run();
    } catch (error) {
      group.hasEnded = group.pending === undefined;
      this.#fail(started, readable(error));
      return group.pending;
    }
    const isPending = group.pending !== undefined || group.unawaited.size > 0;
    if (isThenable(value) || isPending) return this.#wait(started, value, group);
    group.hasEnded = true;
    this.#pass(started);
    return undefined;
  }

  async #wait(started: StartedTest, value: unknown, group: TestGroup): Promise<void> {
    try {
      await value;
      await settleGroup(group);
      this.#pass(started);
    } catch (error) {
      this.#fail(started, readable(error));
    }
  }

  #pass(started: StartedTest): void {
    const { name, location } = started;
    started.result = { text: name, name, passed: true, location };
  }

  #fail(started: StartedTest, error: unknown): void {
    if (!this.#options.isEnd(error)) {
      started.result = this.#toFailure(started, error);
      return;
    }
    this.#end ??= { reason: error };
    throw error;
  }

  #toFailure({ name, location }: StartedTest, error: unknown): AssertionResult {
    const { placeOf, text, mask } = this.#options;
    const described = describeFailure(error, mask);
    tidyFailure(error, described, mask);
    const place = isError(error) ? placeOf(error) : undefined;
    const line = place && text && lineAt(text, place.line);
    return {
      text: line === undefined || line === "" ? name : line,
      name,
      passed: false,
      ...described,
      location: place ?? location,
    };
  }
}

function lineAt({ source, firstLine = 1 }: SourceText, line: number): string | undefined {
  return source.split(LINE_END)[line - firstLine]?.trim();
}

const LINE_END = /\r\n?|\n/;
