import { clearTimeout, setTimeout } from "node:timers";
import { renderWaiting } from "../../lib/display/mod.ts";
import { isWaitedFor } from "../../lib/exchange/mod.ts";
import type { MimeBundle, PendingRequest, Secrets } from "../../lib/mod.ts";
import type { OutputSink, Shown } from "./cell/mod.ts";

/** Milliseconds after which what is incomplete is shown. */
export const DELAY = 400;
/** Milliseconds between two updates while nothing arrives. */
export const WAITING_INTERVAL = 1_000;
/** Milliseconds that the output is kept after an answer, so that it does not flicker between two requests. */
const PAUSE = 100;

const NOTHING: Shown = {
  value: undefined,
  metadata: {},
  bundle: () => ({ "text/plain": "", "text/html": "" }),
};

/** What a response takes over when it begins to arrive. */
export interface Answered {
  /** The request. */
  readonly request: PendingRequest | undefined;
  /** The output that has shown it, if there is one. */
  readonly id: string | undefined;
}

/**
 * Shows in one output of a cell that it waits for answers: the first of its requests that has none, and for how
 * long. Front ends that cannot replace output show nothing.
 */
export class WaitingOutput {
  readonly #sink: OutputSink;
  readonly #secrets: Secrets;
  readonly #requests = new Set<PendingRequest>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #id: string | undefined;
  /** The request that the output shows. */
  #shown: PendingRequest | undefined;
  #hasEnded: boolean;
  /** Whether another output shows the requests that are sent now. */
  isCovered = false;

  constructor(sink: OutputSink, secrets: Secrets) {
    this.#sink = sink;
    this.#secrets = secrets;
    this.#hasEnded = sink.displayWithId === undefined || sink.update === undefined;
  }

  /** Adds a request; returns what removes it. */
  add(request: PendingRequest): (() => void) | undefined {
    if (this.#hasEnded || this.isCovered) return undefined;
    this.#requests.add(request);
    if (this.#timer === undefined) this.#schedule(DELAY);
    return () => {
      this.#requests.delete(request);
      if (this.#requests.size > 0 || this.#hasEnded) return;
      if (this.#shown === undefined) this.#stop();
      else this.#schedule(PAUSE);
    };
  }

  /** Ends the waiting for the request that was sent last, whose response is shown in its output. */
  take(): Answered {
    const answered = { request: [...this.#requests].at(-1), id: this.#id };
    this.#stop();
    this.#requests.clear();
    this.#id = undefined;
    this.#shown = undefined;
    return answered;
  }

  /** Shows that the request that was waited for has no answer. */
  fail(): void {
    this.#stop();
    this.#requests.clear();
    if (this.#shown !== undefined) this.#show(this.#shown, true);
    this.take();
  }

  /** Removes what it has shown, at the end of the cell; requests that are sent later are not shown. */
  end(): void {
    this.#stop();
    this.#hasEnded = true;
    this.#clear();
  }

  #schedule(delay: number): void {
    this.#stop();
    this.#timer = setTimeout(() => this.#draw(), delay);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #draw(): void {
    this.#timer = undefined;
    const request = this.#waitedFor()[0];
    if (request === undefined) this.#clear();
    const remaining = request === undefined ? 0 : DELAY - elapsedOf(request);
    // What is shown already must not show a request that has its answer.
    if (request !== undefined && (remaining <= 0 || this.#shown !== undefined)) {
      this.#show(request, false);
    }
    if (this.#requests.size > 0) this.#schedule(remaining > 0 ? remaining : WAITING_INTERVAL);
  }

  #waitedFor(): readonly PendingRequest[] {
    return [...this.#requests].filter(isWaitedFor);
  }

  #clear(): void {
    if (this.#shown !== undefined && this.#id !== undefined) this.#sink.update?.(this.#id, NOTHING);
    this.#shown = undefined;
  }

  #show(request: PendingRequest, isOver: boolean): void {
    const elapsed = elapsedOf(request);
    const others = Math.max(0, this.#waitedFor().length - 1);
    const bundle = (): MimeBundle =>
      renderWaiting({ request, elapsed, others, isOver }, [this.#secrets]);
    const shown: Shown = { value: request, metadata: {}, bundle };
    this.#shown = request;
    if (this.#id === undefined) this.#id = this.#sink.displayWithId?.(shown);
    else this.#sink.update?.(this.#id, shown);
  }
}

function elapsedOf({ startedAt }: PendingRequest): number {
  return Date.now() - startedAt.getTime();
}
