import type { Cancellation } from "./message.ts";

/** Why a request was stopped from our side. */
export type Stop =
  | { readonly kind: "timed-out"; readonly milliseconds: number }
  | { readonly kind: "aborted"; readonly reason: unknown };

/** One cancellation for all that can stop a request: its time, the caller's signal, its owner, the client. */
export interface Deadline extends Cancellation {
  /** What stopped it; the first stop holds. Asked for because fetch loses the reason. */
  readonly stop: Stop | undefined;
  abort(reason: unknown): void;
  /** Ends the timer alone: what comes from here on may take as long as it likes. */
  lift(): void;
  /** Ends the timer and the listening; to be called whatever happens. */
  release(): void;
}

/** Longer times overflow the timers of every runtime, which then fire at once. */
const MAX_TIMER = 2_147_483_647;

/**
 * Starts a deadline.
 *
 * @param timeout Milliseconds; 0 or Infinity for none.
 * @param outer The caller's signal.
 * @param owner What ends all that the calling code began.
 */
export function startDeadline(
  timeout: number,
  outer: AbortSignal | undefined,
  owner?: Cancellation,
): Deadline {
  return new TimedDeadline(timeout, outer, owner);
}

/** A class, since every request makes one: closures and a getter would cost ten times as much. */
class TimedDeadline implements Deadline {
  stop: Stop | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(reason: unknown) => void> | undefined;
  readonly #outer: AbortSignal | undefined;
  readonly #abortFromOuter: (() => void) | undefined;
  readonly #leaveOwner: (() => void) | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeout: number, outer: AbortSignal | undefined, owner: Cancellation | undefined) {
    if (timeout > 0 && timeout <= MAX_TIMER) {
      this.#timer = setTimeout(endInTime, timeout, this, timeout);
    }
    this.#leaveOwner = owner?.listen((reason) => this.abort(reason));
    if (outer === undefined) return;
    this.#outer = outer;
    this.#abortFromOuter = () => this.abort(outer.reason);
    if (outer.aborted) this.#abortFromOuter();
    else outer.addEventListener("abort", this.#abortFromOuter, { once: true });
  }

  /** Made when it is asked for: it takes as long as a tenth of a request. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.stop !== undefined) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get reason(): unknown {
    return this.stop && this.signal.reason;
  }

  listen(listener: (reason: unknown) => void): () => void {
    this.#listeners ??= new Set();
    const listeners = this.#listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  abort(reason: unknown): void {
    this.end({ kind: "aborted", reason });
  }

  lift(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#leaveOwner?.();
    if (this.#abortFromOuter) this.#outer?.removeEventListener("abort", this.#abortFromOuter);
  }

  end(why: Stop): void {
    if (this.stop !== undefined) return;
    this.stop = why;
    this.#controller?.abort();
    for (const listener of this.#listeners ?? []) listener(this.reason);
  }
}

function endInTime(deadline: TimedDeadline, milliseconds: number): void {
  deadline.end({ kind: "timed-out", milliseconds });
}
