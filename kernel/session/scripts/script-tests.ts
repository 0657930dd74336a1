import type { AssertionLocation, AssertionResult } from "../../../lib/mod.ts";

/** The tests of one script. */
export interface ScriptTests {
  /** `client.test(name, function)`. */
  test(name: unknown, run: unknown): unknown;
  /** `client.assert(condition, message)`. */
  assert(condition: unknown, message?: unknown): void;
  /** The results in order, when all tests have ended. */
  results(): Promise<readonly AssertionResult[]>;
}

interface TestsOptions {
  /** Where an error was created, if the script's own code did. */
  readonly locate: (error: Error) => AssertionLocation | undefined;
  /** The place of the script. */
  readonly location: AssertionLocation;
  /** Whether an error ends the whole script, and is no failure of a test. */
  readonly isEnd: (error: unknown) => boolean;
}

/** Creates the tests of a script. */
export function createTests({ locate, location, isEnd }: TestsOptions): ScriptTests {
  const running: Promise<AssertionResult>[] = [];

  function test(name: unknown, run: unknown): unknown {
    if (typeof run !== "function") {
      throw new TypeError(`Cannot run the test "${String(name)}": it has no function`);
    }
    const text = String(name);
    const at = locate(new Error("place")) ?? location;
    const pass = (): AssertionResult => ({ text, name: text, passed: true, location: at });
    const fail = (error: unknown): AssertionResult => {
      if (isEnd(error)) throw error;
      const place = error instanceof Error ? locate(error) : undefined;
      return { text, name: text, passed: false, ...describe(error), location: place ?? at };
    };
    try {
      const ended: unknown = run();
      const result = Promise.resolve(ended).then(pass, fail);
      // Who waits for the results handles its failure.
      result.catch(() => undefined);
      running.push(result);
      return ended instanceof Promise ? result.then(() => undefined) : undefined;
    } catch (error) {
      running.push(Promise.resolve(fail(error)));
      return undefined;
    }
  }

  return {
    test,
    assert: (condition, message) => {
      if (!condition) throw new Error(message === undefined ? "Assertion failed" : String(message));
    },
    results: async () => {
      const results: AssertionResult[] = [];
      // A test may begin others.
      for (let index = 0; index < running.length; index++) {
        const result = await running[index];
        if (result !== undefined) results.push(result);
      }
      return results;
    },
  };
}

/** The message of an error, and the values that an assertion library compares. */
function describe(error: unknown): Pick<AssertionResult, "message" | "expected" | "actual"> {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const { message, expected, actual } = error as Readonly<Record<string, unknown>>;
  const isComparison = typeof expected === "string" && typeof actual === "string";
  return {
    message: typeof message === "string" && message !== "" ? message : String(error),
    ...(isComparison ? { expected, actual } : {}),
  };
}
