import type { Exchange } from "../exchange/mod.ts";
import type { SendingOptions } from "./outgoing-options.ts";
import type { RenderTextOptions } from "./request/mod.ts";
import type { ArrivalHooks } from "./response/mod.ts";
import type { TransportOptions } from "./transport/mod.ts";

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
