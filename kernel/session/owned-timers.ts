import timers from "node:timers";
import promises from "node:timers/promises";
import { promisify } from "node:util";
import type { Owner } from "./cell/mod.ts";
import { currentOutput, currentOwner, runTimer } from "./output.ts";

type Callback = (...values: unknown[]) => void;
type Start = (callback: Callback, ...rest: unknown[]) => object;
type Clear = (timer: unknown) => void;
type Wait = (...parameters: unknown[]) => Promise<unknown>;

/** Removes a timer from its owner, which would otherwise retain every timer that a cell clears. */
const releases = new WeakMap<object, () => void>();

/** Wraps a function that starts timers: those of a cell are cleared when its owner ends. */
function ownStart(start: Start, clear: Clear, isRepeated = false): Start {
  return (callback, ...rest) => {
    const output = currentOutput();
    const owner = output?.owner;
    if (owner === undefined || typeof callback !== "function") return start(callback, ...rest);
    function fire(this: unknown, ...values: unknown[]): void {
      if (!isRepeated) release();
      // `refresh()` restarts a cleared timer.
      if (owner?.reason === undefined) {
        runTimer(output, () => Reflect.apply(callback, this, values));
      }
    }
    const timer = start(fire, ...rest);
    const release = owner.listen(() => clear(timer));
    releases.set(timer, release);
    return timer;
  };
}

function ownClear(clear: Clear): Clear {
  return (timer) => {
    if (typeof timer === "object" && timer !== null) releases.get(timer)?.();
    clear(timer);
  };
}

/** Wraps a function of `node:timers/promises`, which rejects when the owner ends. */
function ownWait(wait: Wait, optionsAt: number): Wait {
  return async (...given) => {
    const owner = currentOwner();
    if (owner === undefined) return await wait(...given);
    const values = Array.from({ length: optionsAt }, (_, index) => given[index]);
    try {
      return await wait(...values, withOwner(given[optionsAt], owner));
    } catch (error) {
      throw owner.reason ?? error;
    }
  };
}

async function* ownInterval(
  delay?: number,
  value?: unknown,
  options?: object,
): AsyncGenerator<unknown, void, undefined> {
  const owner = currentOwner();
  try {
    const ending = owner === undefined ? options : withOwner(options, owner);
    yield* promises.setInterval(delay, value, ending);
  } catch (error) {
    throw owner?.reason ?? error;
  }
}

function withOwner(options: unknown, owner: Owner): object {
  const { signal } = Object(options) as { readonly signal?: AbortSignal };
  const ending = signal === undefined ? owner.signal : AbortSignal.any([signal, owner.signal]);
  return { ...Object(options), signal: ending };
}

const wait = ownWait(promises.setTimeout as Wait, 2);
const waitForTurn = ownWait(promises.setImmediate as Wait, 1);

const starts = {
  setTimeout: promisedBy(wait, ownStart(timers.setTimeout as Start, timers.clearTimeout as Clear)),
  setImmediate: promisedBy(
    waitForTurn,
    ownStart(timers.setImmediate as Start, timers.clearImmediate as Clear),
  ),
  setInterval: ownStart(timers.setInterval as Start, timers.clearInterval as Clear, true),
  clearTimeout: ownClear(timers.clearTimeout as Clear),
  clearImmediate: ownClear(timers.clearImmediate as Clear),
  clearInterval: ownClear(timers.clearInterval as Clear),
};

const waits = {
  setTimeout: wait,
  setImmediate: waitForTurn,
  setInterval: ownInterval,
  scheduler: {
    wait: (delay: unknown, options?: unknown) => wait(delay, undefined, options),
    yield: () => waitForTurn(),
  },
};

/** `util.promisify` uses this property. */
function promisedBy(waiting: Wait, start: Start): Start {
  return Object.defineProperty(start, promisify.custom, { value: waiting });
}

/** The timer modules that cells import, by name. */
export const ownedTimerModules: ReadonlyMap<string, unknown> = new Map(
  ["", "node:"].flatMap((prefix): [string, unknown][] => [
    [`${prefix}timers`, { ...timers, ...starts, promises: waits }],
    [`${prefix}timers/promises`, { ...promises, ...waits }],
  ]),
);

/** The global timers, which packages use as well. */
export const ownedTimers: Readonly<Record<string, unknown>> = starts;
