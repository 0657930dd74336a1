import type { AssertionResult } from "../assertions/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { VerifyRule } from "../shape/mod.ts";
import type { ConnectionDetails, ResponseHead } from "./response-head.ts";
import type { StatusClass } from "./status-class.ts";

/** The method that returns how Jupyter displays a value; Deno's kernel calls it as well. */
export const jupyterDisplay: unique symbol = Symbol.for("Jupyter.display");

/** The display of a value, by media type. */
export interface DisplayData {
  /** Plain text, which every display has. */
  readonly "text/plain": string;
  /** Other forms, by media type. */
  readonly [mediaType: string]: unknown;
}

/** Headers in the order in which they were sent, with repeated names. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request as it was first sent; redirects are in {@link Exchange.redirects}. */
export interface SentRequest {
  /** The name of `# @name login`. */
  readonly name?: string;
  /** The title of the line `### title` before it. */
  readonly title?: string;
  /** What `restlab verify` compares of the response, from `# @verify` and `# @ignore`. */
  readonly verify?: VerifyRule;
  /** The method as sent. */
  readonly method: string;
  /** The URL as sent, normalized by the URL parser, without user info. */
  readonly url: string;
  /** The URL in the rendered text. */
  readonly writtenUrl: string;
  /** The headers as written, and those that belong to the request, such as credentials and cookies. */
  readonly headers: HeaderList;
  /** The names of the `headers` that were added and not written. */
  readonly added: readonly string[];
  /** The headers that were sent besides: defaults such as User-Agent, and those of the runtime, such as Host. */
  readonly defaults?: HeaderList;
  /** The body as written, compressed if asked to, or `undefined`. */
  readonly body: string | Uint8Array | undefined;
  /** The body before `compress` has compressed it. */
  readonly uncompressed?: string | Uint8Array | undefined;
  /** The size in bytes, and the file if there is one, of a body that was streamed and is not kept. */
  readonly streamed?: { readonly size?: number; readonly path?: string };
}

/** A redirect that was followed. */
export interface Redirect {
  /** The method of the redirected request. */
  readonly method: string;
  /** The URL of the redirected request. */
  readonly url: string;
  /** The status code. */
  readonly status: number;
  /** The reason phrase. */
  readonly statusText: string;
  /** The class of the status. */
  readonly statusClass: StatusClass;
  /** The Location header as received. */
  readonly location: string;
}

/** The body of a response that is not the last one of its exchange. */
export interface DiscardedBody {
  /** Its first 64 KiB. */
  readonly bytes: Uint8Array;
  /** Whether there are more. */
  readonly cut: boolean;
}

/**
 * One request of an exchange as it was sent, and the head of its response. An exchange has several after
 * redirects, challenges and retries.
 */
export interface ExchangeHop {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** All headers, those that the runtime adds included, where they are known. */
  readonly headers: HeaderList;
  /** The body; `undefined` if there is none, or if it was streamed. */
  readonly body: string | Uint8Array | undefined;
  /** When it was sent. */
  readonly startedAt: Date;
  /** Milliseconds until the headers of the response were received. */
  readonly wait: number;
  /** The head of the response. */
  readonly response: Pick<ResponseHead, "status" | "statusText" | "headers"> & {
    /** The body, as far as it was received, if another request followed: of a redirect for example. */
    readonly discarded?: DiscardedBody | undefined;
  };
  /** The connection, where the transport knows it. */
  readonly connection?: ConnectionDetails | undefined;
  /** Whether a recording answered it, so that nothing was sent. */
  readonly isReplayed: boolean;
}

/** Durations in milliseconds. */
export interface Timing {
  /** When sending began. */
  readonly startedAt: Date;
  /** Until the headers of the final response were received. */
  readonly headers: number;
  /** Until the body was received. */
  readonly total: number;
}

/** Sizes in bytes. Headers are measured as HTTP/1.1 text. */
export interface Sizes {
  /** The request. */
  readonly request: {
    /** The request line and the headers. */
    readonly headers: number;
    /** The body. */
    readonly body: number;
  };
  /** The response. */
  readonly response: {
    /** The status line and the headers. */
    readonly headers: number;
    /** The decompressed body, as in `bytes`. */
    readonly body: number;
    /** The body as transferred, if the server declared its length. */
    readonly encoded?: number;
  };
}

/** A request and its response. An error status is not an exception. */
export interface Exchange {
  /** The request as it was first sent. */
  readonly request: SentRequest;
  /** The URL of the response: that of the request, or of the last redirect. */
  readonly url: string;
  /** The status code. */
  readonly status: number;
  /** The reason phrase, as the runtime returns it. */
  readonly statusText: string;
  /** The class of the status. */
  readonly statusClass: StatusClass;
  /** Whether the status is 200 to 299. */
  readonly ok: boolean;
  /** The headers of the response. */
  readonly headers: Headers;
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
  /** The body, decompressed. */
  readonly bytes: Uint8Array;
  /** The body as text, decoded by its charset. */
  readonly text: string;
  /**
   * The body as JSON (RFC 8259); `undefined` when it is empty. Numbers whose digits a double would change
   * are a bigint or a {@link NumberText}.
   *
   * @throws {SyntaxError} The body is not valid JSON.
   */
  // biome-ignore lint/suspicious/noExplicitAny: exploring a response must not need casts
  readonly json: any;
  /** The connection of the response, where the transport knows it: on Node, without connection options. */
  readonly connection?: ConnectionDetails | undefined;
  /** How long it took. */
  readonly timing: Timing;
  /** How large it was. */
  readonly sizes: Sizes;
  /** The redirects before the response, in order. */
  readonly redirects: readonly Redirect[];
  /** Every request that was sent for it, in order; the response of the last one is that of the exchange. */
  readonly hops: readonly ExchangeHop[];
  /** Warnings about what looks wrong or was not sent as written. */
  readonly warnings: readonly string[];
  /** What else happened, for information: retries, renewed tokens, lines without an effect. */
  readonly notes: readonly string[];
  /** The results of its assertions and tests, in the order of the text. */
  readonly assertions: readonly AssertionResult[];
  /** Whether `bytes` contains only the beginning of the body. */
  readonly cut: boolean;
  /** Why `bytes` contains only the beginning of the body, for a person to read. */
  readonly cutReason?: string | undefined;
  /** The secrets that its client knows, which no display shows. */
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
   * The request as request text; placeholders or `•••` stand for secrets. A request that request text
   * cannot express exactly becomes a curl command, which a cell can run as well.
   */
  toHttp(): string;
  /** The exchange as plain data for `JSON.stringify`, without binary data and secrets. */
  toJSON(): unknown;
  /** The exchange as plain text. */
  toString(): string;
  /** The display of the exchange, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** All headers of a request as the server received them, the Host first. */
export function sentHeaders({
  headers,
  defaults = [],
}: Pick<SentRequest, "headers" | "defaults">): HeaderList {
  const isHost = ([name]: HeaderList[number]): boolean => name.toLowerCase() === "host";
  const others = defaults.filter((header) => !isHost(header));
  return [...defaults.filter(isHost), ...headers, ...others];
}
