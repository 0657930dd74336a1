import type { Exchange, ResponseHead } from "../../exchange/mod.ts";
import {
  type Channel,
  createChannel,
  createSplitter,
  parseJson,
  parseMediaType,
  type Splitter,
  type StreamItem,
  type StreamItems,
  type StreamKind,
  streamKind,
} from "../../exchange/mod.ts";
import type { RequestSpec, SendOptions } from "../../http/mod.ts";
import {
  type BodyObserver,
  createBodyObserver,
  headOf,
  OWN_OBSERVER,
  type TransferProgress,
} from "../../http/mod.ts";

/** Options of `client.stream`. */
export interface StreamOptions<K extends StreamKind = StreamKind> extends SendOptions {
  /** What to make of the body; its Content-Type decides where it is left out. */
  readonly as?: K;
  /** How many bytes of the body the exchange keeps, 1 MiB by default. */
  readonly keepBytes?: number;
}

/**
 * An answer that is read while it comes. Leaving the loop ends the request; a slow loop slows the
 * server down, so that memory stays bounded.
 */
export interface ResponseStream<T> extends AsyncIterable<T> {
  /** The beginning of the answer, once it is there. */
  readonly head: Promise<ResponseHead>;
  /** What was sent and came, once the stream has ended or was stopped; it keeps the first bytes. */
  readonly exchange: Promise<Exchange>;
  /** Ends the request; what has come stays. */
  stop(): void;
}

/** How a stream sends: `client.send`. */
export type Send = (request: string | RequestSpec, options: SendOptions) => Promise<Exchange>;

const KEPT = 1024 * 1024;

/** Sends a request and hands out its body in pieces that mean something. */
export function openStream<K extends StreamKind>(
  send: Send,
  request: string | RequestSpec,
  { as, keepBytes = KEPT, ...options }: StreamOptions<K>,
): ResponseStream<StreamItems[K]> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const channel: Channel<StreamItem> = createChannel(stop);
  const head = deferred<ResponseHead>();
  let splitter: Splitter<StreamItem> | undefined;
  const exchange = run();
  // Whoever iterates sees a failure there; nobody has to look at it in three places.
  exchange.catch(() => undefined);
  head.promise.catch(() => undefined);

  async function run(): Promise<Exchange> {
    const signals = options.signal ? [options.signal, controller.signal] : [controller.signal];
    const watched = { ...options, signal: AbortSignal.any(signals), [OWN_OBSERVER]: arrive };
    try {
      const sent = await send(request, watched);
      channel.close();
      return sent;
    } catch (error) {
      channel.close({ error });
      head.reject(error);
      throw error;
    }
  }

  function arrive(track: TransferProgress): BodyObserver {
    const watch = createBodyObserver(options, track);
    return {
      keepBytes,
      isUntimed: true,
      mayStop: true,
      begin(response, url, start) {
        const { essence, charset } = parseMediaType(response.headers.get("content-type"));
        splitter = createSplitter(as ?? streamKind(essence), { charset, parseJson });
        watch.begin(response, url, start);
        head.resolve(headOf(response, url));
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
    // A stream of kind K gives items of kind K; the table of splitters says so.
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
