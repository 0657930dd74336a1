import { renderWaiting } from "../../../../lib/display/mod.ts";
import type { Exchange, MimeBundle, PendingRequest, Secrets } from "../../../../lib/mod.ts";
import type { OutputSink, Shown } from "../../cell/mod.ts";

/** Where the progress of a request is shown. */
export interface LiveContext {
  readonly sink: OutputSink;
  readonly secrets: Secrets;
  readonly pending: () => PendingRequest | undefined;
  /** The output of a complete response. */
  readonly show: (exchange: Exchange) => Shown;
}

/** Milliseconds after which what is incomplete is shown. */
export const DELAY = 400;
/** Milliseconds between two updates while nothing arrives. */
export const WAITING_INTERVAL = 1_000;

/** A request that has no response yet. */
export class LiveWaiting {
  readonly #context: LiveContext;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: PendingRequest | undefined;
  #id: string | undefined;

  constructor(context: LiveContext) {
    this.#context = context;
    this.#timer = setTimeout(() => this.#draw(), DELAY);
  }

  /** Returns the output that shows it, if there is one. */
  stop(): string | undefined {
    clearTimeout(this.#timer);
    return this.#id;
  }

  /** Shows that there is no response. */
  end(): void {
    this.stop();
    if (this.#id !== undefined) this.#show(true);
  }

  #draw(): void {
    this.#request = this.#context.pending() ?? this.#request;
    const elapsed = this.#elapsed();
    if (elapsed >= DELAY) this.#show(false);
    const next = elapsed >= DELAY ? WAITING_INTERVAL : DELAY - elapsed;
    this.#timer = setTimeout(() => this.#draw(), next);
  }

  /** Milliseconds since the request was sent; 0 if none is in flight. */
  #elapsed(): number {
    return this.#request === undefined ? 0 : Date.now() - this.#request.startedAt.getTime();
  }

  #show(isOver: boolean): void {
    const { sink, secrets } = this.#context;
    const request = this.#request;
    if (request === undefined) return;
    const bundle = (): MimeBundle => renderWaiting(request, this.#elapsed(), [secrets], isOver);
    const shown: Shown = { value: request, metadata: {}, bundle };
    if (this.#id === undefined) this.#id = sink.displayWithId?.(shown);
    else sink.update?.(this.#id, shown);
  }
}
