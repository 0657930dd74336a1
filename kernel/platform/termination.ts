import { AsyncLocalStorage } from "node:async_hooks";
import type { Session } from "node:inspector";
import process from "node:process";
import { setImmediate } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { LOOP_PHASES, LOOP_SLOTS } from "./loop-memory.ts";

/** Terminates JavaScript that computes, from another thread. */
interface Terminator {
  /**
   * @param isOver Whether nothing is left to terminate.
   * @returns False if restlab's own code was running, which must not be terminated.
   */
  terminate(isOver: () => boolean): Promise<boolean>;
  /** What to report if that did not help. */
  readonly limitation: string;
}

interface TerminatorOptions {
  readonly runtime: string;
  readonly shared: Int32Array;
  /** The inspector of the main thread, if the user has opened it. */
  readonly inspector?: string | undefined;
}

/**
 * Creates a terminator. The cell's own code is asked to end first, which is without risk; then
 * whatever else the runtime can terminate is terminated.
 */
export function createTerminator({ runtime, shared, inspector }: TerminatorOptions): Terminator {
  const terminate = RUNTIMES[runtime]?.(shared, inspector) ?? (async () => true);
  return {
    terminate: async (isOver) => (await endCellCode(shared, isOver)) || terminate(isOver),
    limitation:
      "The cell is busy in code other than its own (a package, a sort, a regular expression), which " +
      `${TITLES[runtime] ?? "this runtime"} cannot interrupt`,
  };
}

const TITLES: Readonly<Record<string, string>> = { node: "Node", deno: "Deno", bun: "Bun" };

/** Terminates code other than a cell's own; Bun cannot. */
const RUNTIMES: Readonly<
  Record<string, (shared: Int32Array, inspector: string | undefined) => Terminator["terminate"]>
> = {
  node: () => terminateMainThread,
  deno: (shared, inspector) => async () => {
    const isScript = Atomics.load(shared, LOOP_SLOTS.phase) === LOOP_PHASES.script;
    if (inspector !== undefined && !isScript) await terminateByWebSocket(inspector);
    return true;
  },
};

/** Checks, five milliseconds apart, within which the code of a cell ends. */
const STEPS = 20;

/** The code of cells regularly checks whether it must end; true if it has ended. */
async function endCellCode(shared: Int32Array, isOver: () => boolean): Promise<boolean> {
  Atomics.store(shared, LOOP_SLOTS.mustEnd, 1);
  for (let step = 0; step < STEPS; step++) {
    await setTimeout(5);
    if (isOver()) return true;
  }
  return false;
}

/**
 * Deno's inspector can terminate more, but listens on a port that any local process may use. So only
 * one that the user has opened is used.
 */
async function terminateByWebSocket(address: string): Promise<void> {
  const socket = new WebSocket(address);
  await new Promise<void>((resolve) => {
    socket.onerror = () => resolve();
    socket.onclose = () => resolve();
    socket.onmessage = () => resolve();
    socket.onopen = () => {
      socket.send(JSON.stringify({ id: 1, method: "Runtime.terminateExecution" }));
    };
  });
  socket.close();
}

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
const REFUSED = { unsafe: "unsafe", internal: "internal" } as const;

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

const isCell = (frame: string): boolean => frame.includes("restlab-cell-");
const isHook = (frame: string): boolean => frame.includes("node:internal/async_hooks");
const isInternal = (frame: string): boolean => frame.includes(new URL("..", import.meta.url).href);

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

/**
 * A loop that only awaits is rarely, sometimes never, at a point where termination is safe. After
 * these attempts, a millisecond apart, the risk of some percent is better than a lost process.
 */
const ATTEMPTS = 120;
/** Milliseconds to wait for the inspector. */
const ANSWER_TIMEOUT = 1000;

/**
 * Terminates the JavaScript of Node's main thread, which has called `prepareTermination`, from another
 * thread. The stack and the microtasks are dropped: terminated code never settles, and nothing may
 * wait for it.
 *
 * @param isOver Whether nothing is left to terminate.
 * @returns False if restlab's own code was running, which continues.
 */
async function terminateMainThread(isOver: () => boolean): Promise<boolean> {
  const { Session } = await import("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const expression = terminateExpression(attempt === ATTEMPTS);
      const result = await new Promise((resolve) => {
        // Code that is terminated while it answers never does.
        void setTimeout(ANSWER_TIMEOUT, undefined, { ref: false }).then(resolve);
        session.post("Runtime.evaluate", { expression }, (_error, answer) =>
          resolve(answer?.result?.value),
        );
      });
      if (result === REFUSED.internal) return false;
      if (result !== REFUSED.unsafe || isOver()) return true;
      await setTimeout(1);
    }
    return true;
  } finally {
    session.disconnect();
  }
}

/** How a cell is interrupted. */
interface InterruptOptions {
  readonly shared: Int32Array;
  readonly terminator: Terminator;
  /** Asks the main thread to interrupt. */
  readonly notify: () => void;
  /** Milliseconds within which the main thread acknowledges an interrupt if no cell computes. */
  readonly patience: number;
  /** The cell, as `LOOP_SLOTS.cell` counts; the running one by default. */
  readonly cell?: number | undefined;
}

/** Milliseconds that a termination may take; Bun needs a third of a second to end a script. */
const TERMINATION_TIME = 220;
/** Loading and checking TypeScript must not be terminated; it takes less than this. */
const LONGEST_COMPILATION = 10_000;
/** A cell may have left several loops. */
const ROUNDS = 3;
const STEP = 5;

/**
 * Interrupts a cell from another thread than the main one, whether the cell waits or computes.
 *
 * @returns False if the cell continues.
 */
export async function interruptCell(options: InterruptOptions): Promise<boolean> {
  const { shared, terminator, notify, patience } = options;
  const read = (slot: keyof typeof LOOP_SLOTS): number => Atomics.load(shared, LOOP_SLOTS[slot]);
  const cell = options.cell ?? read("cell");
  const acknowledged = read("acknowledged");
  const isOver = (): boolean => read("acknowledged") !== acknowledged || read("cell") !== cell;
  const isInternal = (): boolean => read("phase") === LOOP_PHASES.internal;

  notify();
  if (await waitFor(isOver, patience)) return true;
  const end = performance.now() + LONGEST_COMPILATION;
  for (let round = 0; round < ROUNDS && performance.now() < end; ) {
    // restlab's own work ends by itself.
    await waitFor(() => isOver() || !isInternal(), LONGEST_COMPILATION);
    if (isOver()) return true;
    if (await terminator.terminate(() => isOver() || isInternal())) round += 1;
    if (await waitFor(isOver, TERMINATION_TIME)) return true;
  }
  return false;
}

async function waitFor(condition: () => boolean, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > end) return false;
    await setTimeout(STEP);
  }
  return true;
}
