/**
 * An entry of HAR 1.2 as browsers write it. Names that begin with `_` are those of Chrome, or of restlab.
 *
 * @see https://w3c.github.io/web-performance/specs/HAR/Overview.html
 */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** The sum of the timings in milliseconds. */
  readonly time: number;
  /** The request. */
  readonly request: HarRequest;
  /** The response. */
  readonly response: HarResponse;
  /** Always empty. */
  readonly cache: Readonly<Record<string, never>>;
  /** How long each step took. */
  readonly timings: HarTimings;
  /** The address of the server or of the proxy. */
  readonly serverIPAddress?: string | undefined;
  /** The port of the server. */
  readonly connection?: string | undefined;
  /** As Chrome names it. */
  readonly _resourceType: "fetch" | "websocket";
  /** The messages of a WebSocket; left out if they could not be recorded. */
  readonly _webSocketMessages?: readonly HarMessage[] | undefined;
  /** Why messages are missing. */
  readonly comment?: string | undefined;
}

/** A name and its value. */
export interface HarPair {
  /** The name. */
  readonly name: string;
  /** The value. */
  readonly value: string;
}

/** A request. */
export interface HarRequest {
  /** The method. */
  readonly method: string;
  /** The URL without its fragment. */
  readonly url: string;
  /** `unknown` where the runtime does not expose it. */
  readonly httpVersion: string;
  /** The cookies of the `Cookie` header. */
  readonly cookies: readonly HarCookie[];
  /** All headers, those that the runtime adds included. */
  readonly headers: readonly HarPair[];
  /** The parameters of the query, decoded. */
  readonly queryString: readonly HarPair[];
  /** The body. */
  readonly postData?: HarBody | undefined;
  /** Always -1: it is not known. */
  readonly headersSize: number;
  /** Bytes; -1 where the size is not known. */
  readonly bodySize: number;
}

/** The body of a request. Base64 is an extension: HAR has none for requests. */
export interface HarBody {
  /** The Content-Type as it is in the headers, masked. */
  readonly mimeType: string;
  /** The text, or base64; of a body that `compress` has compressed, what it was before. */
  readonly text: string;
  /** The fields of a form. */
  readonly params?: readonly HarPair[] | undefined;
  /** Set for base64. */
  readonly _encoding?: "base64" | undefined;
  /** Why there is no text. */
  readonly comment?: string | undefined;
}

/** A response. */
export interface HarResponse {
  /** The status code. */
  readonly status: number;
  /** The reason phrase. */
  readonly statusText: string;
  /** `unknown` where the runtime does not expose it. */
  readonly httpVersion: string;
  /** The cookies of the `Set-Cookie` headers. */
  readonly cookies: readonly HarCookie[];
  /** The headers. */
  readonly headers: readonly HarPair[];
  /** The body. */
  readonly content: HarContent;
  /** The Location header, or an empty string. */
  readonly redirectURL: string;
  /** Always -1: it is not known. */
  readonly headersSize: number;
  /** Bytes before decompression; -1 where that is not known. */
  readonly bodySize: number;
}

/** The body of a response, decompressed. */
export interface HarContent {
  /** Bytes. */
  readonly size: number;
  /** The Content-Type as it is in the headers, masked, or `x-unknown`. */
  readonly mimeType: string;
  /** The text, or base64. */
  readonly text?: string | undefined;
  /** Set for base64. */
  readonly encoding?: "base64" | undefined;
  /** Why the body is missing or incomplete. */
  readonly comment?: string | undefined;
}

/** A cookie; the attributes are those of `Set-Cookie`. */
export interface HarCookie extends HarPair {
  /** The attribute `Path`. */
  readonly path?: string | undefined;
  /** The attribute `Domain`. */
  readonly domain?: string | undefined;
  /** The attribute `Expires`, in ISO 8601. */
  readonly expires?: string | undefined;
  /** The attribute `HttpOnly`. */
  readonly httpOnly?: boolean | undefined;
  /** The attribute `Secure`. */
  readonly secure?: boolean | undefined;
  /** The attribute `SameSite`. */
  readonly sameSite?: string | undefined;
}

/** Milliseconds; -1 for steps that were not needed or are not known. */
export interface HarTimings {
  /** Until the request was handed to the transport. */
  readonly blocked: number;
  /** Resolving the name. */
  readonly dns: number;
  /** Includes `ssl`. */
  readonly connect: number;
  /** The TLS handshake. */
  readonly ssl: number;
  /** Always 0: it is part of `wait`. */
  readonly send: number;
  /** Until the response began. */
  readonly wait: number;
  /** Until the response ended. */
  readonly receive: number;
}

/** A message of a WebSocket, as Chrome writes it. */
export interface HarMessage {
  /** Who sent it. */
  readonly type: "send" | "receive";
  /** Seconds since 1970. */
  readonly time: number;
  /** 1 for text, 2 for bytes, which are base64. */
  readonly opcode: 1 | 2;
  /** The text, or base64. */
  readonly data: string;
}
