import type { Exchange } from "../exchange/mod.ts";
import type { SendingOptions } from "./outgoing-options.ts";
import type { RenderTextOptions } from "./request/mod.ts";
import type { ArrivalHooks } from "./response/mod.ts";
import type { TransportOptions } from "./transport/mod.ts";

/** Options of one `send`; they take precedence over those of the client. */
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
   * Shows the response with its secrets if it is the result of a cell, and says so in the output;
   * `last` and `history` stay masked.
   */
  readonly reveal?: boolean;
  /** Called with each exchange of a text with several requests as soon as it is complete. */
  readonly onExchange?: (exchange: Exchange) => void;
}
