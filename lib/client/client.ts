import type {
  DisplayData,
  Exchange,
  jupyterDisplay,
  PendingRequest,
  Views,
} from "../exchange/mod.ts";
import type { Cookies, RenderTextOptions, RequestSpec, SendOptions } from "../http/mod.ts";
import type { Value } from "../interpolation/mod.ts";
import type { RenderedRequest } from "../request/mod.ts";
import type { Revealed, Secrets } from "../secrets/mod.ts";
import type { ScopedClient, SetVarOptions } from "../variables/mod.ts";
import type { ExtendOptions } from "./client-options.ts";
import type { TransferClient } from "./transfers.ts";

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
