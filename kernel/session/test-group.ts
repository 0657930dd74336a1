import type { AssertionLocation, Exchange } from "../../lib/mod.ts";
import { AsyncContext } from "../platform/mod.ts";
import { type Locate, mapStack, parseFrame } from "./trace.ts";

/** The tests of a cell or of a script, as a group in it sees them. */
export interface GroupTests {
  /** Whether the code that contains them has ended. */
  readonly isClosed: boolean;
  test(group: TestGroup, name: string, run: () => unknown): Promise<void>;
  /** Adds a test that is not run. */
  skip(group: TestGroup, name: string): void;
  /** Returns what takes the results of the requests that the code is about to send. */
  observe(): (exchange: Exchange) => void;
}

/** The tests of the code, or those inside of a test. */
export interface TestGroup {
  readonly tests: GroupTests;
  readonly names: readonly string[];
  /** The end of the tests that were called and have not ended. */
  pending: Promise<void> | undefined;
  /** The asynchronous assertions that nothing has awaited yet. */
  readonly unawaited: Set<PromiseLike<unknown>>;
  hasEnded: boolean;
}

/** The group of the code that is running, through timers, promises and callbacks. */
const current = new AsyncContext<TestGroup>();

/** Runs the code of a group. */
export function runInGroup<T>(group: TestGroup, code: () => T): T {
  return current.run(group, code);
}

/** Creates a group without tests. */
export function createGroup(tests: GroupTests, names: readonly string[]): TestGroup {
  return { tests, names, pending: undefined, unawaited: new Set(), hasEnded: false };
}

/**
 * Waits until the tests of a group have ended, and then for the assertions that nothing has awaited.
 *
 * @throws The error of such an assertion, or of what has ended a test from outside.
 */
export async function settleGroup(group: TestGroup): Promise<void> {
  try {
    while (group.pending !== undefined) await group.pending;
    for (const assertion of group.unawaited) {
      group.unawaited.delete(assertion);
      await assertion;
    }
  } finally {
    // What it has left running belongs to no test.
    group.hasEnded = true;
  }
}

/** The function `test`: runs a test of the code that calls it. */
function run(name: unknown, code: unknown): Promise<void> {
  const text = String(name);
  if (typeof code !== "function") {
    throw new TypeError(`Cannot run the test "${text}": it has no function`);
  }
  const group = openGroup(text);
  return group.tests.test(group, text, code as () => unknown);
}

/** The function `test.skip`: the test is in the results, and is not run. */
function skip(name: unknown): void {
  const text = String(name);
  const group = openGroup(text);
  group.tests.skip(group, text);
}

/** What scripts and cells have as `test`. */
export const runTest: typeof run & { readonly skip: typeof skip } = Object.assign(run, { skip });

function openGroup(text: string): TestGroup {
  const group = current.get();
  if (group !== undefined && !hasEnded(group)) return group;
  const reason = group === undefined ? "no cell is running" : "the code that contains it has ended";
  throw new Error(`Cannot run the test "${text}": ${reason}`);
}

/** Returns what takes the exchanges of the code that calls this, for their assertions; nothing outside of cells. */
export function observeExchanges(): ((exchange: Exchange) => void) | undefined {
  const group = current.get();
  return group === undefined || hasEnded(group) ? undefined : group.tests.observe();
}

/**
 * Makes the test, or the code outside of tests, wait for an asynchronous assertion that nothing awaits: its failure
 * would be lost.
 *
 * @returns The same promise, to be awaited.
 */
export function trackAssertion<T>(promise: PromiseLike<T>): PromiseLike<T> {
  const group = current.get();
  if (group === undefined || hasEnded(group)) return promise;
  const settled = Promise.resolve(promise);
  // Whoever waits for it handles its failure.
  settled.catch(() => undefined);
  group.unawaited.add(settled);
  const awaited = (): Promise<T> => {
    group.unawaited.delete(settled);
    return settled;
  };
  // Code cannot observe that a native promise is awaited.
  const tracked: Promise<T> = {
    // biome-ignore lint/suspicious/noThenProperty: It is a promise.
    then: (onResult, onError) => awaited().then(onResult, onError),
    catch: (onError) => awaited().catch(onError),
    finally: (onEnd) => awaited().finally(onEnd),
    [Symbol.toStringTag]: "Promise",
  };
  return tracked;
}

function hasEnded(group: TestGroup): boolean {
  return group.hasEnded || group.tests.isClosed;
}

/** Finds the place of an error in a code; `undefined` if no frame is in it. */
export type PlaceOf = (error: Error) => AssertionLocation | undefined;

/**
 * Finds the places of errors in one code.
 *
 * @param name What its frames call it: `cell 3`, or the path of a file.
 * @param file The file that the places name, if it is one.
 */
export function createPlaces(locate: Locate, name: string, file: string | undefined): PlaceOf {
  return (error) => {
    mapStack(error, locate);
    for (const line of (error.stack ?? "").split("\n")) {
      const frame = parseFrame(line);
      if (!frame?.before.endsWith(name)) continue;
      const position = { line: frame.line, column: frame.column };
      return file === undefined ? position : { file, ...position };
    }
    return undefined;
  };
}
