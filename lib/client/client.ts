import type { BodySource } from "../bodies/mod.ts";
import type { Cookies } from "../cookies/mod.ts";
import type { Value } from "../interpolation/mod.ts";
import type { RenderedRequest } from "../request/mod.ts";
import type { Revealed, Secrets } from "../secrets/mod.ts";
import type { ArrivalHooks } from "./arrival/hooks.ts";
import type { DisplayData, Exchange, jupyterDisplay } from "./exchange.ts";
import type { ManyProgress } from "./many/all.ts";
import type { ReachingOptions, SendingOptions } from "./outgoing-options.ts";
import type { HeadersInput, RequestSpec } from "./request-spec.ts";
import type { RetryOptions } from "./retry.ts";
import type { ScopedClient } from "./scopes-client.ts";
import type { ScopeOptions } from "./scopes-options.ts";
import type { OpenWebSocket } from "./sockets/web-socket.ts";
import type { OpenFileForWriting } from "./streams/download.ts";
import type { TransferClient } from "./transfers.ts";
import type { SetVarOptions } from "./variables.ts";
import type { Views } from "./views.ts";

/** What a client and each of its requests may be given. */
export interface TransportOptions {
  /** Milliseconds for a whole request, its redirects and body included; 0 for no limit. 30,000 by default. */
  readonly timeout?: number;
  /** `follow` by default; `manual` gives the 3xx itself; `error` makes it a {@link NoResponseError}. */
  readonly redirect?: "follow" | "manual" | "error";
  /** How many redirects are followed, 20 by default. */
  readonly maxRedirects?: number;
  /** How many bytes of a body are read, after decompression; 256 MiB by default. */
  readonly maxBodyBytes?: number;
  /**
   * How often a request is tried again after a failure or a 408, 413, 429, 500, 502, 503, 504, with
   * growing waits; 0 by default. `Retry-After` is waited for.
   */
  readonly retry?: number | RetryOptions;
}

/** Options of {@link createClient}. */
export interface ClientOptions extends TransportOptions, ScopeOptions, ReachingOptions {
  /** Headers for every request that does not write them itself. */
  readonly headers?: HeadersInput;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Reads the file of a body such as `< users.json`; without it such bodies are refused. */
  readonly readFile?: (path: string) => Promise<Uint8Array>;
  /**
   * Opens the file of a body to be streamed, a `Blob` for example; files above 1 MiB are not held in
   * memory then.
   */
  readonly openFile?: (path: string) => Promise<BodySource>;
  /**
   * Names whose values are secrets, in plain words, in the place of {@link SECRET_NAMES}:
   * `[...SECRET_NAMES, "pin"]` adds one, an empty list leaves only what is told.
   */
  readonly secretNames?: readonly string[];
  /** Opens the file of a download; without it downloads are refused. */
  readonly openFileForWriting?: OpenFileForWriting;
  /** Opens WebSockets in the place of the global constructor, which Node 20 does not have. */
  readonly openWebSocket?: OpenWebSocket;
  /** Called while `all` is at work, for front ends that show how far it is. */
  readonly onManyProgress?: (progress: ManyProgress) => void;
  /** How many exchanges `history` keeps, 100 by default. */
  readonly historyCount?: number;
  /** How many bytes of bodies `history` keeps, 64 MiB by default; the last exchange always stays. */
  readonly historyBytes?: number;
}

/** What `extend` may change. */
export type ExtendOptions = TransportOptions &
  ReachingOptions &
  Pick<ClientOptions, "headers" | "fetch" | "readFile" | "openFile">;

/** Options of rendering. */
export interface RenderTextOptions {
  /** `keep` leaves placeholders without a value as they stand; `error` is the default. */
  readonly missing?: "error" | "keep";
}

/** Options of one `send`; they go before those of the client. */
export interface SendOptions
  extends TransportOptions,
    RenderTextOptions,
    ArrivalHooks,
    SendingOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds without a message after which a WebSocket request with messages ends; 2,000 by
   * default.
   */
  readonly quiet?: number;
  /**
   * Shows the answer with the secrets in it where it is the result of a cell, whose output says so;
   * `last` and `history` are shown as ever.
   */
  readonly reveal?: boolean;
  /** Called with each exchange as it comes, where a text holds several requests. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A request that is on its way. */
export interface PendingRequest {
  /** Its method. */
  readonly method: string;
  /** Its URL as it was written. */
  readonly url: string;
  /** When it began. */
  readonly startedAt: Date;
  /** Bytes of the body that have come, where somebody watches. */
  readonly received?: number;
  /** Bytes of the body that there will be, where that is known. */
  readonly total?: number;
}

/**
 * A client: variables, requests rendered with them, and what came back.
 *
 * @example
 * ```ts
 * const lab = createClient({ timeout: 5_000 });
 * lab.setVar("page", { limit: 2 });
 * lab.render("GET http://localhost/users?limit={{page.limit}}").url; // "http://localhost/users?limit=2"
 * ```
 */
export interface Client extends ScopedClient, TransferClient, Views {
  /** The version of restlab. */
  readonly version: string;
  /** The variables that were set and those of the environment, live; their values are copies. */
  readonly vars: ReadonlyMap<string, Value>;
  /** What it knows to be secret, which nothing that is shown may hold. */
  readonly secrets: Secrets;
  /** The latest exchange. Reading it before there is one throws an `Error` that says so. */
  readonly last: Exchange;
  /** The latest exchanges, oldest first, bounded by count and by bytes. */
  readonly history: readonly Exchange[];
  /** The requests that are on their way. */
  readonly pending: readonly PendingRequest[];

  /**
   * Stores a copy of a value under a name.
   *
   * @throws {TypeError} The value has no rendering (functions, NaN, cycles …), or no placeholder
   * could reach the name.
   */
  setVar(name: string, value: unknown, options?: SetVarOptions): void;
  /** Gives a copy of a variable, or `undefined`. */
  // biome-ignore lint/suspicious/noExplicitAny: exploring a value must not need casts
  getVar(name: string): any;
  /** Says whether there is a variable of that name. */
  hasVar(name: string): boolean;
  /** Removes a variable that was set, and says whether there was one. */
  deleteVar(name: string): boolean;
  /** Removes all variables that were set; those of the environment stay. */
  clearVars(): void;
  /** Forgets all exchanges, `last` and the answers of named requests included. */
  clearHistory(): void;

  /**
   * Renders a request text: what would be sent, nothing sent, no variable set. Of several requests
   * it gives the last one.
   *
   * @throws {RequestSyntaxError} The text is no request.
   * @throws {TemplateSyntaxError} A placeholder is broken.
   * @throws {UnresolvedPlaceholderError} A placeholder has no value.
   * @throws {InvalidHeaderError} A value would break out of its header.
   */
  render(text: string, options?: RenderTextOptions): RenderedRequest;
  /** Renders all requests of a text, as {@link Client.render} does. */
  renderAll(text: string, options?: RenderTextOptions): RenderedRequest[];
  /**
   * Sends a request and gives its exchange; of a text with several requests the last one. No
   * status is an error.
   *
   * @param request A request text, or a request as data.
   * @throws {NoResponseError} No whole response came.
   * @throws {UnsendableRequestError} The request cannot be sent over fetch; it says why.
   * @throws What {@link Client.render} throws; then nothing was sent.
   */
  send(request: string | RequestSpec, options?: SendOptions): Promise<Exchange>;
  /**
   * Sends all requests of a text, one after the other, and sets its `@name = value` variables on
   * the way. The whole text is parsed before the first is sent.
   */
  sendAll(text: string, options?: SendOptions): Promise<Exchange[]>;
  /**
   * Marks a value to be shown with the secrets in it: as the result of one cell, whose output says
   * so. Nothing else is shown otherwise than before.
   *
   * @param value What is to be shown; the latest exchange where it is left out.
   */
  reveal(value?: unknown): Revealed;
  /** The cookies that answers have set; they are sent along where they belong. */
  readonly cookies: Cookies;
  /** Forgets the tokens of OAuth 2, so that the next request gets new ones; says how many. */
  clearTokens(): number;
  /**
   * Gives the same client with other defaults: variables, answers, history, cookies, tokens and
   * secrets are shared, and `abort` reaches the requests of both. Headers are added to those of the
   * client; each other option takes the place of its own.
   *
   * @throws {TypeError} An option is not what it should be.
   * @example
   * ```ts
   * const lab = createClient();
   * const api = lab.extend({ headers: { Accept: "application/json" }, timeout: 5_000 });
   * lab.setVar("id", 7);
   * api.render("GET http://localhost/users/{{id}}").headers; // [["Accept", "application/json"]]
   * lab.render("GET http://localhost/users/{{id}}").headers; // []
   * ```
   */
  extend(defaults: ExtendOptions): Client;
  /** Aborts everything on its way, and says how many requests that were. */
  abort(reason?: unknown): number;
  /** What there is in it, in a line. */
  toString(): string;
  /** How the client looks, by media type. */
  [jupyterDisplay](): DisplayData;
}
