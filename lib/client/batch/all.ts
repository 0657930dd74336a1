import type { Exchange, Show } from "../../exchange/mod.ts";
import { NoResponseError } from "../../exchange/mod.ts";
import type { RequestSpec, SendOptions } from "../../http/mod.ts";
import { createResults, type ManyResult, type ManyResults } from "./results.ts";

/** How far many requests have come. */
export interface ManyProgress {
  /** How many have ended, well or not. */
  readonly done: number;
  /** How many there are in all. */
  readonly total: number;
  /** How many of those that ended have failed: no answer, or a status of 400 and more. */
  readonly failed: number;
  /** How many are on their way. */
  readonly running: number;
  /** Milliseconds since the first was sent. */
  readonly elapsed: number;
}

/** Options of `client.all`. */
export interface AllOptions extends Omit<SendOptions, "onProgress" | "onHeaders" | "onChunk"> {
  /** How many requests are on their way at once, 6 by default. */
  readonly concurrency?: number;
  /** Whether no further request is sent after one that failed; false by default. */
  readonly stopOnError?: boolean;
  /** Called when a request is sent and when it has ended. */
  readonly onProgress?: (progress: ManyProgress) => void;
  /** Called with each result as it comes, in the order in which they come. */
  readonly onResult?: (result: ManyResult) => void;
}

/** What sending many requests needs of a client. */
export interface ManyAccess {
  send(request: string | RequestSpec, options: SendOptions): Promise<Exchange>;
  readonly show: Show;
  /** Hides what is secret in a text. */
  mask(text: string): string;
  /** @throws The reason for which the code that calls was ended: the whole call fails with it. */
  check(): void;
  /** Called with the progress of every call, beside the caller's own hook. */
  readonly onProgress: ((progress: ManyProgress) => void) | undefined;
}

/**
 * Sends many requests, some at once. It does not throw for a request that fails: each has its
 * result, in the order of the requests.
 *
 * @throws {TypeError} An option is not what it should be.
 */
export async function sendMany(
  requests: Iterable<string | RequestSpec>,
  options: AllOptions,
  access: ManyAccess,
): Promise<ManyResults> {
  const { concurrency = 6, stopOnError = false, onProgress, onResult, ...sendOptions } = options;
  if (!(concurrency >= 1)) {
    throw new TypeError(`Cannot use ${concurrency} as concurrency: a number from 1 on is needed`);
  }
  access.check();
  const list = Array.from(requests);
  const results = list.map((request, index): ManyResult => notSent(request, index, NOT_REACHED));
  const start = performance.now();
  let next = 0;
  let running = 0;
  let done = 0;
  let failed = 0;
  let stopped: string | undefined;

  const report = (): void => {
    const elapsed = performance.now() - start;
    const progress = { done, total: list.length, failed, running, elapsed };
    onProgress?.(progress);
    access.onProgress?.(progress);
  };

  async function sendOne(index: number): Promise<ManyResult> {
    const request = list[index] as string | RequestSpec;
    const n = index + 1;
    const exchanges: Exchange[] = [];
    const onExchange = (exchange: Exchange): void => {
      exchanges.push(exchange);
      options.onExchange?.(exchange);
    };
    const began = performance.now();
    try {
      const exchange = await access.send(request, { ...sendOptions, onExchange });
      return { n, request, state: "answered", ok: exchange.ok, exchange, exchanges };
    } catch (error) {
      access.check();
      if (error instanceof NoResponseError && error.code === "aborted") {
        stopped ??= "the requests were aborted";
      }
      const milliseconds = performance.now() - began;
      return { n, request, state: "failed", ok: false, error, exchanges, milliseconds };
    }
  }

  async function work(): Promise<void> {
    while (next < list.length && stopped === undefined) {
      const index = next;
      next += 1;
      running += 1;
      report();
      const result = await sendOne(index);
      running -= 1;
      done += 1;
      results[index] = result;
      if (isFailure(result)) {
        failed += 1;
        if (stopOnError) stopped ??= `request ${index + 1} failed`;
      }
      onResult?.(result);
      report();
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, list.length) }, work));
  for (let index = next; index < list.length; index++) {
    const request = list[index] as string | RequestSpec;
    results[index] = notSent(request, index, stopped ?? NOT_REACHED);
  }
  return createResults(results, access);
}

const NOT_REACHED = "it was not reached";

function notSent(request: string | RequestSpec, index: number, reason: string): ManyResult {
  return { n: index + 1, request, state: "not sent", ok: false, reason, exchanges: [] };
}

/** A status is no error for one request; for many, 400 and more is what one looks for. */
function isFailure(result: ManyResult): boolean {
  return result.state === "failed" || (result.exchange?.status ?? 0) >= 400;
}
