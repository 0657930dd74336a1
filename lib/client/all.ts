import { type Exchange, NoResponseError } from "../exchange/mod.ts";
import { type RequestInput, type SendOptions, STOPPED } from "../http/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import { createResults, type ManyResult, type ManyResults } from "./batch-results.ts";
import type { Client } from "./client.ts";
import type { ClientContext } from "./client-session.ts";
import type { SchemaOption } from "./standard-schema.ts";

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
export interface AllOptions<Body = unknown>
  extends Omit<SendOptions, "onProgress" | "onHeaders" | "onChunk">,
    SchemaOption<Body> {
  /** The maximum number of requests in flight, 6 by default. */
  readonly concurrency?: number | undefined;
  /** Whether to send no further request after one that failed; false by default. */
  readonly stopOnError?: boolean | undefined;
  /** Called when a request is sent and when it has ended. */
  readonly onProgress?: ((progress: ManyProgress) => unknown) | undefined;
  /** Called with each result, in the order in which requests end. */
  readonly onResult?: ((result: ManyResult) => unknown) | undefined;
}

/**
 * Sends many requests, some concurrently. A request that fails does not throw: each request has a
 * result, in the order of the requests.
 *
 * @throws {TypeError} An option is invalid.
 */
export async function sendMany<Body>(
  requests: Iterable<RequestInput>,
  { concurrency = 6, stopOnError = false, onProgress, onResult, ...sendOptions }: AllOptions<Body>,
  send: Client["send"],
  context: ClientContext,
): Promise<ManyResults<Body>> {
  if (!(concurrency >= 1)) {
    throw new TypeError(
      `Cannot use ${concurrency} as concurrency: it is not a number of at least 1`,
    );
  }
  if (typeof requests === "string") {
    throw new TypeError("Cannot send the characters of a string: pass a list of requests");
  }
  const { inFlight } = context.session;
  inFlight.check();
  const list = [...requests];
  const results: ManyResult<Body>[] = [];
  const start = performance.now();
  const counts = { done: 0, total: list.length, failed: 0, running: 0 };
  let next = 0;
  /** Why no further request is sent. */
  let stopReason: string | undefined;

  async function report(): Promise<void> {
    const progress = { ...counts, elapsed: performance.now() - start };
    context.options.onManyProgress?.(progress);
    await onProgress?.(progress);
  }

  /** Sends one request after the other until none is left. */
  async function work(): Promise<void> {
    try {
      while (next < list.length && stopReason === undefined) {
        const index = next++;
        counts.running += 1;
        const reported = report();
        // At once, since a request has the values of the moment of the call.
        const sending = sendOne(list[index] as RequestInput, index + 1);
        const [result] = await Promise.all([sending, reported]);
        counts.running -= 1;
        counts.done += 1;
        results[index] = result;
        if (isFailure(result)) {
          counts.failed += 1;
          if (stopOnError) stopReason ??= `request ${result.n} failed`;
        }
        await onResult?.(result);
        await report();
      }
    } catch (error) {
      // A callback has thrown: the other workers send no further request.
      stopReason = messageOf(error);
      throw error;
    }
  }

  async function sendOne(request: RequestInput, n: number): Promise<ManyResult<Body>> {
    const exchanges: Exchange[] = [];
    const onExchange = (exchange: Exchange): void => {
      exchanges.push(exchange);
      sendOptions.onExchange?.(exchange);
    };
    const startedAt = performance.now();
    try {
      const exchange = await send(request, { ...sendOptions, onExchange });
      // Of a text, an abort leaves what has arrived.
      const isStopped = exchange.cutReason?.startsWith(STOPPED) === true;
      if (isStopped) stopReason ??= ABORTED;
      const ok = exchange.ok && !isStopped;
      return { n, request, state: "answered", ok, exchange, exchanges };
    } catch (error) {
      inFlight.check();
      if (error instanceof NoResponseError && error.code === "aborted") {
        stopReason ??= ABORTED;
      }
      const milliseconds = performance.now() - startedAt;
      return { n, request, state: "failed", ok: false, error, exchanges, milliseconds };
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, list.length) }, work));
  const reason = stopReason ?? "";
  const notSent = list.slice(next).map((request, index): ManyResult<Body> => {
    return { n: next + index + 1, request, state: "not sent", ok: false, reason, exchanges: [] };
  });
  return createResults([...results, ...notSent], context);
}

const ABORTED = "the requests were aborted";

/** An error status is not an error of one request, but what one looks for among many. */
function isFailure(result: ManyResult): boolean {
  return result.state === "failed" || (result.exchange?.status ?? 0) >= 400;
}
