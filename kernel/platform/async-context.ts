import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate, setTimeout } from "node:timers";
import { inspect } from "node:util";

/** A value that follows the code which runs with it, through timers, promises and callbacks. */
export class AsyncContext<T> {
  readonly #storage = new AsyncLocalStorage<Stored<T>>();

  constructor() {
    const { kResourceStore: key } = this.#storage as { readonly kResourceStore?: unknown };
    if (typeof key === "symbol") hide(key);
  }

  /** Runs code with a value. */
  run<R>(value: T, action: () => R): R {
    return this.#storage.run(new Stored(value), action);
  }

  /** The value of the code that calls this. */
  get(): T | undefined {
    return this.#storage.getStore()?.value;
  }
}

/** What a runtime keeps with promises, sockets and the like, where a person may look at it. */
class Stored<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }
}

/** Keys that Node up to version 23 gives to promises and timers while a context is in use. */
const hidden = new Set<symbol>();
const OF_PROMISES = new Set(["async_id_symbol", "trigger_async_id_symbol"]);

/**
 * Hides a key from `console.log` and the like. Node asks each value for its own way of being inspected before it looks
 * at its keys: there is none, but then the keys are no longer enumerable. Defining them so from the beginning would
 * take each `await` three times as long.
 */
function hide(key: symbol): void {
  hidden.add(key);
  if (hidden.size > 1) return;
  const timer = setTimeout(() => undefined, 0);
  const immediate = setImmediate(() => undefined);
  clearTimeout(timer);
  clearImmediate(immediate);
  for (const prototype of [Promise.prototype, ...[timer, immediate].map(Object.getPrototypeOf)]) {
    Object.defineProperty(prototype, inspect.custom, {
      configurable: true,
      get(this: object): undefined {
        hideKeys(this);
      },
      set(this: object, value: unknown) {
        const own = { value, writable: true, enumerable: true, configurable: true };
        Object.defineProperty(this, inspect.custom, own);
      },
    });
  }
}

function hideKeys(value: object): void {
  for (const key of Object.getOwnPropertySymbols(value)) {
    const isHidden = hidden.has(key) || OF_PROMISES.has(key.description ?? "");
    if (isHidden) Reflect.defineProperty(value, key, { enumerable: false });
  }
}
