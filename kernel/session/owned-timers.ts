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

/**
 * Wraps a function that starts timers: those of a cell are cleared when its owner ends.
 *
 * @param startOther What other code than that of cells calls.
 */
function ownStart(start: Start, clear: Clear, startOther: Start, isRepeated = false): Start {
  return (callback, ...rest) => {
    const output = currentOutput();
    const owner = output?.owner;
    if (owner === undefined || typeof callback !== "function") return startOther(callback, ...rest);
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

function ownClear(clear: Clear, clearOther: Clear): Clear {
  return (timer) => {
    const release = typeof timer === "object" && timer !== null ? releases.get(timer) : undefined;
    release?.();
    if (release === undefined) clearOther(timer);
    else clear(timer);
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

type Kind = "Timeout" | "Immediate" | "Interval";
/** The functions that start timers and clear them. */
type Timers = Readonly<Record<`set${Kind}` | `clear${Kind}`, unknown>>;

/**
 * Creates the global timers of cells, which packages use as well.
 *
 * @param others Those that other code gets in their place.
 */
export function createOwnedTimers(others: Timers): Timers {
  const start = (kind: Kind, isRepeated = false): Start => {
    const [own, other] = [timers[`set${kind}`], others[`set${kind}`]];
    return ownStart(own as Start, timers[`clear${kind}`] as Clear, other as Start, isRepeated);
  };
  const clear = (kind: Kind): Clear =>
    ownClear(timers[`clear${kind}`] as Clear, others[`clear${kind}`] as Clear);
  return {
    setTimeout: promisedBy(wait, start("Timeout")),
    setImmediate: promisedBy(waitForTurn, start("Immediate")),
    setInterval: start("Interval", true),
    clearTimeout: clear("Timeout"),
    clearImmediate: clear("Immediate"),
    clearInterval: clear("Interval"),
  };
}

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
    [`${prefix}timers`, { ...timers, ...createOwnedTimers(timers), promises: waits }],
    [`${prefix}timers/promises`, { ...promises, ...waits }],
  ]),
);
