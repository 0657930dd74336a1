import type { AssertionResult } from "../assertions/mod.ts";
import type { VerifyRule } from "../json/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { ConnectionDetails, ResponseHead, StatusClass } from "./response-head.ts";

/** The method that returns how Jupyter displays a value; Deno's kernel calls it as well. */
export const jupyterDisplay: unique symbol = Symbol.for("Jupyter.display");

/** The display of a value, by media type. */
export interface DisplayData {
  /** Plain text, which every display has. */
  readonly "text/plain": string;
  /** Other forms, by media type. */
  readonly [mediaType: string]: unknown;
}

/**
 * What a program says of types that nobody has written. With `untyped: any`, as in cells, exploring a response needs no
 * casts: `declare module "restlab" { interface RestlabTypes { readonly untyped: any } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add to it
export interface RestlabTypes {}

/** What the data of a response is taken for until a call says what it is: `unknown`, unless {@link RestlabTypes} says otherwise. */
export type Untyped = RestlabTypes extends { readonly untyped: infer Type } ? Type : unknown;

/** Headers in the order in which they were sent, with repeated names. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request as it was first sent; redirects are in {@link Exchange.redirects}. */
export interface SentRequest {
  /** The name of `# @name login`. */
  readonly name?: string | undefined;
  /** The title of the line `### title` before it. */
  readonly title?: string | undefined;
  /** What `restlab verify` compares of the response, from `# @verify` and `# @ignore`. */
  readonly verify?: VerifyRule | undefined;
  /** The charset of the response, whatever its Content-Type says, from `# @charset` or the option `charset`. */
  readonly charset?: string | undefined;
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
  readonly defaults?: HeaderList | undefined;
  /** The body as written, compressed if asked to, or `undefined`. */
  readonly body: string | Uint8Array | undefined;
  /** The body before `compress` has compressed it. */
  readonly uncompressed?: string | Uint8Array | undefined;
  /** The size in bytes, and the file if there is one, of a body that was streamed and is not kept. */
  readonly streamed?:
    | { readonly size?: number | undefined; readonly path?: string | undefined }
    | undefined;
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
  /** Whether a recording or a mock answered it, so that nothing was sent. */
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
    readonly encoded?: number | undefined;
  };
}

/** A body that was written to a file while it arrived. */
export interface SavedBody {
  /** The file, named as in the request; another name if that was taken. */
  readonly path: string;
  /** The bytes that this response has added to it. */
  readonly bytes: number;
  /** The bytes that an earlier response had written before, if it was continued. */
  readonly offset?: number | undefined;
}

/**
 * A request and its response. An error status is not an exception.
 *
 * @typeParam Body What `json` is, as `client.send<Body>()` or a schema says.
 */
export interface Exchange<Body = Untyped> {
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
  readonly json: Body;
  /** The connection of the response, where the transport knows it. */
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
  /** How many times `# @retry 10 every 2s` has sent the request until this response; absent for once. */
  readonly tries?: number | undefined;
  /** Whether it has sent the request again, since the assertions of this response did not hold. */
  readonly isRepeated?: boolean | undefined;
  /** Whether `bytes` contains only the beginning of the body. */
  readonly cut: boolean;
  /** Why `bytes` contains only the beginning of the body, for a person to read. */
  readonly cutReason?: string | undefined;
  /** The file that has the body; `bytes` contains only its beginning then. */
  readonly saved?: SavedBody | undefined;
  /** The secrets that its client knows, which no display shows. */
  readonly secrets: readonly Secrets[];
  /**
   * Returns the exchange if its status is 200 to 299.
   *
   * @throws {StatusError} It is not.
   * @example
   * ```ts
   * const exchange = await client.send<{ name: string }>("GET http://127.0.0.1:8787/users/1");
   * const user = exchange.orThrow().json;
   * user.name; // "Ada Lovelace"
   * ```
   */
  orThrow(): this;
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
  const host: HeaderList[number][] = [];
  const others: HeaderList[number][] = [];
  for (const header of defaults) {
    (header[0].toLowerCase() === "host" ? host : others).push(header);
  }
  return [...host, ...headers, ...others];
}

/** Displays a value: an exchange, or the variables as an object. */
export type Show = (value: object) => DisplayData;

/** What the table of a value shows besides its rows. */
export interface RowsShape {
  /** The line above it. */
  readonly summary?: string;
  /** The columns that contain times or durations. */
  readonly times?: readonly string[];
}

/** Gives a value the display of a table, whose rows are created when it is displayed. */
export type ShowRows = <T extends object>(
  value: T,
  rows: () => readonly object[],
  shape: RowsShape,
) => T & ShownView;

/** The method that `console.log` of Node and Bun calls. */
export const nodeInspect: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** The method that `console.log` of Deno calls. */
export const denoInspect: unique symbol = Symbol.for("Deno.customInspect");

/** A part of an exchange that can be displayed. */
export type ExchangePart =
  | "request"
  | "headers"
  | "body"
  | "json"
  | "text"
  | "table"
  | "hex"
  | "html-preview";

/** Options of `client.show`. */
export interface ShowOptions {
  /** Whether to display its secrets as the result of a cell, whose output says so. */
  readonly reveal?: boolean | undefined;
}

/**
 * Which rows of a table are displayed: a function of the row; a text that one of its cells contains,
 * ignoring case; or for each column a value, a list of values, a pattern for its text, or a function.
 */
export type TableFilter =
  | string
  | ((row: Readonly<Record<string, unknown>>, index: number) => boolean)
  | { readonly [column: string]: unknown };

/** The shape of a table. A column is a key of the rows, or a path such as `address.city`. */
export interface TableShape {
  /** The columns, in order; all by default. */
  readonly columns?: readonly string[] | undefined;
  /** The maximum number of rows, 50 by default. */
  readonly rows?: number | undefined;
  /**
   * The columns to sort by, in order of precedence; a minus sign sorts in descending order. Numbers come
   * before dates before texts, and rows without a value last.
   */
  readonly sort?: string | readonly string[] | undefined;
  /** Reverses the order of all columns. */
  readonly descending?: boolean | undefined;
  /** Which rows are displayed. */
  readonly filter?: TableFilter | undefined;
}

/** A view of a value, which is displayed as the last value of a cell. */
export interface ShownView {
  /** The view as plain text. */
  toString(): string;
  /** The view, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** The members of a client that display values. */
export interface Views {
  /**
   * Displays one part of an exchange: the `request` (line, headers, body), the `headers` of both, the
   * `body` of the response (JSON indented), or the body as `json` (JupyterLab shows its tree), as
   * `text`, as a `table`, as `hex`, or as an `html-preview` in a frame without scripts and network.
   *
   * @throws {TypeError} There is no such part.
   */
  show(exchange: Exchange, part: ExchangePart, options?: ShowOptions): ShownView;
  /**
   * Displays a value as a table: an array of objects, of arrays or of scalars, a Map, an object of
   * objects, or the body of an exchange.
   *
   * @param value The value.
   * @param shape The rows and columns, and their order.
   * @throws {TypeError} An option is invalid.
   * @example
   * ```ts
   * const users = [{ id: 2, name: "Grace" }, { id: 1, name: "Ada" }];
   * String(client.table(users, { sort: "id", columns: ["name"] })); // "name\n─────\nAda\nGrace\n2 rows"
   * ```
   */
  table(value: unknown, shape?: TableShape): ShownView;
}

/** A request in flight. */
export interface PendingRequest {
  /** The method. */
  readonly method: string;
  /** The URL as written. */
  readonly url: string;
  /** When sending began. */
  readonly startedAt: Date;
  /** The timeout in milliseconds; absent if there is none. */
  readonly timeout?: number | undefined;
  /** Bytes of the body received so far, if its progress is observed. */
  readonly received?: number | undefined;
  /** Bytes of the whole body, if known. */
  readonly total?: number | undefined;
  /** Bytes of the request's body sent so far, if it is streamed. */
  readonly sent?: number | undefined;
  /** Bytes of the request's whole body, if it is streamed and they are known. */
  readonly toSend?: number | undefined;
  /** Whether it is a WebSocket that has been opened. */
  readonly isOpen?: boolean | undefined;
}

/** Whether no part of the response has arrived, as far as the progress is observed. */
export function isWaitedFor({ received = 0, isOpen = false }: PendingRequest): boolean {
  return received === 0 && !isOpen;
}

/** Describes a request without its query and user name, which may be credentials. */
export function describeRequest({ method, url }: Pick<PendingRequest, "method" | "url">): string {
  return `${method} ${url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//")}`;
}
