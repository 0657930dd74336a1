/** The status and the headers of a response. */
export interface ResponseHead {
  /** The URL of the response, after redirects. */
  readonly url: string;
  /** The status code. */
  readonly status: number;
  /** The reason phrase, as the runtime returns it. */
  readonly statusText: string;
  /** The headers. */
  readonly headers: Headers;
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
}

/** The connection of a response, as far as its transport knows it. */
export interface ConnectionDetails {
  /** The address of the server or of the proxy, for example `127.0.0.1:8787`. */
  readonly address: string;
  /** Whether an earlier request has opened it. */
  readonly isReused: boolean;
  /** What TLS has agreed on; absent without it. */
  readonly tls?: TlsDetails;
  /** Milliseconds since the last request was handed to the transport; absent for steps that were not needed. */
  readonly times: {
    /** Until the name was resolved. */
    readonly dns?: number;
    /** Until the connection was open. */
    readonly connect?: number;
    /** Until TLS was ready. */
    readonly tls?: number;
    /** Until the response began. */
    readonly firstByte: number;
  };
}

/** What a TLS connection has agreed on. */
export interface TlsDetails {
  /** For example `TLSv1.3`. */
  readonly version: string;
  /** The name of the cipher. */
  readonly cipher: string;
  /** The certificate of the server. */
  readonly certificate?: {
    readonly subject: string;
    readonly issuer: string;
    /** As the certificate writes it. */
    readonly validTo: string;
  };
}

/** The property with which a fetch hands these details on with its response; `kernel/platform` sets it. */
const DETAILS = Symbol.for("restlab.connection-details");

/** The details of a response's connection, if its fetch knows them. */
export function detailsOf(response: object): ConnectionDetails | undefined {
  return (response as { readonly [DETAILS]?: ConnectionDetails })[DETAILS];
}

const REPLAYED: WeakSet<object> = new WeakSet();

/** Notes that a recording contains a response, so that nothing was sent. */
export function markReplayed(response: Response): Response {
  REPLAYED.add(response);
  return response;
}

/** Whether a response comes from a recording. */
export function isReplayed(response: Response): boolean {
  return REPLAYED.has(response);
}
