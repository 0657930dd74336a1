import { setMaxListeners } from "node:events";

/** What a cell began, until it is ended for good: its requests, its timers, its own code. */
export interface Owner {
  /** Aborted when it is ended. */
  readonly signal: AbortSignal;
  /** Why it was ended, if it was. */
  readonly reason: Error | undefined;
  /** Calls the listener when it is ended; gives what takes the listener off again. */
  listen(listener: (reason: Error) => void): () => void;
  /** Ends all of it; the first reason holds. Listeners run as whoever calls this. */
  end(reason: Error): void;
}

/** The owners of the cells of a session. */
export interface Owners {
  create(): Owner;
  /** Ends all of them, and those that are created afterwards. */
  end(reason: Error): void;
}

/** Begins without any; those that nothing is left of are not held. */
export function createOwners(): Owners {
  const group: Group = { reason: undefined, active: new Set() };
  return {
    create: () => new CellOwner(group),
    end: (reason) => {
      group.reason ??= reason;
      reasons.add(reason);
      for (const owner of group.active) owner.end(reason);
    },
  };
}

interface Group {
  reason: Error | undefined;
  /** Those that something listens to. */
  readonly active: Set<Owner>;
}

/** A class, since every cell makes one: the signal, which few need, would cost most of it. */
class CellOwner implements Owner {
  readonly #group: Group;
  #reason: Error | undefined;
  readonly #listeners = new Set<(reason: Error) => void>();
  #controller: AbortController | undefined;

  constructor(group: Group) {
    this.#group = group;
  }

  get reason(): Error | undefined {
    return this.#reason ?? this.#group.reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#group.active.add(this);
      this.#controller = new AbortController();
      // Each request on its way listens, and Node warns of more than ten.
      setMaxListeners(0, this.#controller.signal);
      if (this.reason !== undefined) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  listen(listener: (reason: Error) => void): () => void {
    this.#listeners.add(listener);
    this.#group.active.add(this);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0 && !this.#controller) this.#group.active.delete(this);
    };
  }

  end(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    reasons.add(reason);
    this.#group.active.delete(this);
    this.#controller?.abort(reason);
    for (const listener of this.#listeners) listener(reason);
    this.#listeners.clear();
  }
}

const reasons = new WeakSet<object>();

/** Whether an error came of the end of an owner, itself or through its causes: it is no news. */
export function cameOfEnd(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let it = error; it instanceof Error && !seen.has(it); it = it.cause) {
    if (reasons.has(it)) return true;
    seen.add(it);
  }
  return false;
}
