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

/** Creates the owner of what a cell begins. */
export function createOwner(): Owner {
  const controller = new AbortController();
  // A cell may have thousands of timers, and a signal walks through all of its listeners to drop one.
  const listeners = new Set<(reason: Error) => void>();
  let ended: Error | undefined;
  return {
    signal: controller.signal,
    get reason() {
      return ended;
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end(reason) {
      if (ended !== undefined) return;
      ended = reason;
      reasons.add(reason);
      controller.abort(reason);
      for (const listener of listeners) listener(reason);
      listeners.clear();
    },
  };
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
