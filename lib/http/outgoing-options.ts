import type { Credentials, LoginTools } from "./middleware/credentials/authorizer/mod.ts";
import type { Compression } from "./request/bodies/mod.ts";
import type {
  ConnectionOptions,
  KyOptions,
  Rate,
  TransportAccess,
  TransportOptions,
} from "./transport/mod.ts";

/** Options of a client and of each request: credentials and cookies. */
export interface OutgoingOptions {
  /**
   * The credentials. An `Authorization` header in the request takes precedence over those of the client;
   * `false` sends none.
   */
  readonly auth?: Credentials | false;
  /** Whether cookies are stored and sent; `true` by default. */
  readonly cookies?: boolean;
}

/** Options of one `send`: credentials, cookies, ky, compression, connection. */
export interface SendingOptions extends OutgoingOptions {
  /** ky options of this request. They extend those of the client; hooks are added to its hooks. */
  readonly ky?: KyOptions;
  /** Compresses the body and sets `Content-Encoding`. */
  readonly compress?: Compression;
  /** Proxy, certificates and protocol; each option takes precedence over that of the client. */
  readonly connection?: ConnectionOptions;
}

/** Options of a client: credentials, cookies, logins, connection, limits. */
export interface ReachingOptions
  extends OutgoingOptions,
    LoginTools,
    Pick<TransportAccess, "connection" | "connect"> {
  /** How many requests may be in flight at once; the others wait. */
  readonly concurrency?: number;
  /** How many requests may start in a second, or in `per` milliseconds; the others wait. */
  readonly rate?: Rate;
}

/** The options of a client that concern HTTP. */
export interface HttpOptions extends TransportOptions, TransportAccess, ReachingOptions {
  /** ky options of every request. The options `retry` and `fetch` of the client take precedence. */
  readonly ky?: KyOptions;
  /** The clock for signatures and for the expiry of tokens. */
  readonly now?: () => Date;
}
