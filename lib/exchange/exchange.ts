import type { Secrets } from "../secrets/mod.ts";
import type { StatusClass } from "./status-class.ts";

/** The method by which a value shows itself in kernels that know it, `deno jupyter` for one. */
export const jupyterDisplay: unique symbol = Symbol.for("Jupyter.display");

/** What a value looks like, by media type; plain text is always there. */
export interface DisplayData {
  /** The form that is always there. */
  readonly "text/plain": string;
  /** Other forms, by media type. */
  readonly [mediaType: string]: unknown;
}

/** A header list in the order of the wire, repeated names kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request as it was sent; what redirects made of it is in {@link Exchange.redirects}. */
export interface SentRequest {
  /** From `# @name login`. */
  readonly name?: string;
  /** The method as sent. */
  readonly method: string;
  /** The URL as sent, after the URL parser, without user info. */
  readonly url: string;
  /** The URL as the rendered text had it. */
  readonly writtenUrl: string;
  /** The headers that were handed to fetch, which adds its own, such as Host. */
  readonly headers: HeaderList;
  /** Names of headers that were not written but added, as they stand in `headers`. */
  readonly added: readonly string[];
  /** The body as written, or `undefined`. */
  readonly body: string | Uint8Array | undefined;
  /** Of a body that was streamed and is not kept: its bytes, and its file where it is one. */
  readonly streamed?: { readonly size?: number; readonly path?: string };
}

/** One hop on the way to the final answer. */
export interface Redirect {
  /** The method of this hop. */
  readonly method: string;
  /** The URL that answered with a redirect. */
  readonly url: string;
  /** Its status. */
  readonly status: number;
  /** Its reason phrase. */
  readonly statusText: string;
  /** The class of its status. */
  readonly statusClass: StatusClass;
  /** The Location header as it was received. */
  readonly location: string;
}

/** Durations in milliseconds. */
export interface Timing {
  /** When sending began. */
  readonly startedAt: Date;
  /** Until the final status line and headers were there. */
  readonly headers: number;
  /** Until the body was read. */
  readonly total: number;
}

/** Sizes in bytes. Header sizes are those of their text in HTTP/1.1. */
export interface Sizes {
  /** What was sent. */
  readonly request: {
    /** The request line and the headers. */
    readonly headers: number;
    /** The body. */
    readonly body: number;
  };
  /** What came. */
  readonly response: {
    /** The status line and the headers. */
    readonly headers: number;
    /** The body after decompression, as in `bytes`. */
    readonly body: number;
    /** The body as it came over the wire, where the server said so. */
    readonly encoded?: number;
  };
}

/** A request that was sent and the answer that came. A status is never an error here. */
export interface Exchange {
  /** The request as it was first sent. */
  readonly request: SentRequest;
  /** Where the answer came from: the URL of the request, or of the last redirect. */
  readonly url: string;
  /** The status code. */
  readonly status: number;
  /** The reason phrase, as the runtime gives it. */
  readonly statusText: string;
  /** The class of the status, in words. */
  readonly statusClass: StatusClass;
  /** True for 200 to 299. */
  readonly ok: boolean;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
  /** The body, decompressed. */
  readonly bytes: Uint8Array;
  /** The body as text, by its charset. */
  readonly text: string;
  /**
   * The body as JSON: `undefined` when it is empty, a `SyntaxError` is thrown when it does not
   * parse. Numbers whose digits a double would alter are bigint or {@link NumberText}.
   */
  // biome-ignore lint/suspicious/noExplicitAny: exploring an answer must not need casts
  readonly json: any;
  /** How long it took. */
  readonly timing: Timing;
  /** How large it was. */
  readonly sizes: Sizes;
  /** The hops before the answer, in order. */
  readonly redirects: readonly Redirect[];
  /** What looks wrong or was not sent as written; for a person to read. */
  readonly warnings: readonly string[];
  /** True where `bytes` holds only the beginning of the body. */
  readonly cut: boolean;
  /** Why `bytes` holds only the beginning of the body, for a person to read. */
  readonly cutReason?: string | undefined;
  /** What no display may show: all that its client knows to be secret. */
  readonly secrets: readonly Secrets[];
  /**
   * The request as a curl command; placeholders or `•••` stand for secrets.
   *
   * @example
   * ```ts
   * client.setVar("token", "hush-hush-42", { secret: true });
   * const exchange = await client.send("GET http://127.0.0.1:8787/echo\nX-Token: {{token}}");
   * exchange.toCurl().includes("X-Token: {{token}}"); // true
   * ```
   */
  toCurl(): string;
  /** The request as a call of `fetch`; placeholders or `•••` stand for secrets. */
  toFetch(): string;
  /**
   * The request as request text; placeholders or `•••` stand for secrets. What request text cannot
   * say to the letter becomes a curl command, which a cell runs as well.
   */
  toHttp(): string;
  /** The exchange as plain data, for `JSON.stringify`: no binary data and no secrets. */
  toJSON(): unknown;
  /** The exchange as plain text. */
  toString(): string;
  /** How the exchange looks, by media type. */
  [jupyterDisplay](): DisplayData;
}
