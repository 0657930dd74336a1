import { describeResponse, type Exchange, UnsendableRequestError } from "../exchange/mod.ts";
import {
  CHAIN,
  type Chain,
  type ChainedOptions,
  isOwnOrigin,
  OWN_OBSERVER,
  type RequestInput,
  type RequestSpec,
  type ResolvedRequest,
  readInput,
  type SendOptions,
  withoutParts,
} from "../http/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import { createPager, type PageStrategy } from "./page-strategy.ts";

/** Why there are no further pages. */
export type PagesEnd = "end" | "max-pages" | "max-items" | "left" | "failed";

/** Sends a page, as {@link Client.send} does. */
export type SendPage<Body> = (
  request: RequestInput,
  options: SendOptions,
) => Promise<Exchange<Body>>;

/** A listing to be fetched page by page. */
interface Listing<Body> {
  /** The request of the first page. */
  readonly request: RequestInput;
  readonly strategy: PageStrategy;
  readonly maxPages: number;
  readonly options: SendOptions;
  readonly send: SendPage<Body>;
  /** @throws The items of the page cannot be found. */
  itemsOf(exchange: Exchange): readonly unknown[];
}

/** How far a listing has been fetched. */
export interface PagesProgress {
  count: number;
  ended: PagesEnd | undefined;
}

/**
 * Fetches the pages of a listing, each when it is asked for.
 *
 * @param progress Updated while the pages are fetched.
 * @throws {PaginationError} A page cannot be fetched, has an error status, or repeats.
 */
export async function* fetchPages<Body>(
  listing: Listing<Body>,
  progress: PagesProgress,
): AsyncGenerator<Exchange<Body>, void, undefined> {
  const { send, maxPages } = listing;
  const [request, options] = await readInput(listing.request, listing.options);
  const pager = createPager(listing.strategy);
  const seen = new Set<string>();
  let first: { readonly request: ResolvedRequest; readonly options: SendOptions } | undefined;
  let home: URL | undefined;
  const onSending: Chain["onSending"] = (resolved, own) => {
    first = { request: resolved, options: own };
  };
  let sendOptions: SendOptions = {
    ...options,
    ...{ [CHAIN]: { onSending, toFirst: pager.first } },
  };
  // The URL of a text is changed when it has been rendered.
  let next: string | RequestSpec | undefined =
    typeof request === "object" ? { ...request, url: pager.first(String(request.url)) } : request;
  progress.count = 0;
  progress.ended = undefined;
  try {
    while (next !== undefined) {
      if (progress.count >= maxPages) {
        progress.ended = "max-pages";
        return;
      }
      const page: number = progress.count + 1;
      const exchange: Exchange<Body> = await sendPage(send, next, page, sendOptions);
      if (home === undefined) {
        home = new URL(exchange.request.writtenUrl);
        sendOptions = optionsOfPages(first?.options ?? options, home);
      }
      seen.add(exchange.request.url);
      progress.count = page;
      yield exchange;
      refuseErrorStatus(exchange, page);
      if (exchange.cut && options.keepBytes === undefined) {
        throw pageError(page, `it is incomplete: ${exchange.cutReason ?? "its body was cut"}`, {
          exchange,
        });
      }
      const url = await onPage(page, () => pager.next(exchange, () => listing.itemsOf(exchange)));
      if (url !== undefined && seen.has(url)) {
        throw pageError(page, `the next page "${url}" has already been fetched`, { exchange });
      }
      const from: Resent = first?.request ?? exchange.request;
      const start = home;
      next =
        url === undefined
          ? undefined
          : await onPage(page, () => nextRequest(request, from, start, url));
    }
    progress.ended = "end";
  } catch (error) {
    progress.ended = "failed";
    throw error;
  } finally {
    progress.ended ??= "left";
  }
}

/** The first page fails as any request does; the error of a later one names the page. */
async function sendPage<Body>(
  send: SendPage<Body>,
  request: string | RequestSpec,
  page: number,
  options: SendOptions,
): Promise<Exchange<Body>> {
  try {
    return await send(request, options);
  } catch (cause) {
    if (page === 1 || !(cause instanceof Error)) throw cause;
    throw new PaginationError(`Cannot fetch page ${page}: ${cause.message}`, page, { cause });
  }
}

/** @throws {PaginationError} The page has an error status. */
export function refuseErrorStatus(exchange: Exchange, page: number): void {
  if (exchange.status < 400) return;
  throw new PaginationError(
    `Cannot read page ${page} of the listing: ${describeResponse(exchange)}`,
    page,
    { exchange },
  );
}

/** Reads something of a page; an error names the page. */
export async function onPage<T>(page: number, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw pageError(page, messageOf(cause), { cause });
  }
}

function pageError(
  page: number,
  state: string,
  details: ConstructorParameters<typeof PaginationError>[2],
): PaginationError {
  return new PaginationError(`Cannot continue after page ${page}: ${state}`, page, details);
}

/** The annotations and assertions of a text apply to all its pages, but not the file it is saved to. */
function optionsOfPages(options: SendOptions, home: URL): SendOptions {
  const { [CHAIN]: chain, ...shared }: SendOptions & ChainedOptions = options;
  return {
    ...withoutParts(shared),
    ...{ [CHAIN]: { home, check: chain?.check }, [OWN_OBSERVER]: undefined },
  };
}

/** What is sent again of the request of the first page. */
type Resent = Pick<ResolvedRequest, "method" | "headers" | "body">;

/**
 * The request of another page: that of the first page with another URL. Credentials and cookies, which
 * were added to the first when it was sent, are added to this one again, as far as its origin allows.
 */
function nextRequest(
  request: string | RequestSpec,
  { method, headers, body }: Resent,
  home: URL,
  to: string,
): RequestSpec {
  const url = new URL(to);
  const isHome = isOwnOrigin(url, home);
  if (isHome && url.username === "" && url.password === "") {
    url.username = home.username;
    url.password = home.password;
  }
  if (typeof request === "object") {
    const { query, ...rest } = request;
    // Query fields may contain an API key, which is only for the origin of the first page.
    return { ...rest, url: url.href, ...(isHome && query !== undefined ? { query } : {}) };
  }
  if (typeof body === "object" && !(body instanceof Uint8Array)) {
    throw new UnsendableRequestError("its body is a file; pass the request as data");
  }
  return { method, url: url.href, headers, body };
}

/**
 * A page of a listing could not be fetched. The loop has returned the pages before it; with `all()`, they
 * are in `pages`.
 *
 * @example
 * ```ts
 * const pages = client.paginate("GET http://127.0.0.1:8787/users?limit=6", ({ headers }) =>
 *   headers.get("link")?.includes("offset=6") ? "/status/503" : undefined,
 * );
 * const error = await pages.all().catch((thrown) => thrown);
 * error.pages.map(({ json }) => json.length); // [6]
 * [error.page, error.exchange.status]; // [2, 503]
 * ```
 */
export class PaginationError extends Error {
  /** Always `PaginationError`. */
  override readonly name = "PaginationError";
  /** The number of the page, from 1. */
  readonly page: number;
  /** The error response, if there was one. */
  declare readonly exchange?: Exchange | undefined;
  /** The pages before it, if `all()` collected them. */
  readonly pages: readonly Exchange[];

  /**
   * Creates the error.
   *
   * @param message What is wrong with which page.
   * @param page The number of the page, from 1.
   * @param details The response, the cause, and the pages before.
   */
  constructor(
    message: string,
    page: number,
    details: {
      readonly exchange?: Exchange | undefined;
      readonly cause?: unknown;
      readonly pages?: readonly Exchange[] | undefined;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.page = page;
    this.pages = details.pages ?? [];
    if (details.exchange) this.exchange = details.exchange;
  }
}
