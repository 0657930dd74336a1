import { AsyncLocalStorage } from "node:async_hooks";
import type { Session } from "node:inspector";
import process from "node:process";
import { setImmediate } from "node:timers";

/** The global symbol of the function that another thread's inspector calls. */
const NAME = "restlab.terminate";

/**
 * The expression that the inspector evaluates, in the middle of whatever runs. Its value is
 * `undefined` or one of {@link REFUSED}.
 *
 * @param isRisky Whether to terminate even if that may end the process.
 */
export function terminateExpression(isRisky: boolean): string {
  return `globalThis[Symbol.for("${NAME}")](${isRisky})`;
}

/** Why nothing was terminated: it might end the process, or restlab's own code was running. */
export const REFUSED = { unsafe: "unsafe", internal: "internal" } as const;

/** An internal function of Node that ends the async calls that hooks follow. */
interface NodeInternals {
  readonly _fatalException?: (error: unknown) => boolean;
}

/**
 * Prepares this thread so that another thread can terminate its running JavaScript.
 *
 * Up to version 23 Node keeps a stack of async calls for AsyncLocalStorage, and ends the process if a
 * call on it never ends, as a terminated one does. The handling of an uncaught exception clears that
 * stack, and while the storages are disabled nothing is pushed onto it. Inside of these hooks nothing
 * can be terminated at all, and a terminated stream never writes again: only the termination of a
 * cell's own code is without risk.
 *
 * @param mayEnd Whether the code that runs now may be a cell's own; asked right before the termination.
 * @returns What undoes the preparation.
 */
export function prepareTermination(mayEnd: () => boolean): () => void {
  const storages = new Set<AsyncLocalStorage<unknown>>();
  const { run } = AsyncLocalStorage.prototype;
  let areDisabled = false;
  let session: Session | undefined;
  AsyncLocalStorage.prototype.run = function remember(
    this: AsyncLocalStorage<unknown>,
    ...given: Parameters<typeof run>
  ) {
    enableStorages();
    storages.add(this);
    return Reflect.apply(run, this, given);
  } as typeof run;

  function terminate(isRisky: boolean): string | undefined {
    if (!mayEnd()) return undefined;
    const frames = runningFrames();
    // Terminating restlab while it prints a result would leave a session without a prompt.
    if (!frames.some(isCell) && frames.some(isInternal)) return REFUSED.internal;
    const [top = ""] = frames;
    if (!isRisky && (frames.some(isHook) || top.includes("node:") || isInternal(top))) {
      return REFUSED.unsafe;
    }
    for (const storage of storages) storage.disable();
    clearAsyncStack();
    areDisabled = true;
    setImmediate(enableStorages);
    session ??= connect();
    session.post("Runtime.terminateExecution");
    return undefined;
  }

  function enableStorages(): void {
    if (!areDisabled) return;
    areDisabled = false;
    // Code that was terminated while it began a call has left that call on the stack.
    clearAsyncStack();
    // `run` enables a storage again, with what it held for timers and promises.
    for (const storage of storages) Reflect.apply(run, storage, [{}, () => undefined]);
  }

  Object.defineProperty(globalThis, Symbol.for(NAME), { value: terminate, configurable: true });
  return () => {
    AsyncLocalStorage.prototype.run = run;
    Reflect.deleteProperty(globalThis, Symbol.for(NAME));
  };
}

const OWN = new URL("..", import.meta.url).href;

const isCell = (frame: string): boolean => frame.includes("restlab-cell-");
const isHook = (frame: string): boolean => frame.includes("node:internal/async_hooks");
const isInternal = (frame: string): boolean => frame.includes(OWN);

/** The stack below the expression, innermost frame first. */
function runningFrames(): readonly string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Object.assign(Error, { prepareStackTrace: undefined, stackTraceLimit: 200 });
  const { stack = "" } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  // The first lines are the message, this function, its caller and the expression.
  return stack.split("\n").slice(4);
}

/** A session with this thread itself acts before anything else can run. */
function connect(): Session {
  const { Session } = process.getBuiltinModule("node:inspector");
  const session = new Session();
  session.connect();
  return session;
}

function clearAsyncStack(): void {
  const { _fatalException } = process as NodeInternals;
  if (_fatalException === undefined) return;
  process.setUncaughtExceptionCaptureCallback(() => undefined);
  try {
    _fatalException(new Error("The running JavaScript is about to be terminated"));
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
}
