import {
  type Channel,
  createChannel,
  createSplitter,
  type Exchange,
  parseMediaType,
  type ResponseHead,
  type Splitter,
  type StreamItem,
  type StreamItems,
  type StreamKind,
  streamKind,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import { pause } from "../http/auth/mod.ts";
import {
  type BodyObserver,
  createBodyObserver,
  headOf,
  OWN_OBSERVER,
  type RequestInput,
  type SendOptions,
  type TransferProgress,
} from "../http/mod.ts";
import { parseJson } from "../json/mod.ts";
import { mayPass } from "./poll.ts";

/** Options of `client.stream`. */
export interface StreamOptions<K extends StreamKind = StreamKind> extends SendOptions {
  /** How to split the body; by default its Content-Type decides. */
  readonly as?: K | undefined;
  /** How many bytes of the body the exchange keeps, 1 MiB by default. */
  readonly keepBytes?: number | undefined;
  /**
   * Whether an event stream that has ended, or whose connection has failed, is asked for again, as by `EventSource`
   * (HTML Standard, 9.2.3): with `Last-Event-ID`, after the time that the server names with `retry`, 3 s by default.
   * Leaving the loop, `stop`, the status 204 and any other answer than a 200 with events end that.
   */
  readonly reconnect?: boolean | undefined;
}

/**
 * A response that is read while it arrives. Leaving the loop aborts the request; a slow loop slows the
 * server down, so that memory is bounded.
 */
export interface ResponseStream<T> extends AsyncIterable<T> {
  /** The status and the headers, once they have arrived. */
  readonly head: Promise<ResponseHead>;
  /** The exchange, once the stream has ended or was stopped; it keeps the first bytes of the body. */
  readonly exchange: Promise<Exchange>;
  /** Aborts the request; what has arrived is kept. */
  stop(): void;
}

type Send = (request: RequestInput, options: SendOptions) => Promise<Exchange>;

const DEFAULT_KEEP_BYTES = 1024 * 1024;
/** Milliseconds before an event stream is asked for again, unless the server names others. */
const RECONNECTION_TIME = 3000;

/**
 * Sends a request and splits the body of its response into items while it arrives.
 *
 * @param send Sends a request, as {@link Client.send} does.
 */
export function openStream<K extends StreamKind, Data>(
  send: Send,
  request: RequestInput,
  { as, keepBytes = DEFAULT_KEEP_BYTES, reconnect = false, ...options }: StreamOptions<K>,
): ResponseStream<StreamItems<Data>[K]> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const channel: Channel<StreamItem> = createChannel(stop);
  const head = deferred<ResponseHead>();
  let splitter: Splitter<StreamItem> | undefined;
  let isBegun = false;
  let isConnected = false;
  let lastId = "";
  let delay = RECONNECTION_TIME;
  const exchange = run();
  // The loop throws the error as well: nobody has to handle it three times.
  exchange.catch(() => undefined);
  head.promise.catch(() => undefined);

  async function run(): Promise<Exchange> {
    const signals = options.signal ? [options.signal, controller.signal] : [controller.signal];
    const signal = AbortSignal.any(signals);
    const observed = { ...options, signal, [OWN_OBSERVER]: observe };
    try {
      for (;;) {
        const sent = await connect(observed, signal);
        if (sent === undefined) continue;
        channel.close();
        return sent;
      }
    } catch (error) {
      channel.close({ error });
      head.reject(error);
      throw error;
    }
  }

  /** Sends the request; `undefined` after the pause before it is to be sent again. */
  async function connect(
    observed: SendOptions,
    signal: AbortSignal,
  ): Promise<Exchange | undefined> {
    isBegun = false;
    let sent: Exchange | undefined;
    try {
      sent = await send(request, observed);
      const isStream = sent.status === 200 && streamKind(sent.mediaType) === "events";
      if (!reconnect || !isStream || signal.aborted) return sent;
      isConnected = true;
    } catch (error) {
      if (!reconnect || !isConnected || !mayPass(error) || signal.aborted) throw error;
    }
    await pause(delay, signal).catch((reason) => {
      if (sent === undefined) throw reason;
    });
    return signal.aborted ? sent : undefined;
  }

  function note(items: readonly StreamItem[]): readonly StreamItem[] {
    for (const item of items) {
      if (item.kind !== "event") continue;
      lastId = item.id ?? lastId;
      delay = item.retry ?? delay;
      isConnected = true;
    }
    return items;
  }

  function observe(track: TransferProgress): BodyObserver {
    if (isBegun) {
      throw new UnsendableRequestError(
        "Cannot stream another response: the text has several requests; stream each on its own",
      );
    }
    isBegun = true;
    const watch = createBodyObserver(options, track);
    return {
      keepBytes,
      headers: lastId === "" ? [] : [["Last-Event-ID", lastId]],
      isConsumed: true,
      mayStop: true,
      begin(response, url, start, charset) {
        const type = parseMediaType(response.headers.get("content-type"), charset);
        splitter = createSplitter(as ?? streamKind(type.essence), { type, parseJson });
        watch.begin(response, url, start, charset);
        head.resolve(headOf(response, url, charset));
      },
      async chunk(bytes) {
        await watch.chunk(bytes);
        return channel.write(note(splitter?.push(bytes) ?? []));
      },
      async end(isWhole) {
        await watch.end(isWhole);
        if (isWhole) await channel.write(note(splitter?.end() ?? []));
      },
    };
  }

  const reader: AsyncIterableIterator<StreamItem> = {
    next: () => channel.reader.next(),
    async return() {
      await channel.reader.return?.();
      // Behind the loop it is the last exchange of the client.
      await exchange.catch(() => undefined);
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => reader,
  };
  return {
    head: head.promise,
    exchange,
    stop,
    // The splitter of kind K creates items of kind K.
    [Symbol.asyncIterator]: () => reader as AsyncIterableIterator<StreamItems<Data>[K]>,
  };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((settle, refuse) => {
    resolve = settle;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
