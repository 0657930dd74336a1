/** How a client reaches servers; what a runtime cannot do is refused with the reason. */
export interface ConnectionOptions {
  /**
   * The proxy for every request, `http://user:password@127.0.0.1:3128` for example; `false` for
   * none, even where the environment names one (HTTP_PROXY, HTTPS_PROXY).
   */
  readonly proxy?: string | false;
  /** Hosts that are reached without the proxy, as in NO_PROXY: `localhost,.example.com`. */
  readonly noProxy?: string;
  /** Certificates to trust beside the usual ones: PEM text, or the path of such a file. */
  readonly ca?: string | readonly string[];
  /**
   * Takes every certificate, also one that nobody vouches for: whoever is on the way can read and
   * change everything. Each exchange says so.
   */
  readonly insecure?: boolean;
  /** What this client shows to servers that ask who it is: PEM text, or the paths of such files. */
  readonly clientCertificate?: {
    readonly cert: string;
    readonly key: string;
    readonly passphrase?: string;
  };
  /** Offers HTTP/2 to the server, or keeps to HTTP/1.1; what the runtime does by itself if left out. */
  readonly http2?: boolean;
}

/** Makes a fetch that uses a connection; the options' files are read already. */
export type Connect = (connection: ConnectionOptions) => Promise<typeof fetch> | typeof fetch;
