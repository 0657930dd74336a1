import {
  type BodyPreview,
  createBodyPreview,
  createRowReader,
  type ResponseInProgress,
  type RowReader,
  renderInProgress,
} from "../../../lib/display/mod.ts";
import {
  type ArrivalHooks,
  type Exchange,
  type MimeBundle,
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
  fail(error: unknown): void;
}

/** Milliseconds after which an incomplete response is shown; a large one is shown earlier. */
const DELAY = 400;
const LARGE_DELAY = 100;
const LARGE = 5_000_000;
/** Milliseconds between two updates. */
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
  let response: LiveResponse | undefined;
  const end = (): LiveResponse | undefined => {
    const ended = response;
    response = undefined;
    ended?.stop();
    return ended;
  };
  return {
    hooks: {
      onHeaders: (head) => {
        end();
        response = new LiveResponse(head, { sink, secrets, methodOf });
      },
      onChunk: (bytes) => response?.read(bytes),
      onProgress: (progress) => {
        if (canReplace) response?.update(progress);
      },
    },
    replace: (exchange) => end()?.replace(exchange) ?? false,
    fail: (error) => {
      // The part that has arrived is worth more than its size.
      if (error instanceof NoResponseError && error.partial) end()?.show(error.partial);
      else end();
    },
  };
}

interface LiveContext {
  readonly sink: OutputSink;
  readonly secrets: Secrets;
  readonly methodOf: () => string;
}

/** A response that is arriving. */
class LiveResponse {
  readonly #context: LiveContext;
  readonly #head: ResponseHead;
  readonly #reader: RowReader | undefined;
  readonly #preview: BodyPreview;
  #progress: Pick<ResponseInProgress, "received" | "total" | "elapsed"> | undefined;
  /** The output that shows it, once it is shown. */
  #id: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextDraw: number | undefined;

  constructor(head: ResponseHead, context: LiveContext) {
    this.#context = context;
    this.#head = head;
    this.#reader = createRowReader(head.mediaType);
    this.#preview = createBodyPreview(head);
  }

  /** Prints the lines of a stream, or keeps the beginning of another body. */
  read(bytes: Uint8Array): void {
    const { sink, secrets } = this.#context;
    if (this.#reader === undefined) this.#preview.push(bytes);
    for (const item of this.#reader?.push(bytes) ?? []) sink.arrive?.(secrets.mask(lineOf(item)));
  }

  update(progress: Pick<ResponseInProgress, "received" | "total" | "elapsed">): void {
    this.#progress = progress;
    const now = performance.now();
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
    const { sink, secrets } = this.#context;
    if (this.#id !== undefined) sink.update?.(this.#id, show(exchange, secrets));
    return this.#id !== undefined;
  }

  #draw(): void {
    const { sink, secrets, methodOf } = this.#context;
    this.stop();
    if (this.#progress === undefined) return;
    secrets.learn({ kind: "headers", headers: this.#head.headers }, "server");
    this.#preview.learn(secrets);
    const answer: ResponseInProgress = {
      head: this.#head,
      reader: this.#reader,
      preview: this.#preview,
      ...this.#progress,
      method: methodOf(),
    };
    const bundle = (): MimeBundle => renderInProgress(answer, [secrets]);
    const shown: Shown = { value: answer, metadata: {}, bundle };
    if (this.#id === undefined) this.#id = sink.displayWithId?.(shown);
    else sink.update?.(this.#id, shown);
    this.#nextDraw = performance.now() + INTERVAL;
  }
}

function lineOf(item: StreamItem): string {
  if (item.kind === "event") return `${item.event}: ${item.data}\n`;
  return item.kind === "line" ? `${item.text}\n` : "";
}
