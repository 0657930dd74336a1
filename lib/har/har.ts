/**
 * HAR 1.2 as browsers write it: the parts that are written here. Names that begin with `_` are those of
 * Chrome, or of restlab.
 *
 * @see https://w3c.github.io/web-performance/specs/HAR/Overview.html
 */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** The sum of the timings in milliseconds. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: HarTimings;
  readonly serverIPAddress?: string;
  readonly connection?: string;
  readonly _resourceType: "fetch" | "websocket";
  readonly _webSocketMessages?: readonly HarMessage[];
}

/** A name and its value. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** A request. */
export interface HarRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly cookies: readonly HarCookie[];
  readonly headers: readonly HarPair[];
  readonly queryString: readonly HarPair[];
  readonly postData?: HarBody;
  readonly headersSize: number;
  /** Left to -1 where it is not known. */
  readonly bodySize: number;
}

/** The body of a request. Base64 is an extension: HAR has none for requests. */
export interface HarBody {
  readonly mimeType: string;
  readonly text: string;
  readonly params?: readonly HarPair[];
  readonly _encoding?: "base64";
  readonly comment?: string;
}

/** A response. */
export interface HarResponse {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly cookies: readonly HarCookie[];
  readonly headers: readonly HarPair[];
  readonly content: HarContent;
  readonly redirectURL: string;
  readonly headersSize: number;
  readonly bodySize: number;
}

/** The body of a response, decompressed. */
export interface HarContent {
  readonly size: number;
  readonly mimeType: string;
  readonly text?: string;
  readonly encoding?: "base64";
  readonly comment?: string;
}

/** A cookie; the attributes are those of `Set-Cookie`. */
export interface HarCookie extends HarPair {
  readonly path?: string;
  readonly domain?: string;
  readonly expires?: string;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: string;
}

/** Milliseconds; -1 for steps that were not needed or are not known. */
export interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  /** Includes `ssl`. */
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/** A message of a WebSocket, as Chrome writes it. */
export interface HarMessage {
  readonly type: "send" | "receive";
  /** Seconds since 1970. */
  readonly time: number;
  /** 1 for text, 2 for bytes, which are base64. */
  readonly opcode: 1 | 2;
  readonly data: string;
}
