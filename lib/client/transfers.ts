import {
  type Exchange,
  type HeaderList,
  type StreamItems,
  type StreamKind,
  UnsendableRequestError,
  type Untyped,
} from "../exchange/mod.ts";
import { excludeHeaders, type RequestInput, toHeaderList } from "../http/mod.ts";
import { createSocketSession, type SocketOptions, type SocketSession } from "../websocket/mod.ts";
import { type AllOptions, sendMany } from "./all.ts";
import type { ManyResults } from "./batch-results.ts";
import { asPartOfCall } from "./calls.ts";
import type { Client } from "./client.ts";
import type { ClientContext } from "./client-session.ts";
import { type DownloadOptions, saveBody } from "./download.ts";
import type { PageStrategy } from "./page-strategy.ts";
import { type Pages, type PaginateOptions, paginate } from "./paginate.ts";
import { openStream, type ResponseStream, type StreamOptions } from "./stream.ts";

/** The members of a client for streams, files, WebSockets and many requests. */
export interface TransferClient {
  /**
   * Sends a request and returns its response while it arrives: the events of an event stream, the lines
   * of JSON Lines, chunks of text or bytes, by its Content-Type or by `as`. Leaving the loop aborts the
   * request. The timeout applies until the body begins.
   *
   * @typeParam K How the body is split.
   * @typeParam Data What the `json` of events and lines is; it is not checked.
   * @param request A request text, a request as data, or what `fetch` takes.
   * @throws What {@link Client.send} throws, inside the loop.
   * @example
   * ```ts
   * const names = [];
   * for await (const { event, json } of client.stream("GET http://127.0.0.1:8787/events?count=2", { as: "events" })) {
   *   names.push(`${event} ${json.n}`);
   * }
   * names; // ["tick 1", "tick 2"]
   * ```
   */
  stream<K extends StreamKind = StreamKind, Data = Untyped>(
    request: RequestInput,
    options?: StreamOptions<K>,
  ): ResponseStream<StreamItems<Data>[K]>;
  /**
   * Sends a request and writes the body of its response to a file while it arrives; `onProgress` reports
   * the progress. The body of a response other than 200 to 299 is not written, but kept in the exchange.
   *
   * @param request A request text, a request as data, or what `fetch` takes.
   * @param path The file.
   * @throws {UnsendableRequestError} The client cannot write files.
   * @throws What {@link Client.send} and writing throw; no partial file remains.
   * @example
   * ```ts
   * const file = { path: "users.json", write: async () => {}, commit: async () => {}, discard: async () => {} };
   * const lab = createClient({ openFileForWriting: async () => file });
   * const exchange = await lab.download("GET http://127.0.0.1:8787/users", "users.json");
   * exchange.status; // 200
   * ```
   */
  download(request: RequestInput, path: string, options?: DownloadOptions): Promise<Exchange>;
  /**
   * Fetches the pages of a listing, each when it is asked for, up to `maxPages`.
   *
   * @param request The request of the first page.
   * @param strategy How to find the next page; by default `"link"`, the Link header (RFC 8288).
   * @throws {TypeError} The strategy is invalid.
   * @throws {PaginationError} In the loop: a page is missing.
   * @example
   * ```ts
   * const pages = client.paginate("GET http://127.0.0.1:8787/users?limit=4");
   * const names = [];
   * for await (const user of pages.items()) names.push(user.name);
   * pages.ended; // "end"
   * ```
   */
  paginate<Body = Untyped>(
    request: RequestInput,
    strategy?: PageStrategy,
    options?: PaginateOptions<Body>,
  ): Pages<Body>;
  /**
   * Sends many requests, some concurrently, and returns one result for each, in their order: a response,
   * a failure, or that it was not sent. The results are displayed as one table.
   *
   * @throws {TypeError} An option is invalid.
   * @example
   * ```ts
   * const ids = [1, 2, 999];
   * const results = await client.all(ids.map((id) => `GET http://127.0.0.1:8787/users/${id}`));
   * results.ok; // false
   * results.summary; // "3 requests: 2 ok, 1 with another status"
   * ```
   */
  all<Body = Untyped>(
    requests: Iterable<RequestInput>,
    options?: AllOptions<Body>,
  ): Promise<ManyResults<Body>>;
  /**
   * Opens a WebSocket (RFC 6455). A loop over it returns the messages of the server; an interrupt closes
   * it.
   *
   * @param url The URL, which may contain placeholders; `http` becomes `ws`, and `https` `wss`.
   * @throws {NoResponseError} The WebSocket cannot be opened.
   */
  websocket(url: string, options?: SocketOptions): Promise<SocketSession>;
}

/**
 * Creates the members of a client for streams, files, WebSockets and many requests.
 *
 * @param client Returns the client, by which they send.
 */
export function createTransfers(client: () => Client, context: ClientContext): TransferClient {
  const { session, options, http, showRows } = context;
  const send: Client["send"] = (request, sendOptions) => client().send(request, sendOptions);
  return {
    stream: (request, streamOptions = {}) => openStream(asPartOfCall(send), request, streamOptions),
    download: (request, path, { replace = false, resume, ...sendOptions } = {}) =>
      saveBody(context, { path, replace, resume }, sendOptions, (observed) =>
        send(request, observed),
      ),
    paginate: <Body>(
      request: RequestInput,
      strategy: PageStrategy = "link",
      pageOptions: PaginateOptions<Body> = {},
    ) =>
      paginate<Body>(
        request,
        strategy,
        pageOptions,
        asPartOfCall<Client["send"]>(send),
        session.secrets,
      ),
    all: (requests, allOptions = {}) => sendMany(requests, allOptions, asPartOfCall(send), context),
    async websocket(url, { headers, protocols = [], ...socketOptions } = {}) {
      session.inFlight.check();
      // The URL is rendered as the first line of a request text.
      if (/[\r\n]/.test(url)) {
        throw new UnsendableRequestError(
          `Cannot open the WebSocket "${url}": its URL contains a line break`,
        );
      }
      const rendered = client().render(`WEBSOCKET ${url}`);
      const own = toHeaderList(headers);
      const defaults = excludeHeaders(rendered.headers, own);
      const offered: HeaderList =
        protocols.length === 0 ? [] : [["Sec-WebSocket-Protocol", protocols.join(", ")]];
      const request = { url: rendered.url, headers: [...own, ...defaults, ...offered] };
      return await createSocketSession(request, socketOptions, { ...http, options, showRows });
    },
  };
}
