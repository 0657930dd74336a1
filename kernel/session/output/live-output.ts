import {
  type ArrivingAnswer,
  type Beginning,
  createBeginning,
  createRowReader,
  type RowReader,
  renderArrival,
} from "../../../lib/display/mod.ts";
import {
  type ArrivalHooks,
  type Exchange,
  NoResponseError,
  type ResponseHead,
  type Secrets,
  type StreamItem,
} from "../../../lib/mod.ts";
import type { OutputSink, Shown } from "../cell/mod.ts";
import { show } from "./show.ts";

/** Shows the responses of a cell while they arrive. */
export interface LiveOutput {
  readonly hooks: ArrivalHooks;
  /** Replaces what was shown of a response by the complete one; false if nothing was shown. */
  replace(exchange: Exchange): boolean;
  /** The request has failed. */
  fail(error: unknown): void;
}

/** A response that takes longer is shown before it is complete, a large one earlier. */
const DELAY = 400;
const LARGE_DELAY = 100;
const LARGE = 5_000_000;
/** How many milliseconds pass between two updates. */
const INTERVAL = 250;

const NO_OUTPUT: LiveOutput = { hooks: {}, replace: () => false, fail: () => undefined };

/**
 * Shows the responses of a cell while they arrive: in place if the front end can replace output, as
 * lines if it prints them, otherwise not at all.
 *
 * @param methodOf Returns the method of the pending request.
 */
export function watchLiveOutput(
  sink: OutputSink,
  secrets: Secrets,
  methodOf: () => string,
): LiveOutput {
  const canReplace = sink.displayWithId !== undefined && sink.update !== undefined;
  if (!canReplace && sink.arrive === undefined) return NO_OUTPUT;
  return new ArrivalOutput({ sink, secrets, methodOf, canReplace });
}

interface ArrivalOptions {
  readonly sink: OutputSink;
  readonly secrets: Secrets;
  readonly methodOf: () => string;
  readonly canReplace: boolean;
}

interface Arrival {
  readonly head: ResponseHead;
  readonly reader: RowReader | undefined;
  readonly beginning: Beginning;
  received: number;
  total: number | undefined;
  elapsed: number;
}

class ArrivalOutput implements LiveOutput {
  readonly hooks: ArrivalHooks = {
    onHeaders: (head) => this.#start(head),
    onChunk: (bytes) => this.#print(bytes),
    onProgress: (progress) => {
      if (this.#arrival === undefined) return;
      Object.assign(this.#arrival, progress);
      if (this.#options.canReplace) this.#drawInTime(this.#arrival);
    },
  };
  readonly #options: ArrivalOptions;
  #arrival: Arrival | undefined;
  /** The output that shows the arrival, once it is shown. */
  #id: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextDraw: number | undefined;

  constructor(options: ArrivalOptions) {
    this.#options = options;
  }

  replace(exchange: Exchange): boolean {
    this.#arrival?.beginning.end(exchange);
    const id = this.#end();
    if (id !== undefined) this.#options.sink.update?.(id, show(exchange, this.#options.secrets));
    return id !== undefined;
  }

  fail(error: unknown): void {
    const id = this.#end();
    // The part that has arrived is worth more than its size.
    const partial = error instanceof NoResponseError ? error.partial : undefined;
    if (id === undefined || partial === undefined) return;
    this.#options.sink.update?.(id, show(partial, this.#options.secrets));
  }

  #start(head: ResponseHead): void {
    this.#end();
    this.#arrival = {
      head,
      reader: createRowReader(head.mediaType),
      beginning: createBeginning(head),
      received: 0,
      total: undefined,
      elapsed: 0,
    };
  }

  #print(bytes: Uint8Array): void {
    const { sink, secrets } = this.#options;
    if (this.#arrival === undefined) return;
    const { reader, beginning } = this.#arrival;
    if (reader === undefined) beginning.push(bytes);
    for (const item of reader?.push(bytes) ?? []) sink.arrive?.(secrets.mask(lineOf(item)));
  }

  #drawInTime(arrival: Arrival): void {
    const now = performance.now();
    this.#nextDraw ??= now + ((arrival.total ?? 0) >= LARGE ? LARGE_DELAY : DELAY);
    // A fast response keeps the event loop busy: no timer would fire before its end.
    if (now >= this.#nextDraw) this.#draw(arrival);
    else this.#timer ??= setTimeout(() => this.#draw(arrival), this.#nextDraw - now);
  }

  #draw(arrival: Arrival): void {
    const { sink, secrets, methodOf } = this.#options;
    this.#clearTimer();
    const shown = showArrival(arrival, methodOf(), secrets);
    if (this.#id === undefined) this.#id = sink.displayWithId?.(shown);
    else sink.update?.(this.#id, shown);
    this.#nextDraw = performance.now() + INTERVAL;
  }

  /** @returns The output that shows the arrival, if it is shown. */
  #end(): string | undefined {
    const id = this.#id;
    this.#clearTimer();
    this.#arrival = undefined;
    this.#id = undefined;
    this.#nextDraw = undefined;
    return id;
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function showArrival(arrival: Arrival, method: string, secrets: Secrets): Shown {
  secrets.learnHeaders(arrival.head.headers, "received");
  arrival.beginning.teach(secrets);
  const answer: ArrivingAnswer = { ...arrival, method };
  return { value: answer, metadata: {}, bundle: () => renderArrival(answer, [secrets]) };
}

function lineOf(item: StreamItem): string {
  if (item.kind === "event") return `${item.event}: ${item.data}\n`;
  return item.kind === "line" ? `${item.text}\n` : "";
}
