import { clearTimeout, setTimeout } from "node:timers";
import {
  type BodyPreview,
  createBodyPreview,
  createRowReader,
  type ResponseInProgress,
  type RowReader,
  renderInProgress,
} from "../../../../lib/display/mod.ts";
import type {
  Exchange,
  MimeBundle,
  PendingRequest,
  ResponseHead,
  Secrets,
  StreamItem,
} from "../../../../lib/mod.ts";
import type { OutputSink, Shown } from "../../cell/mod.ts";
import { type Answered, DELAY, WAITING_INTERVAL } from "./waiting-output.ts";

/** A large response is shown earlier. */
const LARGE_DELAY = 100;
const LARGE = 5_000_000;
/** Milliseconds between two updates. */
const INTERVAL = 250;

/** Where a response is shown. */
export interface LiveContext {
  readonly sink: OutputSink;
  readonly secrets: Secrets;
  /** The output of a complete response. */
  readonly show: (exchange: Exchange) => Shown;
}

/** A response that is arriving. */
export class LiveResponse {
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
