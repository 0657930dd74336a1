import type { StatusClass } from "./status-class.ts";

/** A header list in the order of the wire, repeated names kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request as it was sent. */
export interface SentRequest {
  readonly name?: string;
  readonly method: string;
  /** The URL as sent, after the URL parser. */
  readonly url: string;
  /** The URL as the rendered text had it. */
  readonly writtenUrl: string;
  readonly headers: HeaderList;
  /** Names of headers that were not written but added. */
  readonly added: readonly string[];
  readonly body: string | Uint8Array | undefined;
}

/** One hop on the way to the final answer. */
export interface Redirect {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly statusClass: StatusClass;
  /** The Location header as it was received. */
  readonly location: string;
}

/** Durations in milliseconds. */
export interface Timing {
  readonly startedAt: Date;
  /** Until the final status line and headers were there. */
  readonly headers: number;
  /** Until the body was read. */
  readonly total: number;
}

/** Sizes in bytes. Header sizes are those of their text in HTTP/1.1. */
export interface Sizes {
  readonly request: { readonly headers: number; readonly body: number };
  readonly response: {
    readonly headers: number;
    /** The body after decompression, as in `bytes`. */
    readonly body: number;
    /** The body as it came over the wire, where the server said so. */
    readonly encoded?: number;
  };
}

/** A request that was sent and the answer that came. A status is never an error here. */
export interface Exchange {
  readonly request: SentRequest;
  readonly status: number;
  readonly statusText: string;
  readonly statusClass: StatusClass;
  /** True for 200 to 299. */
  readonly ok: boolean;
  readonly headers: Headers;
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** The body as text, by its charset. */
  readonly text: string;
  /**
   * The body as JSON: `undefined` when it is empty, a `SyntaxError` is thrown when it does not
   * parse. Numbers whose digits a double would alter are bigint or {@link NumberText}.
   */
  // biome-ignore lint/suspicious/noExplicitAny: exploring an answer must not need casts
  readonly json: any;
  readonly timing: Timing;
  readonly sizes: Sizes;
  readonly redirects: readonly Redirect[];
  readonly warnings: readonly string[];
  /** True where the body was longer than the cap; `bytes` holds its beginning. */
  readonly cut: boolean;
}
