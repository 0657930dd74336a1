import type { RetryOptions } from "./retry.ts";

/** Options of a client and of each request: timeout, redirects, size limit, retries. */
export interface TransportOptions {
  /** Milliseconds for a request including its redirects and body; 0 for no limit. 30,000 by default. */
  readonly timeout?: number;
  /** `follow` by default; `manual` returns the 3xx itself; `error` throws a `NoResponseError`. */
  readonly redirect?: "follow" | "manual" | "error";
  /** How many redirects are followed; 20 by default. */
  readonly maxRedirects?: number;
  /**
   * Whether a body with secrets may go to another origin, by a redirect or a further page; `false` by
   * default.
   */
  readonly crossOriginBody?: boolean;
  /** The maximum size of a response body in bytes, after decompression; 256 MiB by default. */
  readonly maxBodyBytes?: number;
  /**
   * How often a request is retried after a failure or a 408, 413, 429, 500, 502, 503 or 504, with
   * growing delays; 0 by default. `Retry-After` is respected.
   */
  readonly retry?: number | RetryOptions;
}
