import type { ArrivalHooks } from "./arrival/hooks.ts";
import type { Exchange } from "./exchange.ts";
import type { SendingOptions } from "./outgoing-options.ts";
import type { RetryOptions } from "./retry.ts";

/** What a client and each of its requests may be given. */
export interface TransportOptions {
  /** Milliseconds for a whole request, its redirects and body included; 0 for no limit. 30,000 by default. */
  readonly timeout?: number;
  /** `follow` by default; `manual` gives the 3xx itself; `error` makes it a {@link NoResponseError}. */
  readonly redirect?: "follow" | "manual" | "error";
  /** How many redirects are followed, 20 by default. */
  readonly maxRedirects?: number;
  /** How many bytes of a body are read, after decompression; 256 MiB by default. */
  readonly maxBodyBytes?: number;
  /**
   * How often a request is tried again after a failure or a 408, 413, 429, 500, 502, 503, 504, with
   * growing waits; 0 by default. `Retry-After` is waited for.
   */
  readonly retry?: number | RetryOptions;
}

/** Options of rendering. */
export interface RenderTextOptions {
  /** `keep` leaves placeholders without a value as they stand; `error` is the default. */
  readonly missing?: "error" | "keep";
}

/** Options of one `send`; they go before those of the client. */
export interface SendOptions
  extends TransportOptions,
    RenderTextOptions,
    ArrivalHooks,
    SendingOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds without a message after which a WebSocket request with messages ends; 2,000 by
   * default.
   */
  readonly quiet?: number;
  /**
   * Shows the answer with the secrets in it where it is the result of a cell, whose output says so;
   * `last` and `history` are shown as ever.
   */
  readonly reveal?: boolean;
  /** Called with each exchange as it comes, where a text holds several requests. */
  readonly onExchange?: (exchange: Exchange) => void;
}
