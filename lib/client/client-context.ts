import type { Exchange, ShowRows, Views } from "../exchange/mod.ts";
import type { createSender, headerReader } from "../http/mod.ts";
import type { ClientOptions } from "./client-options.ts";
import type { ClientSession } from "./client-session.ts";

/** What the members of a client work with: the session that it shares, and its own defaults. */
export interface ClientContext {
  readonly session: ClientSession;
  readonly options: ClientOptions;
  /** Reads the headers of requests that do not have them. */
  readonly defaultHeaders: ReturnType<typeof headerReader>;
  readonly send: ReturnType<typeof createSender>["send"];
}

/** How a client displays values. */
export interface ClientViews {
  /** The members of the client that do. */
  readonly views: Views;
  /** Gives a value the display of a table. */
  readonly showRows: ShowRows;
  /** Gives a list of exchanges the display of a history. */
  readonly showHistory: (exchanges: readonly Exchange[]) => readonly Exchange[];
}
