import { clearTimeout, setTimeout } from "node:timers";
import { failing, settleDisplay } from "../../lib/display/mod.ts";
import { isThenable } from "../../lib/interpolation/mod.ts";
import type { Secrets } from "../../lib/mod.ts";
import type { Shown } from "./cell/mod.ts";
import { exchangeOf } from "./fetched.ts";
import { type CellOutput, runOutsideCells } from "./output.ts";
import { show } from "./show.ts";

/** Milliseconds that a display method may take. */
const LIMIT = 10_000;

const queues = new WeakMap<CellOutput, DisplayQueue>();

/** The queue of a cell. */
export function displaysOf(output: CellOutput): DisplayQueue {
  const queue = queues.get(output) ?? new DisplayQueue(output);
  queues.set(output, queue);
  return queue;
}

/** Shows values in the order in which they are given, each when its display method has settled. */
export class DisplayQueue {
  readonly #secrets: Secrets;
  readonly #limit: number;
  #waiting: Promise<void> | undefined;

  /** @param limit Milliseconds that a display method may take. */
  constructor({ secrets }: Pick<CellOutput, "secrets">, limit: number = LIMIT) {
    this.#secrets = secrets;
    this.#limit = limit;
  }

  /**
   * Shows a value: at once, unless it or one before it has yet to settle.
   *
   * @param form What displays the value, if not itself.
   */
  add(value: unknown, act: (shown: Shown) => void, form: unknown = value): void {
    const display = this.#settle(form);
    const before = this.#waiting;
    // What the front end prints meanwhile is not the cell's output.
    const put = (settled: unknown): void =>
      runOutsideCells(() => act(show(value, this.#secrets, settled)));
    if (before === undefined && !isThenable(display)) {
      put(display);
      return;
    }
    const work = Promise.all([display, before]).then(([settled]) => put(settled));
    const done = (): void => {
      if (this.#waiting === work) this.#waiting = undefined;
    };
    this.#waiting = work;
    work.then(done, done);
  }

  /** Waits until everything is shown, and then for the display of a result. */
  async end(result: unknown): Promise<Shown> {
    while (this.#waiting !== undefined) await this.#waiting;
    return show(result, this.#secrets, await this.#settle(result));
  }

  #settle(value: unknown): unknown {
    const display = settleDisplay(exchangeOf(value, this.#secrets) ?? value);
    // What a value shows of itself may contain the secrets that its fields name.
    if (display !== value && !isThenable(value)) {
      this.#secrets.learn({ kind: "value", value }, "person");
    }
    return isThenable(display) ? this.#within(display) : display;
  }

  async #within(display: PromiseLike<unknown>): Promise<unknown> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<unknown>((resolve) => {
      const seconds = this.#limit / 1000;
      const text = `Showing the value failed: its display method did not finish within ${seconds} s`;
      timer = setTimeout(() => resolve(failing(new Error(text))), this.#limit);
    });
    try {
      return await Promise.race([display, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
