import type { LimitTime } from "../assertions/mod.ts";
import type { Exchange, PendingRequest } from "../exchange/mod.ts";
import type { OpenGrowingFile } from "../har/mod.ts";
import type {
  DefaultHeaders,
  HttpOptions,
  ReachingOptions,
  TransportOptions,
} from "../http/mod.ts";
import type { ScopeOptions } from "../variables/mod.ts";
import type { WebSocketOptions } from "../websocket/mod.ts";
import type { ManyProgress } from "./batch/mod.ts";
import type { OpenFileForWriting } from "./stream/mod.ts";

/** Options of {@link createClient}. */
export interface ClientOptions extends HttpOptions, ScopeOptions, WebSocketOptions {
  /** The clock of generated values and signatures. */
  readonly now?: () => Date;
  /** Headers of every request that does not set them itself; a function is called for each request. */
  readonly headers?: DefaultHeaders;
  /**
   * Names whose values are secrets, instead of {@link SECRET_NAMES}: `[...SECRET_NAMES, "pin"]` adds
   * one; with an empty list, only variables that are set as secret are secrets.
   */
  readonly secretNames?: readonly string[];
  /** Opens the file of a download; without it, downloads are refused. */
  readonly openFileForWriting?: OpenFileForWriting;
  /** Opens the file of `record`; without it, recordings are refused. */
  readonly openGrowingFile?: OpenGrowingFile;
  /**
   * Called with each exchange, also those of clients that extend this one, and those of logins, which are
   * not in the history.
   */
  readonly onExchange?: (exchange: Exchange) => void;
  /**
   * Returns the signal that ends the running code, if several programs share a client: requests in flight
   * end with the code that sent them, which then sends no more.
   */
  readonly owner?: () => AbortSignal | undefined;
  /**
   * Called with each request that is sent, by the code that sends it, for front ends that show how long a request has
   * been waiting. What it returns is called when the request has ended.
   */
  readonly onPending?: (request: PendingRequest) => (() => void) | undefined;
  /**
   * Ends the regular expressions of assertions that backtrack without end; without it, they take as long as they do.
   */
  readonly limitTime?: LimitTime;
  /** Called during `all`, for front ends that show the progress. */
  readonly onManyProgress?: (progress: ManyProgress) => void;
  /** How many exchanges `history` keeps, 100 by default. */
  readonly historyCount?: number;
  /** How many bytes of bodies `history` keeps, 64 MiB by default; the last exchange always stays. */
  readonly historyBytes?: number;
}

/** Options of {@link Client.extend}. */
export type ExtendOptions = TransportOptions &
  ReachingOptions &
  Pick<ClientOptions, "headers" | "fetch" | "ky" | "readFile" | "openFile">;
