import { AsyncLocalStorage } from "node:async_hooks";
import type { AssertionLocation, AssertionResult } from "../../../lib/mod.ts";
import { describeFailure, isAssertionFailure, tidyFailure } from "./failure.ts";
import type { PlaceOf } from "./places.ts";

/** The code that tests belong to. */
export interface TestsOptions {
  readonly placeOf: PlaceOf;
  /** Where the code begins. */
  readonly location: AssertionLocation;
  /** Its text, if the results of failed assertions are to contain their lines. */
  readonly source?: string;
  /** Whether an error ends the whole code, and is no failure of a test. */
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
}

/** The tests of the code, or those inside of a test. */
interface Group {
  readonly names: readonly string[];
  /** The end of those that were called and have not ended. */
  pending: Promise<void> | undefined;
}

/** The tests of a cell or of a script, which run one after another, and their results. */
export class Tests {
  readonly #options: TestsOptions;
  readonly #started: StartedTest[] = [];
  readonly #all: Group = { names: [], pending: undefined };
  readonly #current = new AsyncLocalStorage<Group>();
  /** Why all of it was ended, if it was. */
  #end: { readonly reason: unknown } | undefined;

  constructor(options: TestsOptions) {
    this.#options = options;
  }

  /**
   * Runs a test: at once, or after the asynchronous ones before it. A test may contain others.
   *
   * @returns A promise of its end, which a failure does not reject.
   */
  readonly test = (name: unknown, run: unknown): Promise<void> => {
    if (typeof run !== "function") {
      throw new TypeError(`Cannot run the test "${String(name)}": it has no function`);
    }
    const { placeOf, location } = this.#options;
    const group = this.#current.getStore() ?? this.#all;
    const names = [...group.names, String(name)];
    const started: StartedTest = {
      name: names.join(" › "),
      location: placeOf(new Error("place")) ?? location,
      isRunning: false,
    };
    this.#started.push(started);
    const inside: Group = { names, pending: undefined };
    const start = (): Promise<void> | undefined =>
      this.#current.run(inside, () => this.#run(started, run as () => unknown, inside));
    const ended = group.pending === undefined ? start() : group.pending.then(start);
    if (ended === undefined) return Promise.resolve();
    group.pending = ended;
    const done = (): void => {
      if (group.pending === ended) group.pending = undefined;
    };
    ended.then(done, done);
    return ended;
  };

  /** Adds the failure of an assertion outside of tests; other errors are not assertions. */
  addFailure(error: unknown): void {
    if (!isAssertionFailure(error)) return;
    const { location } = this.#options;
    const started = { name: "assertion", location, isRunning: true };
    const { name: _, ...result } = this.#toFailure(started, error);
    this.#started.push({ ...started, result });
  }

  /**
   * Waits until all tests have ended.
   *
   * @throws Whatever has ended the code inside of a test.
   */
  async settle(): Promise<void> {
    while (this.#all.pending !== undefined) await this.#all.pending.catch(() => undefined);
    if (this.#end !== undefined) throw this.#end.reason;
  }

  /** The results, in the order of the calls; a test that has not ended has failed. */
  results(): readonly AssertionResult[] {
    return this.#started.map(({ name, location, isRunning, result }) => {
      const message = isRunning ? "The test has not ended" : "The test has not started";
      return result ?? { text: name, name, passed: false, message, location };
    });
  }

  /** Runs the function of a test; a promise is returned if it takes a while. */
  #run(started: StartedTest, run: () => unknown, group: Group): Promise<void> | undefined {
    started.isRunning = true;
    let value: unknown;
    try {
      value = run();
    } catch (error) {
      this.#fail(started, error);
      return group.pending;
    }
    if (isThenable(value) || group.pending !== undefined) return this.#wait(started, value, group);
    this.#pass(started);
    return undefined;
  }

  async #wait(started: StartedTest, value: unknown, group: Group): Promise<void> {
    try {
      await value;
      while (group.pending !== undefined) await group.pending;
      this.#pass(started);
    } catch (error) {
      this.#fail(started, error);
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
    const { placeOf, source, mask } = this.#options;
    const described = describeFailure(error, mask);
    tidyFailure(error, mask);
    const place = error instanceof Error ? placeOf(error) : undefined;
    const line = place && source?.split(LINE_END)[place.line - 1]?.trim();
    return {
      text: line === undefined || line === "" ? name : line,
      name,
      passed: false,
      ...described,
      location: place ?? location,
    };
  }
}

const LINE_END = /\r\n?|\n/;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { then?: unknown }).then === "function";
