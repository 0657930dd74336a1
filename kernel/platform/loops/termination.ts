import { AsyncLocalStorage } from "node:async_hooks";
import type { Session } from "node:inspector";
import process from "node:process";
import { setImmediate } from "node:timers";

/** Where another thread's inspector finds what ends the running JavaScript. */
const NAME = "restlab.terminate";

/**
 * What that inspector evaluates, in the middle of whatever runs. It comes to `undefined` or to one of
 * {@link REFUSED}.
 *
 * @param isRisky Whether to end it even where that may end the process.
 */
export function terminateExpression(isRisky: boolean): string {
  return `globalThis[Symbol.for("${NAME}")](${isRisky})`;
}

/** Why nothing was ended: that might end the process, or our own code was at work. */
export const REFUSED = { unsafe: "unsafe", own: "own" } as const;

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
 * In the middle of Node's own following nothing may be ended at all, and streams that are cut off never
 * write again: only a cell's own code is ended without risk.
 *
 * @param mayEnd Asked in the very moment, since what was to be ended may be over by then: whether what
 * runs now may be a cell's own code.
 * @returns What undoes it.
 */
export function prepareTermination(mayEnd: () => boolean): () => void {
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
    const frames = runningFrames();
    // An answer may be drawn: to cut that off would leave a session without a prompt.
    if (!frames.some(isCell) && frames.some(isOurs)) return REFUSED.own;
    const [top = ""] = frames;
    if (!isRisky && (frames.some(isHook) || top.includes("node:") || isOurs(top))) {
      return REFUSED.unsafe;
    }
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

  Object.defineProperty(globalThis, Symbol.for(NAME), { value: terminate, configurable: true });
  return () => {
    AsyncLocalStorage.prototype.run = run;
    Reflect.deleteProperty(globalThis, Symbol.for(NAME));
  };
}

const OWN = new URL("..", import.meta.url).href;

const isCell = (frame: string): boolean => frame.includes("restlab-cell-");
const isHook = (frame: string): boolean => frame.includes("node:internal/async_hooks");
const isOurs = (frame: string): boolean => frame.includes(OWN);

/** What runs beneath the expression, as lines of a trace, from the innermost out. */
function runningFrames(): readonly string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Object.assign(Error, { prepareStackTrace: undefined, stackTraceLimit: 200 });
  const { stack = "" } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  // Before them: the message, this function, what calls it, and the expression.
  return stack.split("\n").slice(4);
}

/** A session with the own thread: it acts before anything else can run. */
function connect(): Session {
  const { Session } = process.getBuiltinModule("node:inspector");
  const session = new Session();
  session.connect();
  return session;
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
