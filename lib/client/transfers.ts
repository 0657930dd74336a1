import type { Exchange, HeaderList, Show, StreamItems, StreamKind } from "../exchange/mod.ts";
import { UnsendableRequestError } from "../exchange/mod.ts";
import type { RequestSpec, SendOptions } from "../http/mod.ts";
import { toHeaderList } from "../http/mod.ts";
import type { SocketOptions, SocketRequest, SocketSession } from "../websocket/mod.ts";
import type { ManyResults, PageStrategy } from "./batch/mod.ts";
import {
  type AllOptions,
  type ManyAccess,
  type Pages,
  type PaginateOptions,
  paginate,
  sendMany,
} from "./batch/mod.ts";
import type { ClientOptions } from "./client-options.ts";
import {
  type DownloadOptions,
  openStream,
  type ResponseStream,
  type StreamOptions,
  saveBody,
} from "./stream/mod.ts";

/** What a client does beyond one answer at a time that is held in memory. */
export interface TransferClient {
  /**
   * Sends a request and hands out its answer while it comes: events of an event stream, lines of
   * JSON Lines, pieces of text or bytes, by its Content-Type or by `as`. Leaving the loop ends the
   * request. The time limit holds until the body begins.
   *
   * @param request A request text, or a request as data.
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
  stream<K extends StreamKind = StreamKind>(
    request: string | RequestSpec,
    options?: StreamOptions<K>,
  ): ResponseStream<StreamItems[K]>;
  /**
   * Sends a request and writes the body of its answer into a file as it comes; `onProgress` tells
   * how far it is. No partial file stays behind. Of an answer other than 200 to 299 nothing is
   * written: it is in the exchange.
   *
   * @param request A request text, or a request as data.
   * @param path The file.
   */
  download(
    request: string | RequestSpec,
    path: string,
    options?: DownloadOptions,
  ): Promise<Exchange>;
  /**
   * Fetches the pages of a listing one after the other, as they are asked for, up to `maxPages`.
   *
   * @param request The request of the first page.
   * @param strategy How a page leads to the next: `"link"` (Link header) where it is left out.
   * @throws {PaginationError} A page is not there; inside the loop, after those that came.
   * @example
   * ```ts
   * const pages = client.paginate("GET http://127.0.0.1:8787/users?limit=4");
   * const names = [];
   * for await (const user of pages.items()) names.push(user.name);
   * pages.ended; // "end"
   * ```
   */
  paginate(
    request: string | RequestSpec,
    strategy?: PageStrategy,
    options?: PaginateOptions,
  ): Pages;
  /**
   * Sends many requests, some at once, and gives one result for each, in their order: an answer, a
   * failure, or that it was not sent. It shows itself as one table.
   *
   * @example
   * ```ts
   * const ids = [1, 2, 999];
   * const results = await client.all(ids.map((id) => `GET http://127.0.0.1:8787/users/${id}`));
   * results.ok; // false
   * results.summary; // "3 requests: 2 ok, 1 with another status"
   * ```
   */
  all(requests: Iterable<string | RequestSpec>, options?: AllOptions): Promise<ManyResults>;
  /**
   * Opens a WebSocket. A loop over it gives the messages of the server; an interrupt closes it.
   *
   * @param url Its URL, which may hold placeholders; `http` becomes `ws`, and `https` `wss`.
   * @throws {NoResponseError} It does not open.
   */
  websocket(url: string, options?: SocketOptions): Promise<SocketSession>;
}

/** What these need of a client. */
export interface TransferAccess {
  readonly options: Pick<ClientOptions, "openFileForWriting" | "onManyProgress">;
  readonly show: Show;
  mask(text: string): string;
  /** @throws The reason for which the code that calls was ended. */
  check(): void;
  send(request: string | RequestSpec, options: SendOptions): Promise<Exchange>;
  openSocket(request: SocketRequest, options: SendOptions): Promise<SocketSession>;
  render(text: string): { readonly body?: unknown } & Omit<RequestSpec, "body">;
}

/** Creates the members of a client that are about streams and many requests. */
export function createTransfers(access: TransferAccess): TransferClient {
  const { options, send, show, mask, check } = access;
  const many: ManyAccess = { send, show, mask, check, onProgress: options.onManyProgress };
  return {
    stream: (request, streamOptions = {}) => openStream(send, request, streamOptions),
    download: (request, path, { replace = false, ...sendOptions } = {}) =>
      saveBody(options.openFileForWriting, { path, replace }, sendOptions, (watched) =>
        send(request, watched),
      ),
    paginate: (request, strategy = "link", pageOptions = {}) =>
      paginate(request, strategy, pageOptions, { send, render: renderSpec }),
    all: (requests, allOptions = {}) => sendMany(requests, allOptions, many),
    async websocket(url, { headers, protocols = [], ...socketOptions } = {}) {
      check();
      const rendered = access.render(`WEBSOCKET ${url}`);
      const own = toHeaderList(headers);
      const given = new Set(own.map(([name]) => name.toLowerCase()));
      const defaults = toHeaderList(rendered.headers).filter(
        ([name]) => !given.has(name.toLowerCase()),
      );
      const offered: HeaderList =
        protocols.length === 0 ? [] : [["Sec-WebSocket-Protocol", protocols.join(", ")]];
      const request = { url: rendered.url, headers: [...own, ...defaults, ...offered] };
      return await access.openSocket(request, socketOptions);
    },
  };

  function renderSpec(text: string): RequestSpec {
    const { method, url, headers, body } = access.render(text);
    if (body !== undefined && typeof body !== "string") {
      throw new UnsendableRequestError(
        `Cannot page through "${url}": its body is a file; give the request as data`,
      );
    }
    return {
      ...(method === undefined ? {} : { method }),
      url,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    };
  }
}
