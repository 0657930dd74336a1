import type { RetryOptions } from "./retry.ts";

/** What a client and each of its requests may be given. */
export interface TransportOptions {
  /** Milliseconds for a whole request, its redirects and body included; 0 for no limit. 30,000 by default. */
  readonly timeout?: number;
  /** `follow` by default; `manual` gives the 3xx itself; `error` makes it a `NoResponseError`. */
  readonly redirect?: "follow" | "manual" | "error";
  /** How many redirects are followed, 20 by default. */
  readonly maxRedirects?: number;
  /**
   * Whether a body that holds secrets may go to another origin than that of its request, by a redirect
   * or a further page; `false` by default.
   */
  readonly crossOriginBody?: boolean;
  /** How many bytes of a body are read, after decompression; 256 MiB by default. */
  readonly maxBodyBytes?: number;
  /**
   * How often a request is tried again after a failure or a 408, 413, 429, 500, 502, 503, 504, with
   * growing waits; 0 by default. `Retry-After` is waited for.
   */
  readonly retry?: number | RetryOptions;
}
