import { UnsendableRequestError } from "../../exchange/mod.ts";
import { CredentialError } from "../middleware/credentials/authorizer/mod.ts";
import type { KyOptions } from "./ky-options.ts";
import { RedirectError } from "./redirect-error.ts";

/** Retries in ky's words. */
type KyRetry = Exclude<KyOptions["retry"], number | undefined>;

/** When and how often a request is tried again. */
export interface RetryOptions {
  /** How often, after the first attempt; 2 where it is left out. */
  readonly limit?: number;
  /** For which methods; GET, PUT, HEAD, DELETE, OPTIONS and QUERY, which are safe to repeat. */
  readonly methods?: readonly string[];
  /** After which statuses; 408, 413, 429, 500, 502, 503, 504. A failed connection always counts. */
  readonly statuses?: readonly number[];
  /** Milliseconds before the first repetition; each further wait is twice as long. 300 by default. */
  readonly delay?: number;
  /** The longest wait in milliseconds; no limit by default. */
  readonly maxDelay?: number;
  /** The longest `Retry-After` in milliseconds that is waited for; a longer one ends the attempts. */
  readonly maxRetryAfter?: number;
  /** Whether each wait is made shorter by chance, so that many clients do not come at once. */
  readonly jitter?: boolean;
}

/** Failures that another attempt does not mend. */
const LASTING = [UnsendableRequestError, CredentialError, RedirectError];

const METHODS = ["get", "put", "head", "delete", "options", "query"];

/** What a retry option says, with nothing left out. */
export function retryOptions(retry: number | RetryOptions): RetryOptions & { limit: number } {
  if (typeof retry === "number") return { limit: count("retry", retry) };
  const { limit = 2 } = retry;
  for (const name of ["delay", "maxDelay", "maxRetryAfter"] as const) {
    if (retry[name] !== undefined) count(`retry.${name}`, retry[name]);
  }
  return { ...retry, limit: count("retry.limit", limit) };
}

/** The same in ky's words. */
export function toKyRetry(retry: RetryOptions & { readonly limit: number }): KyRetry {
  const { limit, methods, statuses, delay, maxDelay, maxRetryAfter, jitter } = retry;
  return {
    limit,
    methods: (methods?.map((method) => method.toLowerCase()) ?? METHODS) as KyRetry["methods"] &
      object,
    shouldRetry: ({ error }) => (isHopeless(error, maxRetryAfter) ? false : undefined),
    ...(statuses === undefined
      ? {}
      : { statusCodes: [...statuses], afterStatusCodes: [...statuses] }),
    ...(delay === undefined ? {} : { delay: (attempt: number) => delay * 2 ** (attempt - 1) }),
    ...(maxDelay === undefined ? {} : { backoffLimit: maxDelay }),
    ...(jitter === undefined ? {} : { jitter }),
  };
}

/** ky's own option; none where it says nothing. What fails alike every time is not tried again. */
export function guardRetry(retry: KyOptions["retry"] = 0): KyRetry {
  const options = typeof retry === "number" ? { limit: retry } : retry;
  const { shouldRetry } = options;
  return {
    ...options,
    shouldRetry: async (state) => (isHopeless(state.error) ? false : await shouldRetry?.(state)),
  } as KyRetry;
}

/** What fails alike every time, or wants a longer wait than was allowed: ky would wait too little. */
function isHopeless(error: unknown, maxRetryAfter = Number.POSITIVE_INFINITY): boolean {
  if (LASTING.some((kind) => error instanceof kind)) return true;
  const { response } = error as { readonly response?: Response };
  const after = response?.headers.get("retry-after") ?? undefined;
  if (after === undefined) return false;
  const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return wait > maxRetryAfter;
}

function count(name: string, value: number): number {
  if (typeof value === "number" && value >= 0) return value;
  throw new TypeError(`Cannot use ${String(value)} as ${name}: a number from 0 on is needed`);
}
