import { CONNECTION_DETAILS } from "../fetch/mod.ts";
import { fromBinary } from "./bytes.ts";
import type { HeaderList } from "./exchange.ts";

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
  /** The charset of the body, from `# @charset` or the option, whatever its Content-Type says. */
  readonly charset?: string | undefined;
  /** The file that the body is written to while it arrives. */
  readonly savedTo?: string | undefined;
}

/** The connection of a response, and the answer as it came, if the transport exposes it. */
export interface ConnectionDetails {
  /** The address of the server or of the proxy, for example `127.0.0.1:8787`. */
  readonly address: string;
  /** Whether an earlier request has opened it. */
  readonly isReused: boolean;
  /** The version of HTTP: `1.1`, `1.0` or `2`. */
  readonly httpVersion: string;
  /** The headers of the answer in their order and letter case. */
  readonly headers: HeaderList;
  /** The answers before it, such as `103 Early Hints`. */
  readonly informational: readonly {
    readonly status: number;
    readonly statusText: string;
    readonly headers: HeaderList;
  }[];
  /** The fields behind the body, once it has arrived. */
  readonly trailers: HeaderList;
  /** What is wrong with a body that is complete, once it has arrived, such as bytes behind its compressed data. */
  readonly remarks?: readonly string[] | undefined;
  /** The negotiated TLS parameters; absent for plain HTTP. */
  readonly tls?: TlsDetails | undefined;
  /** Milliseconds since the last request was passed to the transport. A step that was not needed has no time. */
  readonly times: {
    /** Until the name was resolved. */
    readonly dns?: number | undefined;
    /** Until the connection was open. */
    readonly connect?: number | undefined;
    /** Until TLS was ready. */
    readonly tls?: number | undefined;
    /** Until the response began. */
    readonly firstByte: number;
  };
}

/** The negotiated parameters of a TLS connection. */
export interface TlsDetails {
  /** For example `TLSv1.3`. */
  readonly version: string;
  /** The name of the cipher. */
  readonly cipher: string;
  /** The certificate of the server. */
  readonly certificate?:
    | {
        readonly subject: string;
        readonly issuer: string;
        /** The end of its validity, in the format of the runtime. */
        readonly validTo: string;
      }
    | undefined;
}

/** The connection of a response, if its fetch exposes it. */
export function detailsOf(response: object): ConnectionDetails | undefined {
  return (response as { readonly [CONNECTION_DETAILS]?: ConnectionDetails })[CONNECTION_DETAILS];
}

/** The same once the body has arrived: a copy, which does not keep the connection with its buffers. */
export function arrivedDetailsOf(response: object): ConnectionDetails | undefined {
  const details = detailsOf(response);
  return details && { ...details };
}

/**
 * The headers of a response in their order and letter case, each line by itself, where the transport exposes them. Bytes
 * that are UTF-8 are read so, others as Latin-1.
 */
export function receivedHeaders(response: {
  readonly headers: Headers;
  readonly connection?: ConnectionDetails | undefined;
}): HeaderList {
  const list = response.connection?.headers ?? [...response.headers];
  for (const [, value] of list) if (UNDECODED.test(value)) return list.map(decodeHeader);
  return list;
}

function decodeHeader([name, value]: HeaderList[number]): HeaderList[number] {
  return [name, fromByteString(value)];
}

/** A byte string that is not ASCII; no transport passes on a longer one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for bytes
const UNDECODED = /^[\x00-\x7f]{0,65536}[\x80-\xff][\x00-\xff]{0,65536}$/;

const decoder = new TextDecoder();

/** Decodes a header value, of which each character is a byte: as UTF-8 if it is that, as Latin-1 otherwise. */
export function fromByteString(value: string): string {
  if (!UNDECODED.test(value)) return value;
  const text = decoder.decode(fromBinary(value));
  return text.includes("\ufffd") ? value : text;
}

/**
 * The headers of a response with their values as text, as {@link fromByteString} reads them: what a program reads is
 * sent back as it came.
 */
export function decodedHeaders(headers: Headers): Headers {
  for (const [, value] of headers) if (UNDECODED.test(value)) return new DecodedHeaders(headers);
  return headers;
}

class DecodedHeaders extends Headers {
  override get(name: string): string | null {
    const value = super.get(name);
    return value === null ? null : fromByteString(value);
  }

  override getSetCookie(): string[] {
    return super.getSetCookie().map(fromByteString);
  }

  override *entries(): HeadersIterator<[string, string]> {
    for (const [name, value] of super.entries()) yield [name, fromByteString(value)];
  }

  override *values(): HeadersIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  override forEach(
    callback: (value: string, name: string, parent: Headers) => void,
    receiver?: unknown,
  ): void {
    for (const [name, value] of this.entries()) callback.call(receiver, value, name, this);
  }

  override [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }
}

/** The fields that a server may send once, by RFC 9110 and the standards that define them. */
const SINGLE: ReadonlySet<string> = new Set(
  (
    "access-control-allow-origin age content-disposition content-length content-location content-range content-type " +
    "date etag expires last-modified location max-forwards retry-after server strict-transport-security"
  ).split(" "),
);

/**
 * Warnings about fields that a server has repeated and may send once, of some it matters which one is meant; and about
 * two that say where the body ends (RFC 9112, 6.3).
 */
export function remarksOfFields(headers: HeaderList): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of headers) {
    const key = name.toLowerCase();
    if (seen.has(key) && SINGLE.has(key)) repeated.add(key);
    seen.add(key);
  }
  const isFramedTwice = seen.has("content-length") && seen.has("transfer-encoding");
  const framing = "The server has sent Content-Length and Transfer-Encoding: the second one counts";
  const remarks = Array.from(repeated, (key) => {
    const values = headers.filter(([name]) => name.toLowerCase() === key);
    const [name = key] = values[0] ?? [];
    return `The server has sent ${values.length} headers "${name}", which may occur once`;
  });
  return isFramedTwice ? [...remarks, framing] : remarks;
}

const REPLAYED: WeakSet<object> = new WeakSet();

/** Marks a response that comes from a recording or a mock, so that nothing was sent. */
export function markReplayed(response: Response): Response {
  REPLAYED.add(response);
  return response;
}

/** Whether a response comes from a recording or a mock. */
export function isReplayed(response: Response): boolean {
  return REPLAYED.has(response);
}

/** The class of a status code. */
export type StatusClass =
  | "Informational"
  | "Successful"
  | "Redirection"
  | "Client error"
  | "Server error"
  | "Unassigned";

const CLASSES: readonly StatusClass[] = [
  "Informational",
  "Successful",
  "Redirection",
  "Client error",
  "Server error",
];

/**
 * Returns the class of a status code (RFC 9110, section 15).
 *
 * @param status The status code.
 * @returns The class; `Unassigned` outside of 100 to 599.
 * @example
 * ```ts
 * statusClass(404); // "Client error"
 * ```
 */
export function statusClass(status: number): StatusClass {
  return CLASSES[Math.floor(status / 100) - 1] ?? "Unassigned";
}
