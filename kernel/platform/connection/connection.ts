/** How servers are reached, every file read already. */
export interface Connection {
  /** The proxy of every request; `false` for none, whatever the environment says. */
  readonly proxy?: string | false;
  /** Hosts that are reached without it, as in NO_PROXY. */
  readonly noProxy?: string;
  /** PEM texts. */
  readonly ca?: string | readonly string[];
  /** Takes every certificate. */
  readonly insecure?: boolean;
  /** PEM texts of what the client shows to servers that ask who it is. */
  readonly clientCertificate?: {
    readonly cert: string;
    readonly key: string;
    readonly passphrase?: string;
  };
  /** Offers HTTP/2, or keeps to HTTP/1.1. */
  readonly http2?: boolean;
}

/** A connection whose proxy is settled: that one, or none at all. */
export interface Way extends Omit<Connection, "proxy" | "noProxy"> {
  readonly proxy: string | undefined;
}

/** Makes the fetch of a runtime use a way. */
export type CreateFetch = (way: Way) => Promise<typeof fetch> | typeof fetch;

/** The way to a URL: its proxy chosen, by the options first and by the environment then. */
export function toWay(
  { proxy: _proxy, noProxy: _no, ...rest }: Connection,
  proxy: Way["proxy"],
): Way {
  return { ...rest, proxy };
}

/** A runtime cannot do what a connection asks for. */
export class ConnectionError extends TypeError {
  override readonly name = "ConnectionError";
}

export function refuse(option: string, runtime: string, advice: string): never {
  throw new ConnectionError(
    `Cannot use the connection option ${option}: ${runtime} has nothing for it; ${advice}`,
  );
}
