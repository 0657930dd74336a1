import type { Cancellation } from "../../lib/mod.ts";

/** What a cell began, until it is ended for good: its requests, its timers, its own code. */
export interface Owner extends Cancellation {
  /** Why it was ended, if it was. */
  readonly reason: Error | undefined;
  /** Ends all of it; the first reason holds. Listeners run as whoever calls this. */
  end(reason: Error): void;
}

/** Creates the owner of what a cell begins. */
export function createOwner(): Owner {
  return new CellOwner();
}

/** A class, since every cell makes one: the signal, which few need, would cost most of it. */
class CellOwner implements Owner {
  reason: Error | undefined;
  readonly #listeners = new Set<(reason: unknown) => void>();
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.reason !== undefined) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  listen(listener: (reason: unknown) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  end(reason: Error): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    reasons.add(reason);
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
