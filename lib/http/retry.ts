import { NotRecordedError, UnsendableRequestError } from "../exchange/mod.ts";
import type { Hop, Middleware } from "./attempt.ts";
import { CredentialError } from "./auth/mod.ts";
import { nonNegative } from "./deadline.ts";
import { explainFailure } from "./failure.ts";
import type { KyOptions } from "./ky.ts";
import { RedirectError } from "./redirects.ts";
import { isStreamed } from "./streamed-body.ts";

type KyRetry = Exclude<KyOptions["retry"], number | undefined>;

/** When and how often a request is retried, as in ky. */
export interface RetryOptions {
  /** The number of retries; 2 by default. */
  readonly limit?: number;
  /** The methods to retry; by default GET, PUT, HEAD, DELETE, OPTIONS and QUERY, which are idempotent. */
  readonly methods?: readonly string[];
  /** The statuses to retry; by default 408, 413, 429, 500, 502, 503 and 504. Failed connections are always retried. */
  readonly statuses?: readonly number[];
  /** Milliseconds before the first retry; 300 by default. Each further delay is twice as long. */
  readonly delay?: number;
  /** The maximum delay in milliseconds; no limit by default. */
  readonly maxDelay?: number;
  /** The maximum `Retry-After` in milliseconds; a longer one ends the retries. */
  readonly maxRetryAfter?: number;
  /** Whether delays are shortened at random, so that clients do not retry all at once. */
  readonly jitter?: boolean;
}

/** Errors that a retry cannot fix. */
const PERMANENT = [UnsendableRequestError, CredentialError, RedirectError, NotRecordedError];

const METHODS = ["get", "put", "head", "delete", "options", "query"];

/**
 * Checks a retry option.
 *
 * @throws {TypeError} A number is invalid.
 */
export function retryOptions(retry: number | RetryOptions): RetryOptions & { limit: number } {
  if (typeof retry === "number") return { limit: nonNegative("retry", retry) };
  const { limit = 2 } = retry;
  for (const name of ["delay", "maxDelay", "maxRetryAfter"] as const) {
    if (retry[name] !== undefined) nonNegative(`retry.${name}`, retry[name]);
  }
  return { ...retry, limit: nonNegative("retry.limit", limit) };
}

/** Converts a retry option to that of ky. */
export function toKyRetry(retry: RetryOptions & { readonly limit: number }): KyRetry {
  const { limit, methods, statuses, delay, maxDelay, maxRetryAfter, jitter } = retry;
  return {
    limit,
    methods: (methods?.map((method) => method.toLowerCase()) ?? METHODS) as KyRetry["methods"] &
      object,
    shouldRetry: ({ error }) => (isPermanent(error, maxRetryAfter) ? false : undefined),
    ...(statuses === undefined
      ? {}
      : { statusCodes: [...statuses], afterStatusCodes: [...statuses] }),
    ...(delay === undefined ? {} : { delay: (attempt: number) => delay * 2 ** (attempt - 1) }),
    ...(maxDelay === undefined ? {} : { backoffLimit: maxDelay }),
    ...(jitter === undefined ? {} : { jitter }),
  };
}

/** The retry option of ky; no retries by default, and none for errors that a retry cannot fix. */
export function guardRetry(retry: KyOptions["retry"] = 0): KyRetry {
  const options = typeof retry === "number" ? { limit: retry } : retry;
  const { shouldRetry } = options;
  return {
    ...options,
    shouldRetry: async (state) => (isPermanent(state.error) ? false : await shouldRetry?.(state)),
  } as KyRetry;
}

/** Also for a `Retry-After` above the maximum: ky would shorten the delay instead. */
function isPermanent(error: unknown, maxRetryAfter = Number.POSITIVE_INFINITY): boolean {
  if (PERMANENT.some((kind) => error instanceof kind)) return true;
  const { response } = error as { readonly response?: Response };
  const after = response?.headers.get("retry-after") ?? undefined;
  if (after === undefined) return false;
  const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return wait > maxRetryAfter;
}

/** Idempotent methods (RFC 9110, section 9.2.2), except TRACE, which fetch forbids. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Resends a request whose kept-alive connection the server had closed. Deno and Bun do it themselves; Node
 * does not, and does not notice the close while a cell computes.
 *
 * @param answered The origins that have responded. Without a flag in the error, only these can have had a
 * kept-alive connection.
 * @param signal Nothing is resent once it is aborted.
 */
export function retryStaleConnections(answered: Set<string>, signal: AbortSignal): Middleware {
  return (next) => async (hop) => {
    for (let isSecondTry = false; ; isSecondTry = true) {
      try {
        const response = await next(hop);
        answered.add(hop.url.origin);
        return response;
      } catch (cause) {
        const mayBeStale = answered.has(hop.url.origin) && !isSecondTry;
        if (signal.aborted || !isStaleConnection(hop, cause, mayBeStale)) throw cause;
      }
    }
  };
}

/** @param mayBeStale Used if the error does not have a flag for reused connections. */
function isStaleConnection(hop: Hop, cause: unknown, mayBeStale: boolean): boolean {
  // The flag of Node. If it is set, the second attempt may have failed on another stale connection.
  const { reusedSocket = mayBeStale } = Object(cause) as { readonly reusedSocket?: boolean };
  return (
    reusedSocket &&
    IDEMPOTENT.has(hop.method) &&
    !isStreamed(hop.body) &&
    explainFailure(cause).code === "reset"
  );
}
