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
import {
  type BodyObserver,
  createBodyObserver,
  headOf,
  OWN_OBSERVER,
  type RequestSpec,
  type SendOptions,
  type TransferProgress,
} from "../http/mod.ts";
import { parseJson } from "../json/mod.ts";

/** Options of `client.stream`. */
export interface StreamOptions<K extends StreamKind = StreamKind> extends SendOptions {
  /** How to split the body; by default its Content-Type decides. */
  readonly as?: K;
  /** How many bytes of the body the exchange keeps, 1 MiB by default. */
  readonly keepBytes?: number;
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

type Send = (request: string | RequestSpec, options: SendOptions) => Promise<Exchange>;

const DEFAULT_KEEP_BYTES = 1024 * 1024;

/**
 * Sends a request and splits the body of its response into items while it arrives.
 *
 * @param send Sends a request, as {@link Client.send} does.
 */
export function openStream<K extends StreamKind>(
  send: Send,
  request: string | RequestSpec,
  { as, keepBytes = DEFAULT_KEEP_BYTES, ...options }: StreamOptions<K>,
): ResponseStream<StreamItems[K]> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const channel: Channel<StreamItem> = createChannel(stop);
  const head = deferred<ResponseHead>();
  let splitter: Splitter<StreamItem> | undefined;
  let isBegun = false;
  const exchange = run();
  // The loop throws the error as well: nobody has to handle it three times.
  exchange.catch(() => undefined);
  head.promise.catch(() => undefined);

  async function run(): Promise<Exchange> {
    const signals = options.signal ? [options.signal, controller.signal] : [controller.signal];
    const observed = { ...options, signal: AbortSignal.any(signals), [OWN_OBSERVER]: observe };
    try {
      const sent = await send(request, observed);
      channel.close();
      return sent;
    } catch (error) {
      channel.close({ error });
      head.reject(error);
      throw error;
    }
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
        return channel.write(splitter?.push(bytes) ?? []);
      },
      async end(isWhole) {
        await watch.end(isWhole);
        if (isWhole) await channel.write(splitter?.end() ?? []);
      },
    };
  }

  return {
    head: head.promise,
    exchange,
    stop,
    // The splitter of kind K creates items of kind K.
    [Symbol.asyncIterator]: () => channel.reader as AsyncIterableIterator<StreamItems[K]>,
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
