import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import { setImmediate } from "node:timers";

/** Where the inspector finds what must be done before it ends running JavaScript. */
const NAME = "restlab.beforeTermination";

/** What the inspector evaluates in the cells' thread before `Runtime.terminateExecution`. */
export const BEFORE_TERMINATION: string = `globalThis[Symbol.for("${NAME}")]()`;

/** An inner function of Node's that ends what hooks of async calls have begun. */
interface NodeInternals {
  readonly _fatalException?: (error: unknown) => boolean;
}

/**
 * Makes this thread survive the end of its running JavaScript.
 *
 * Up to version 23 Node follows async calls, for AsyncLocalStorage, on a stack of its own, and ends
 * the process where a call was begun and not ended, as one that is cut off. The handling of an
 * uncaught exception empties that stack; while the storages are off nothing comes onto it again.
 *
 * @returns What undoes it.
 */
export function prepareTermination(): () => void {
  const storages = new Set<AsyncLocalStorage<unknown>>();
  const { run } = AsyncLocalStorage.prototype;
  let isOff = false;
  AsyncLocalStorage.prototype.run = function remember(
    this: AsyncLocalStorage<unknown>,
    ...given: Parameters<typeof run>
  ) {
    turnOn();
    storages.add(this);
    return Reflect.apply(run, this, given);
  } as typeof run;

  function beforeTermination(): void {
    for (const storage of storages) storage.disable();
    emptyStack();
    isOff = true;
    setImmediate(turnOn);
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
    value: beforeTermination,
    configurable: true,
  });
  return () => {
    AsyncLocalStorage.prototype.run = run;
    Reflect.deleteProperty(globalThis, Symbol.for(NAME));
  };
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
