import { clearTimeout, setTimeout } from "node:timers";
import {
  type BodyPreview,
  createBodyPreview,
  createRowReader,
  type ResponseInProgress,
  type RowReader,
  renderInProgress,
} from "../../lib/display/mod.ts";
import {
  type ArrivalHooks,
  type Exchange,
  type MimeBundle,
  NoResponseError,
  type PendingRequest,
  type ResponseHead,
  type Secrets,
  type StreamItem,
} from "../../lib/mod.ts";
import { type BodySink, type OutputSink, type Shown, unlessAborted } from "./cell/mod.ts";
import type { CellOutput } from "./output.ts";
import { show } from "./show.ts";
import { type Answered, DELAY, WAITING_INTERVAL } from "./waiting-output.ts";

/** Shows the responses of a cell while they arrive. */
interface LiveOutput {
  readonly hooks: ArrivalHooks;
  /** Replaces what was shown of a response by the complete one; false if nothing was shown. */
  replace(exchange: Exchange): boolean;
  fail(error: unknown): void;
  /** Stops all timers, after the last response. */
  stop(): void;
}

const NO_OUTPUT: LiveOutput = {
  hooks: {},
  replace: () => false,
  fail: () => undefined,
  stop: () => undefined,
};

/**
 * Shows the responses of a cell while they arrive: in place if the front end can replace output, as lines
 * if it prints them, otherwise not at all. A response takes over the output that showed its request.
 */
export function watchLiveOutput({ sink, secrets, waiting }: LiveCell): LiveOutput {
  const canReplace = sink.displayWithId !== undefined && sink.update !== undefined;
  if (!canReplace && sink.streamItem === undefined) return NO_OUTPUT;
  let response: LiveResponse | undefined;
  const showExchange: LiveContext["show"] = (exchange) => show(exchange, secrets);
  const context: LiveContext = { sink, secrets, show: showExchange };
  const end = (): LiveResponse | undefined => {
    const ended = response;
    response = undefined;
    ended?.stop();
    return ended;
  };
  const replace = (exchange: Exchange): boolean => {
    // The record of a WebSocket comes without headers.
    const { id } = waiting.take();
    const isShown = end()?.replace(exchange) ?? false;
    if (isShown || id === undefined) return isShown;
    sink.update?.(id, showExchange(exchange));
    return true;
  };
  return {
    hooks: {
      onHeaders: (head) => {
        // A redirect, or another attempt, takes the place of what was shown before.
        const before = end();
        const { request = before?.request, id } = waiting.take();
        response = new LiveResponse(head, context, { request, id: before?.id ?? id });
        if (canReplace) response.waitForBody();
      },
      onChunk: (bytes) => response?.read(bytes),
      onProgress: (progress) => {
        if (canReplace) response?.update(progress);
      },
    },
    replace,
    fail: (error) => {
      waiting.fail();
      // The part that has arrived is worth more than its size.
      if (error instanceof NoResponseError && error.partial) end()?.show(error.partial);
      else end();
    },
    stop: () => {
      end();
    },
  };
}

type LiveCell = Pick<CellOutput, "sink" | "secrets" | "waiting">;

/** A large response is shown earlier. */
const LARGE_DELAY = 100;
const LARGE = 5_000_000;
/** Milliseconds between two updates. */
const INTERVAL = 250;

/** Where a response is shown. */
interface LiveContext {
  readonly sink: OutputSink;
  readonly secrets: Secrets;
  /** The output of a complete response. */
  readonly show: (exchange: Exchange) => Shown;
}

/** A response that is arriving. */
class LiveResponse {
  readonly #context: LiveContext;
  readonly #head: ResponseHead;
  readonly request: PendingRequest | undefined;
  readonly #reader: RowReader | undefined;
  readonly #preview: BodyPreview;
  #progress: Pick<ResponseInProgress, "received" | "total" | "elapsed"> | undefined;
  /** The output that shows it, once it is shown. */
  #id: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextDraw: number | undefined;
  #updatedAt = 0;

  /** @param answered The request, and the output to show it in, if it has one already. */
  constructor(head: ResponseHead, context: LiveContext, { request, id }: Answered) {
    this.#context = context;
    this.#head = head;
    this.request = request;
    this.#id = id;
    this.#reader = createRowReader(head.mediaType);
    this.#preview = createBodyPreview(head);
  }

  /** Prints the lines of a stream, or keeps the beginning of another body. */
  read(bytes: Uint8Array): void {
    const { sink, secrets } = this.#context;
    if (this.#reader === undefined) this.#preview.push(bytes);
    for (const item of this.#reader?.push(bytes) ?? [])
      sink.streamItem?.(secrets.mask(lineOf(item)));
  }

  /** The output that shows it. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Shows that nothing has arrived of the body, which may take long. */
  waitForBody(): void {
    const { startedAt = new Date() } = this.request ?? {};
    this.update({ received: 0, total: undefined, elapsed: Date.now() - startedAt.getTime() });
  }

  update(progress: Pick<ResponseInProgress, "received" | "total" | "elapsed">): void {
    this.#progress = progress;
    const now = performance.now();
    this.#updatedAt = now;
    this.#nextDraw ??= now + ((progress.total ?? 0) >= LARGE ? LARGE_DELAY : DELAY);
    // A fast response keeps the event loop busy: no timer would fire before its end.
    if (now >= this.#nextDraw) this.#draw();
    else this.#timer ??= setTimeout(() => this.#draw(), this.#nextDraw - now);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Shows the complete response in its place; false if nothing of it was shown. */
  replace(exchange: Exchange): boolean {
    this.#preview.end(exchange);
    return this.show(exchange);
  }

  show(exchange: Exchange): boolean {
    const { sink, show } = this.#context;
    if (this.#id !== undefined) sink.update?.(this.#id, show(exchange));
    return this.#id !== undefined;
  }

  #draw(): void {
    const { sink, secrets } = this.#context;
    this.stop();
    if (this.#progress === undefined) return;
    const isWaiting = this.#progress.received === 0;
    const sinceUpdate = isWaiting ? performance.now() - this.#updatedAt : 0;
    secrets.learn({ kind: "headers", headers: this.#head.headers }, "server");
    this.#preview.learn(secrets);
    const answer: ResponseInProgress = {
      head: this.#head,
      reader: this.#reader,
      preview: this.#preview,
      ...this.#progress,
      elapsed: this.#progress.elapsed + sinceUpdate,
      method: this.request?.method ?? "GET",
    };
    const bundle = (): MimeBundle => renderInProgress(answer, [secrets]);
    const shown: Shown = { value: answer, metadata: {}, bundle };
    if (this.#id === undefined) this.#id = sink.displayWithId?.(shown);
    else sink.update?.(this.#id, shown);
    this.#nextDraw = performance.now() + INTERVAL;
    if (isWaiting) this.#timer = setTimeout(() => this.#draw(), WAITING_INTERVAL);
  }
}

function lineOf(item: StreamItem): string {
  if (item.kind === "event") return `${item.event}: ${item.data}\n`;
  return item.kind === "line" ? `${item.text}\n` : "";
}

/** The status of a WebSocket handshake, whose record is not a body. */
const SWITCHING_PROTOCOLS = 101;

/** Forwards the bodies of responses while they arrive, as fast as the sink writes them. */
export function forwardBodies(bodies: BodySink, signal: AbortSignal): LiveOutput {
  let isBody = false;
  return {
    hooks: {
      keepBytes: bodies.keepBytes,
      onHeaders: (head) => {
        isBody = head.status !== SWITCHING_PROTOCOLS && (bodies.begins?.(head) ?? true);
      },
      // A sink may have stalled, and an interrupt does not wait for it.
      onChunk: (bytes) => (isBody ? unlessAborted(signal, bodies.write(bytes)) : undefined),
    },
    replace: (exchange) => {
      if (!isBody) bodies.whole(exchange);
      return true;
    },
    fail: () => undefined,
    stop: () => undefined,
  };
}
