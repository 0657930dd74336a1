/** How to connect to servers; certificates and keys are PEM texts. */
export interface Connection {
  /** The proxy of every request; `false` for none, whatever the environment says. */
  readonly proxy?: string | false;
  /** Hosts that need no proxy, as in NO_PROXY. */
  readonly noProxy?: string;
  /** Certificates of additional authorities. */
  readonly ca?: string | readonly string[];
  /** Accepts any certificate. */
  readonly insecure?: boolean;
  /** The certificate of the client, for servers that request one. */
  readonly clientCertificate?: {
    readonly cert: string;
    readonly key: string;
    readonly passphrase?: string;
  };
  /** Whether to offer HTTP/2; `false` is HTTP/1.1 only. */
  readonly http2?: boolean;
}

/** A connection for one URL, with its proxy chosen. */
export interface ResolvedConnection extends Omit<Connection, "proxy" | "noProxy"> {
  readonly proxy: string | undefined;
}

/** Creates a fetch of a runtime that uses a connection. */
export type CreateFetch = (connection: ResolvedConnection) => Promise<typeof fetch>;

/** Sets the proxy of a connection. */
export function resolveConnection(
  { proxy: _proxy, noProxy: _noProxy, ...rest }: Connection,
  proxy: string | undefined,
): ResolvedConnection {
  return { ...rest, proxy };
}

/** A runtime does not support an option of a connection. */
class ConnectionError extends TypeError {
  override readonly name = "ConnectionError";
}

/** @throws {ConnectionError} Always. */
export function rejectOption(option: string, runtime: string, advice: string): never {
  throw new ConnectionError(
    `Cannot use the connection option ${option}: ${runtime} does not support it; ${advice}`,
  );
}
