import { setImmediate } from "node:timers/promises";

/** Divides long work into steps: while a cell runs it rests, unless someone waits for it. */
export class IdleSteps {
  #cells = 0;
  #waiting = 0;
  #resume: (() => void) | undefined;

  /** Whether someone waits for the work. */
  get isUrgent(): boolean {
    return this.#waiting > 0;
  }

  /** Runs a cell, during which the work rests. */
  async during<T>(cell: () => Promise<T>): Promise<T> {
    this.#cells += 1;
    try {
      return await cell();
    } finally {
      this.#cells -= 1;
      this.#continue();
    }
  }

  /** Waits for the work, which does not rest meanwhile. */
  async until<T>(work: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#continue();
    try {
      return await work;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends a step of the work: other events are handled before the next. */
  async pause(): Promise<void> {
    await setImmediate();
    if (this.#mayGoOn) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  get #mayGoOn(): boolean {
    return this.isUrgent || this.#cells === 0;
  }

  #continue(): void {
    if (!this.#mayGoOn) return;
    this.#resume?.();
    this.#resume = undefined;
  }
}
