import { AsyncLocalStorage } from "node:async_hooks";
import type { Session } from "node:inspector";
import process from "node:process";
import { setImmediate } from "node:timers";

/** Where another thread's inspector finds what ends the running JavaScript. */
const NAME = "restlab.terminate";

/**
 * What that inspector evaluates, in the middle of whatever runs.
 *
 * @param isRisky Whether to end it even where that may end the process.
 */
export function terminateExpression(isRisky: boolean): string {
  return `globalThis[Symbol.for("${NAME}")](${isRisky})`;
}

/** What the expression comes to where nothing was ended, because that might end the process. */
export const UNSAFE = "unsafe";

/** An inner function of Node's that ends what hooks of async calls have begun. */
interface NodeInternals {
  readonly _fatalException?: (error: unknown) => boolean;
}

/**
 * Makes it possible to end this thread's running JavaScript from another thread.
 *
 * Up to version 23 Node follows async calls, for AsyncLocalStorage, on a stack of its own, and ends
 * the process where a call was begun and not ended, as one that is cut off. The handling of an
 * uncaught exception empties that stack; while the storages are off nothing comes onto it again.
 * In the middle of Node's own following nothing may be ended at all.
 *
 * @param mayEnd Asked in the very moment, since what was to be ended may be over by then: whether what
 * runs now is a cell's own code. Anything is unless given.
 * @returns What undoes it.
 */
export function prepareTermination(mayEnd: () => boolean = () => true): () => void {
  const storages = new Set<AsyncLocalStorage<unknown>>();
  const { run } = AsyncLocalStorage.prototype;
  let isOff = false;
  let session: Session | undefined;
  AsyncLocalStorage.prototype.run = function remember(
    this: AsyncLocalStorage<unknown>,
    ...given: Parameters<typeof run>
  ) {
    turnOn();
    storages.add(this);
    return Reflect.apply(run, this, given);
  } as typeof run;

  function terminate(isRisky: boolean): string | undefined {
    if (!mayEnd()) return undefined;
    if (!isRisky && isInHook()) return UNSAFE;
    for (const storage of storages) storage.disable();
    emptyStack();
    isOff = true;
    setImmediate(turnOn);
    session ??= connect();
    session.post("Runtime.terminateExecution");
    return undefined;
  }

  function turnOn(): void {
    if (!isOff) return;
    isOff = false;
    // What was cut off in the very act of beginning a call has left one behind.
    emptyStack();
    // Running anything turns a storage on again, with what it held for timers and promises.
    for (const storage of storages) Reflect.apply(run, storage, [{}, () => undefined]);
  }

  Object.defineProperty(globalThis, Symbol.for(NAME), {
    value: terminate,
    configurable: true,
  });
  return () => {
    AsyncLocalStorage.prototype.run = run;
    Reflect.deleteProperty(globalThis, Symbol.for(NAME));
  };
}

/** A session with the own thread: it acts before anything else can run. */
function connect(): Session {
  const { Session } = process.getBuiltinModule("node:inspector");
  const session = new Session();
  session.connect();
  return session;
}

function isInHook(): boolean {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Object.assign(Error, { prepareStackTrace: undefined, stackTraceLimit: 30 });
  const { stack = "" } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack.includes("node:internal/async_hooks");
}

function emptyStack(): void {
  const { _fatalException } = process as NodeInternals;
  if (_fatalException === undefined) return;
  process.setUncaughtExceptionCaptureCallback(() => undefined);
  try {
    _fatalException(new Error("The running JavaScript is about to be ended"));
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
}
