/**
 * How a client connects to servers. An option that the runtime does not support is refused.
 *
 * @example
 * ```ts
 * const connection: ConnectionOptions = { proxy: "http://127.0.0.1:3128", noProxy: "localhost" };
 * ```
 */
export interface ConnectionOptions {
  /**
   * The URL of the proxy, such as `http://user:password@127.0.0.1:3128`; `false` to ignore HTTP_PROXY and
   * HTTPS_PROXY of the environment.
   */
  readonly proxy?: string | false;
  /** Hosts without the proxy, as in NO_PROXY: `localhost,.example.com`. */
  readonly noProxy?: string;
  /** Additional trusted certificates: PEM text, or paths of PEM files. */
  readonly ca?: string | readonly string[];
  /**
   * Accepts every certificate, so that others on the network can read and change the traffic. Each exchange
   * has a warning about it.
   */
  readonly insecure?: boolean;
  /** The client certificate and its key: PEM text, or paths of PEM files. */
  readonly clientCertificate?: {
    readonly cert: string;
    readonly key: string;
    readonly passphrase?: string;
  };
  /** Whether to offer HTTP/2; the runtime decides by default. */
  readonly http2?: boolean;
}

/** Creates a fetch for connection options whose files have been read. */
export type Connect = (connection: ConnectionOptions) => Promise<typeof fetch> | typeof fetch;
