import { clearTimeout, setTimeout } from "node:timers";
import { ArrivingResponse, renderWaiting } from "../../lib/display/mod.ts";
import { isWaitedFor } from "../../lib/exchange/mod.ts";
import type {
  ArrivalHooks,
  Exchange,
  ManyProgress,
  MimeBundle,
  PendingRequest,
  Secrets,
  StreamItem,
} from "../../lib/mod.ts";
import { type BodySink, type OutputSink, type Shown, unlessAborted } from "./cell/mod.ts";

/** Milliseconds after which what is on its way is shown. */
const DELAY = 400;
/** Milliseconds between two updates. */
const INTERVAL = 250;

const NOTHING: Shown = {
  value: undefined,
  metadata: {},
  bundle: () => ({ "text/plain": "", "text/html": "" }),
};

/** What receives the responses to the requests of a cell. */
interface ResponseOutput {
  readonly hooks: ArrivalHooks;
  /** Whether the lines of the latest response have been printed. */
  readonly hasPrinted: boolean;
  /** Receives a complete response; returns whether it has been shown. */
  replace(exchange: Exchange, shown: Shown): boolean;
  /**
   * The requests have ended by an error.
   *
   * @param partial The part of a response that has arrived.
   * @returns Whether that part has been shown.
   */
  fail(partial: Shown | undefined): boolean;
}

/**
 * Shows in one output of a cell what is on its way, and replaces it while that changes: many requests, or the
 * response that is arriving, or else the first request without an answer. Front ends that cannot replace output
 * get the lines of streams, if they print them.
 */
export class LiveOutput implements ResponseOutput {
  readonly hooks: ArrivalHooks;
  readonly #sink: OutputSink;
  readonly #secrets: Secrets;
  readonly #canReplace: boolean;
  hasPrinted = false;
  readonly #requests = new Set<PendingRequest>();
  #response: ArrivingResponse | undefined;
  #progress: Pick<PendingRequest, "startedAt" | "received" | "total"> = { startedAt: new Date() };
  #many: ManyProgress | undefined;
  /** When the many requests began, in milliseconds. */
  #manySince = 0;
  /** The output, once something was shown in it. */
  #id: string | undefined;
  /** The request that the output shows. */
  #waited: PendingRequest | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextDraw = 0;
  #hasEnded = false;

  constructor(sink: OutputSink, secrets: Secrets) {
    this.#sink = sink;
    this.#secrets = secrets;
    this.#canReplace = sink.displayWithId !== undefined && sink.update !== undefined;
    this.hooks = this.#canReplace || sink.streamItem !== undefined ? this.#createHooks() : {};
  }

  /** Adds a request; returns what removes it. */
  add(request: PendingRequest): (() => void) | undefined {
    if (this.#hasEnded) return undefined;
    this.#requests.add(request);
    this.#schedule();
    return () => void this.#requests.delete(request);
  }

  /** Shows the progress of many requests; the next ones have an output of their own. */
  showMany(progress: ManyProgress): void {
    this.#many = progress;
    this.#manySince = Date.now() - progress.elapsed;
    if (progress.done < progress.total) {
      this.#schedule();
      return;
    }
    if (this.#id !== undefined) this.#show(showBar(progress));
    this.#release();
  }

  replace(_exchange: Exchange, shown: Shown): boolean {
    const isShown = this.#id !== undefined;
    if (isShown) this.#show(shown);
    this.#release();
    return isShown;
  }

  fail(partial: Shown | undefined): boolean {
    const isShown = this.#id !== undefined;
    if (isShown && partial !== undefined) this.#show(partial);
    else if (this.#waited !== undefined) this.#show(this.#showWaiting(this.#waited, true));
    this.#release();
    return isShown;
  }

  /**
   * Removes what is on its way, at the end of the cell; requests that are sent later are not shown.
   *
   * @param isInterrupted Whether what is shown stays, to say what the cell was waiting for.
   */
  end(isInterrupted: boolean): void {
    this.#hasEnded = true;
    if (!isInterrupted && this.#id !== undefined) this.#show(NOTHING);
    if (isInterrupted) this.fail(undefined);
    else this.#release();
  }

  /** What is shown stays, and what comes next has an output of its own. */
  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#requests.clear();
    this.#response = undefined;
    this.#many = undefined;
    this.#waited = undefined;
    this.#id = undefined;
  }

  #createHooks(): ArrivalHooks {
    return {
      onHeaders: (head) => {
        // Another attempt takes the place of what was shown before.
        const { method = "GET", startedAt = new Date() } = [...this.#requests].at(-1) ?? {};
        this.#response = new ArrivingResponse(head, method);
        this.hasPrinted = false;
        this.#progress = { startedAt };
        this.#schedule();
      },
      onChunk: (bytes) => {
        for (const item of this.#response?.push(bytes) ?? []) {
          this.#sink.streamItem?.(this.#secrets.mask(lineOf(item)));
          this.hasPrinted ||= !this.#canReplace;
        }
      },
      onProgress: ({ received, total }) => {
        this.#progress = { ...this.#progress, received, ...(total === undefined ? {} : { total }) };
        // A fast response keeps the event loop busy: no timer would fire before its end.
        if (this.#timer !== undefined && performance.now() >= this.#nextDraw) this.#draw();
      },
    };
  }

  #schedule(): void {
    if (!this.#canReplace || this.#hasEnded || this.#timer !== undefined) return;
    const delay = this.#id === undefined ? DELAY : INTERVAL;
    this.#nextDraw = performance.now() + delay;
    this.#timer = setTimeout(() => this.#draw(), delay);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const shown = this.#current();
    if (shown !== undefined) this.#show(shown);
    else if (this.#waited !== undefined) {
      this.#waited = undefined;
      this.#show(NOTHING);
    }
    const isBusy = this.#requests.size > 0 || this.#many !== undefined;
    if (isBusy || this.#response !== undefined || shown !== undefined) this.#schedule();
  }

  /** What is on its way, after a while. */
  #current(): Shown | undefined {
    if (this.#many !== undefined) {
      return showBar({ ...this.#many, elapsed: Date.now() - this.#manySince });
    }
    const response = this.#response;
    if (response !== undefined) {
      const { received = 0, total, startedAt } = this.#progress;
      const progress = { received, total, elapsed: Date.now() - startedAt.getTime() };
      return toShown(response, () => response.render(progress, this.#secrets));
    }
    const [request] = this.#waitedFor();
    // What is shown already must not show a request that has its answer.
    const isShown = this.#waited !== undefined;
    if (request === undefined || (!isShown && elapsedOf(request) < DELAY)) return undefined;
    this.#waited = request;
    return this.#showWaiting(request, false);
  }

  #showWaiting(request: PendingRequest, isOver: boolean): Shown {
    const others = Math.max(0, this.#waitedFor().length - 1);
    const waiting = { request, elapsed: elapsedOf(request), others, isOver };
    return toShown(request, () => renderWaiting(waiting, [this.#secrets]));
  }

  #waitedFor(): readonly PendingRequest[] {
    return [...this.#requests].filter(isWaitedFor);
  }

  #show(shown: Shown): void {
    if (this.#id === undefined) this.#id = this.#sink.displayWithId?.(shown);
    else this.#sink.update?.(this.#id, shown);
  }
}

function toShown(value: unknown, bundle: () => MimeBundle): Shown {
  return { value, metadata: {}, bundle };
}

function elapsedOf({ startedAt }: PendingRequest): number {
  return Date.now() - startedAt.getTime();
}

const WIDTH = 30;

function showBar({ done, total, failed, running, elapsed }: ManyProgress): Shown {
  const filled = Math.floor((done / total) * WIDTH);
  const drawn = `[${"#".repeat(filled)}${".".repeat(WIDTH - filled)}]`;
  const facts = [
    `${done} of ${total} requests`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(running > 0 ? [`${running} in progress`] : []),
    `${(elapsed / 1000).toFixed(1)} s`,
  ].join(", ");
  const html = `<div><progress max="${total}" value="${done}">${drawn}</progress> ${facts}</div>`;
  const text = `${drawn} ${facts}`;
  return toShown(text, () => ({ "text/plain": text, "text/html": html }));
}

function lineOf(item: StreamItem): string {
  if (item.kind === "event") return `${item.event}: ${item.data}\n`;
  return item.kind === "line" ? `${item.text}\n` : "";
}

/** The status of a WebSocket handshake, whose record is not a body. */
const SWITCHING_PROTOCOLS = 101;

/** Forwards the bodies of responses while they arrive, as fast as the sink writes them. */
export function forwardBodies(bodies: BodySink, signal: AbortSignal): ResponseOutput {
  let isBody = false;
  return {
    hooks: {
      keepBytes: bodies.keepBytes,
      onHeaders: (head) => {
        const isForwarded = head.status !== SWITCHING_PROTOCOLS && head.savedTo === undefined;
        isBody = isForwarded && (bodies.begins?.(head) ?? true);
      },
      // A sink may have stalled, and an interrupt does not wait for it.
      onChunk: (bytes) => (isBody ? unlessAborted(signal, bodies.write(bytes)) : undefined),
    },
    hasPrinted: false,
    replace: (exchange) => {
      if (!isBody) bodies.whole(exchange);
      return true;
    },
    fail: () => isBody,
  };
}
