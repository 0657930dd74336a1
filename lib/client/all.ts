import { type Exchange, messageOf, NoResponseError, type ShowRows } from "../exchange/mod.ts";
import type { RequestSpec, SendOptions } from "../http/mod.ts";
import { createResults, type ManyResult, type ManyResults } from "./batch-results.ts";

/** The progress of `client.all`. */
export interface ManyProgress {
  /** How many requests have ended, with or without a response. */
  readonly done: number;
  /** How many requests there are in all. */
  readonly total: number;
  /** How many requests have failed: no response, or a status of 400 or more. */
  readonly failed: number;
  /** How many requests are in flight. */
  readonly running: number;
  /** Milliseconds since the start. */
  readonly elapsed: number;
}

/** Options of `client.all`. */
export interface AllOptions extends Omit<SendOptions, "onProgress" | "onHeaders" | "onChunk"> {
  /** The maximum number of requests in flight, 6 by default. */
  readonly concurrency?: number;
  /** Whether to send no further request after one that failed; false by default. */
  readonly stopOnError?: boolean;
  /** Called when a request is sent and when it has ended. */
  readonly onProgress?: (progress: ManyProgress) => void;
  /** Called with each result, in the order in which requests end. */
  readonly onResult?: (result: ManyResult) => void;
}

/** What {@link sendMany} needs of a client. */
export interface ManyAccess {
  send(request: string | RequestSpec, options: SendOptions): Promise<Exchange>;
  readonly showRows: ShowRows;
  /** Masks the secrets in a text. */
  mask(text: string): string;
  /** @throws The reason for which the calling code was ended; the whole call fails with it. */
  check(): void;
  /** Called with the progress of every call, besides the hook of the caller. */
  readonly onProgress: ((progress: ManyProgress) => void) | undefined;
}

/** Many requests while they are sent. */
interface Batch {
  readonly requests: readonly (string | RequestSpec)[];
  readonly results: ManyResult[];
  readonly options: Omit<AllOptions, "concurrency">;
  /** The options of each request. */
  readonly sendOptions: SendOptions;
  readonly access: ManyAccess;
  readonly start: number;
  next: number;
  running: number;
  done: number;
  failed: number;
  /** Why no further request is sent. */
  stopReason: string | undefined;
}

/**
 * Sends many requests, some concurrently. A request that fails does not throw: each request has a
 * result, in the order of the requests.
 *
 * @throws {TypeError} An option is invalid.
 */
export async function sendMany(
  requests: Iterable<string | RequestSpec>,
  options: AllOptions,
  access: ManyAccess,
): Promise<ManyResults> {
  const { concurrency = 6, stopOnError: _, onProgress: _p, onResult: _r, ...sendOptions } = options;
  if (!(concurrency >= 1)) {
    throw new TypeError(
      `Cannot use ${concurrency} as concurrency: it is not a number of at least 1`,
    );
  }
  if (typeof requests === "string") {
    throw new TypeError("Cannot send the characters of a string: pass a list of requests");
  }
  access.check();
  const batch: Batch = {
    requests: [...requests],
    results: [],
    options,
    sendOptions,
    access,
    start: performance.now(),
    next: 0,
    running: 0,
    done: 0,
    failed: 0,
    stopReason: undefined,
  };
  const length = Math.min(concurrency, batch.requests.length);
  await Promise.all(Array.from({ length }, () => work(batch)));
  const reason = batch.stopReason ?? "";
  const notSent = batch.requests.slice(batch.next).map((request, index): ManyResult => {
    const n = batch.next + index + 1;
    return { n, request, state: "not sent", ok: false, reason, exchanges: [] };
  });
  return createResults([...batch.results, ...notSent], access);
}

/** Sends one request after the other until none is left. */
async function work(batch: Batch): Promise<void> {
  const { requests, options } = batch;
  try {
    while (batch.next < requests.length && batch.stopReason === undefined) {
      const index = batch.next;
      batch.next += 1;
      batch.running += 1;
      report(batch);
      const result = await sendOne(index, batch);
      batch.running -= 1;
      batch.done += 1;
      batch.results[index] = result;
      if (isFailure(result)) {
        batch.failed += 1;
        if (options.stopOnError === true) batch.stopReason ??= `request ${result.n} failed`;
      }
      options.onResult?.(result);
      report(batch);
    }
  } catch (error) {
    // A callback has thrown: the other workers send no further request.
    batch.stopReason = messageOf(error);
    throw error;
  }
}

async function sendOne(index: number, batch: Batch): Promise<ManyResult> {
  const { options, sendOptions, access } = batch;
  const request = batch.requests[index] as string | RequestSpec;
  const n = index + 1;
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange): void => {
    exchanges.push(exchange);
    options.onExchange?.(exchange);
  };
  const start = performance.now();
  try {
    const exchange = await access.send(request, { ...sendOptions, onExchange });
    return { n, request, state: "answered", ok: exchange.ok, exchange, exchanges };
  } catch (error) {
    access.check();
    if (error instanceof NoResponseError && error.code === "aborted") {
      batch.stopReason ??= "the requests were aborted";
    }
    const milliseconds = performance.now() - start;
    return { n, request, state: "failed", ok: false, error, exchanges, milliseconds };
  }
}

function report({ requests, done, failed, running, start, options, access }: Batch): void {
  const elapsed = performance.now() - start;
  const progress = { done, total: requests.length, failed, running, elapsed };
  options.onProgress?.(progress);
  access.onProgress?.(progress);
}

/** An error status is not an error of one request, but what one looks for among many. */
function isFailure(result: ManyResult): boolean {
  return result.state === "failed" || (result.exchange?.status ?? 0) >= 400;
}
