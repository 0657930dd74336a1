import { setMaxListeners } from "node:events";

/** Owns what a cell began, its requests, timers and code, and ends all of it. */
export interface Owner {
  /** Aborted when it is ended. */
  readonly signal: AbortSignal;
  /** Why it was ended, if it was. */
  readonly reason: Error | undefined;
  /** Calls the listener when it is ended, at once if it already was; returns what removes the listener. */
  listen(listener: (reason: Error) => void): () => void;
  /** Ends everything; only the first call counts. Listeners run in the context of the caller. */
  end(reason: Error): void;
}

/** The owners of the cells of a session. */
interface Owners {
  create(): Owner;
  /** Ends all of them, also those created later. */
  end(reason: Error): void;
}

/** Creates the owners of a session; one that owns nothing is not retained. */
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
  /** The owners that something listens to. */
  readonly active: Set<Owner>;
}

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
      // Every pending request listens, and Node warns about more than ten.
      setMaxListeners(0, this.#controller.signal);
      if (this.reason !== undefined) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  listen(listener: (reason: Error) => void): () => void {
    if (this.reason !== undefined) {
      listener(this.reason);
      return () => undefined;
    }
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

/** Whether an error, or one of its causes, is the reason why an owner was ended. */
export function cameOfEnd(error: unknown): boolean {
  const seen = new Set<unknown>();
  try {
    for (let it = error; it instanceof Error && !seen.has(it); it = it.cause) {
      if (reasons.has(it)) return true;
      seen.add(it);
    }
  } catch {
    // A getter or a proxy has thrown.
  }
  return false;
}
