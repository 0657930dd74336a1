import type { AssertionResult, LimitTime } from "../assertions/mod.ts";
import type {
  DisplayData,
  Exchange,
  jupyterDisplay,
  PendingRequest,
  Untyped,
  Views,
} from "../exchange/mod.ts";
import type { OpenGrowingFile, Recorder } from "../har/mod.ts";
import type {
  Cookies,
  DefaultHeaders,
  HttpOptions,
  ReachingOptions,
  RenderTextOptions,
  RequestInput,
  SendOptions,
  TransportOptions,
} from "../http/mod.ts";
import type { Value } from "../interpolation/mod.ts";
import type { ParsedText, RenderedRequest } from "../request/mod.ts";
import type { Revealed, Secrets } from "../secrets/mod.ts";
import type { ScopedClient, ScopeOptions, SecretSource, SetVarOptions } from "../variables/mod.ts";
import type { WebSocketOptions } from "../websocket/mod.ts";
import type { ManyProgress } from "./all.ts";
import type { OpenFileForWriting } from "./download.ts";
import type { AssertOptions } from "./request-checks.ts";
import type { SchemaOption } from "./standard-schema.ts";
import type { TransferClient } from "./transfers.ts";

/**
 * A client: variables, requests that are rendered with them, and their responses.
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
  /**
   * A live view of the variables that were set, of those of the environment and of those of TypeScript cells, which
   * a display marks; values are copies.
   */
  readonly vars: ReadonlyMap<string, Value>;
  /** The known secrets, which no display shows. */
  readonly secrets: Secrets;
  /** The latest exchange. Reading it before there is one throws an `Error`. */
  readonly last: Exchange;
  /**
   * The latest exchanges, oldest first, bounded by count and by bytes. As the result of a cell, it is a
   * table of method, URL, status, time and size, newest first.
   */
  readonly history: readonly Exchange[];
  /** The requests in flight. */
  readonly pending: readonly PendingRequest[];

  /**
   * Sets a variable to a copy of a value.
   *
   * @throws {TypeError} The value cannot be rendered (a function, NaN, a cycle …), or no placeholder can
   * name the variable.
   */
  setVar(name: string, value: unknown, options?: SetVarOptions): void;
  /** Returns a copy of a variable, or `undefined`. */
  getVar<T = Untyped>(name: string): T | undefined;
  /** Whether there is a variable with that name. */
  hasVar(name: string): boolean;
  /** Removes a variable that was set; returns whether there was one. */
  deleteVar(name: string): boolean;
  /** Removes all variables that were set; those of the environment stay. */
  clearVars(): void;
  /** Removes all exchanges, including `last` and those of named requests. */
  clearHistory(): void;

  /**
   * Renders a request text without sending it or setting variables. Of several requests, returns the
   * last one.
   *
   * @throws {RequestSyntaxError} The text is not a request.
   * @throws {TemplateSyntaxError} A placeholder is broken.
   * @throws {UnresolvedPlaceholderError} A placeholder has no value.
   * @throws {InvalidHeaderError} A header value contains a line break or NUL.
   */
  render(text: string, options?: RenderTextOptions): RenderedRequest;
  /** Renders all requests of a text, as {@link Client.render} does. */
  renderAll(text: string, options?: RenderTextOptions): RenderedRequest[];
  /**
   * Sends a request and returns its exchange; of a text with several requests, the last one. An error
   * status does not throw. The request has the values of the moment of the call, unless it has to wait before: for a
   * script, an answer, a file that it imports, another request.
   *
   * @typeParam Body What the `json` of the exchange is: that of a schema is checked, any other is not.
   * @param request A request text, a request as data, or what `fetch` takes.
   * @throws {NoResponseError} There is no complete response.
   * @throws {SchemaError} The body does not match the `schema`.
   * @throws {UnsendableRequestError} The request cannot be sent over fetch.
   * @throws What {@link Client.render} throws; then nothing was sent.
   * @example
   * ```ts
   * const { json } = await client.send<{ name: string }>("GET http://127.0.0.1:8787/users/1");
   * json.name; // "Ada Lovelace"
   * ```
   */
  send<Body = Untyped>(
    request: RequestInput,
    options?: SendOptions & SchemaOption<Body>,
  ): Promise<Exchange<Body>>;
  /**
   * Sends all requests of a text, one after the other, and sets its `@name = value` variables. The whole
   * text is checked before the first request is sent.
   *
   * @param text A request text, or one that {@link readText} has parsed, which is not parsed again.
   * @throws What {@link Client.send} throws; the requests before one without a response have been sent.
   */
  sendAll(text: string | ParsedText, options?: SendOptions): Promise<Exchange[]>;
  /**
   * Evaluates assertions without a request against the latest exchange, which stays as it is.
   *
   * @param text Lines such as `?? status == 404`.
   * @returns The results, also of those that failed.
   * @throws {RequestSyntaxError} A line is not an assertion.
   * @throws {Error} No request has been answered yet.
   * @example
   * ```ts
   * await client.send("GET http://127.0.0.1:8787/users");
   * const results = await client.evaluateAssertions("?? status == 200\n?? body length == 3");
   * results.map(({ passed }) => passed); // [true, false]
   * ```
   */
  evaluateAssertions(text: string, options?: AssertOptions): Promise<readonly AssertionResult[]>;
  /**
   * Marks a value to be displayed with its secrets as the result of a cell, whose output says so. All
   * other displays are unaffected.
   *
   * @param value The value to display; by default the latest exchange.
   */
  reveal(value?: unknown): Revealed;
  /** The cookies that responses have set; they are sent with matching requests. */
  readonly cookies: Cookies;
  /** Removes the tokens of OAuth 2, so that the next request gets new ones; returns their number. */
  clearTokens(): number;
  /**
   * Returns the same client with other defaults: variables, responses, history, cookies, tokens and
   * secrets are shared, and `abort` aborts the requests of both. Headers are added to those of the
   * client; every other option replaces its own.
   *
   * @throws {TypeError} An option is invalid.
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
  /**
   * Records every exchange from now on to a HAR file, without secrets, until its `stop` is called or the
   * session ends. The file exists under its name from then on, and replaces an earlier one.
   *
   * @throws {UnsendableRequestError} The client cannot write files.
   * @throws {Error} The file cannot be written.
   * @example
   * ```ts
   * const file = { path: "users.har", append: () => {}, commit: () => {}, discard: () => {} };
   * const lab = createClient({ openGrowingFile: () => file });
   * const recorder = await lab.record("users.har");
   * await lab.send("GET http://127.0.0.1:8787/users/1");
   * recorder.stop();
   * recorder.count; // 1
   * ```
   */
  record(path: string): Promise<Recorder>;
  /** Aborts all requests in flight; returns their number. */
  abort(reason?: unknown): number;
  /** A summary, in one line. */
  toString(): string;
  /** The summary, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** Options of {@link createClient}. */
export interface ClientOptions extends HttpOptions, ScopeOptions, WebSocketOptions {
  /** The clock of generated values and signatures. */
  readonly now?: (() => Date) | undefined;
  /**
   * The URL below which those of requests are that have no scheme: `/users` in a text, and `users` and `/users` as data.
   * In a text a Host header and the variables `host` and `base` take precedence.
   */
  readonly baseUrl?: string | URL | undefined;
  /** Headers of every request that does not set them itself; a function is called for each request. */
  readonly headers?: DefaultHeaders | undefined;
  /**
   * Names whose values are secrets, instead of {@link SECRET_NAMES}: `[...SECRET_NAMES, "pin"]` adds
   * one; with an empty list, only variables that are set as secret are secrets.
   */
  readonly secretNames?: readonly string[] | undefined;
  /**
   * Fetches the secrets that references such as `op://Private/api/token` name, when a request that uses one is sent;
   * `platform` of `restlab/platform` has one that asks the programs of this machine. Without it, a reference is an
   * error where it is used.
   *
   @see {@link createSecretSource}, which makes another one.
   */
  readonly secretSource?: SecretSource | undefined;
  /** Opens the file of a download; without it, downloads are refused. */
  readonly openFileForWriting?: OpenFileForWriting | undefined;
  /** Opens the file of `record`; without it, recordings are refused. */
  readonly openGrowingFile?: OpenGrowingFile | undefined;
  /**
   * Called with each exchange, also those of clients that extend this one, and those of logins, which are
   * not in the history.
   */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /**
   * Returns the signal that ends the running code, if several programs share a client: requests in flight
   * end with the code that sent them, which then sends no more.
   */
  readonly owner?: (() => AbortSignal | undefined) | undefined;
  /**
   * Called with each request that is sent, by the code that sends it, for front ends that show how long a request has
   * been waiting. What it returns is called when the request has ended.
   */
  readonly onPending?: ((request: PendingRequest) => (() => void) | undefined) | undefined;
  /**
   * Ends the regular expressions of assertions that backtrack without end; without it, they take as long as they do.
   */
  readonly limitTime?: LimitTime | undefined;
  /** Called during `all`, for front ends that show the progress. */
  readonly onManyProgress?: ((progress: ManyProgress) => void) | undefined;
  /** How many exchanges `history` keeps, 100 by default. */
  readonly historyCount?: number | undefined;
  /** How many bytes of bodies `history` keeps, 64 MiB by default; the last exchange always stays. */
  readonly historyBytes?: number | undefined;
}

/** Options of {@link Client.extend}. */
export type ExtendOptions = TransportOptions &
  ReachingOptions &
  Pick<ClientOptions, "baseUrl" | "headers" | "fetch" | "ky" | "readFile" | "openFile">;
