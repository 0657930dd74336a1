import type { Exchange } from "../exchange/mod.ts";
import type { SendingOptions } from "./outgoing-options.ts";
import type { RenderTextOptions } from "./request/mod.ts";
import type { ArrivalHooks } from "./response/mod.ts";
import type { RunScript } from "./run-script.ts";
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
   * default. `Infinity` listens until the server closes or the request is stopped.
   */
  readonly quiet?: number;
  /**
   * Shows the response with its secrets if it is the result of a cell, and says so in the output;
   * `last` and `history` stay masked.
   */
  readonly reveal?: boolean;
  /** Called with each exchange of a text with several requests as soon as it is complete. */
  readonly onExchange?: (exchange: Exchange) => void;
  /**
   * Runs the scripts of a request text, and the expressions of `?? js`. Front ends supply it for the text that
   * a person runs, and never for one that may come from a response. Without it no script is run, as the
   * notes of the exchange say, and an assertion with `?? js` fails.
   */
  readonly runScript?: RunScript;
  /** The file of the text, which the results of assertions name. */
  readonly file?: string;
  /** The line of the file on which the text begins; 1 by default. Errors and results name the lines of the file. */
  readonly firstLine?: number | undefined;
}
