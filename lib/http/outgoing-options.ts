import type { Credentials, LoginTools } from "./middleware/credentials/authorizer/mod.ts";
import type { Compression } from "./request/bodies/mod.ts";
import type {
  ConnectionOptions,
  KyOptions,
  Rate,
  TransportAccess,
  TransportOptions,
} from "./transport/mod.ts";

/** What a client, and each of its requests, sends along. */
export interface OutgoingOptions {
  /**
   * What lets the request in. An `Authorization` header that a request writes goes before that of
   * its client; `false` sends none.
   */
  readonly auth?: Credentials | false;
  /** Whether cookies are kept and sent; `true` by default. */
  readonly cookies?: boolean;
}

/** What else a single `send` may be told. */
export interface SendingOptions extends OutgoingOptions {
  /** Options of ky for this request; those of the client hold as well, and hooks are added to its hooks. */
  readonly ky?: KyOptions;
  /** Compresses the body and says so in `Content-Encoding`. */
  readonly compress?: Compression;
  /** Proxy, certificates and protocol, before those of the client, option by option. */
  readonly connection?: ConnectionOptions;
}

/** What a client may be told about reaching servers. */
export interface ReachingOptions
  extends OutgoingOptions,
    LoginTools,
    Pick<TransportAccess, "connection" | "connect"> {
  /** How many requests may be on their way at once; the others wait for their turn. */
  readonly concurrency?: number;
  /** How many requests may begin in a second, or in `per` milliseconds; the others wait. */
  readonly rate?: Rate;
}

/** What sending needs of a client's options. */
export interface HttpOptions extends TransportOptions, TransportAccess, ReachingOptions {
  /** Options of ky for every request: hooks, retries, a fetch. `retry` and `fetch` beside it go before. */
  readonly ky?: KyOptions;
  /** The clock that credentials are signed by. */
  readonly now?: () => Date;
}
