import { type Exchange, messageOf } from "../../exchange/mod.ts";
import {
  CHAIN,
  type Chain,
  OWN_OBSERVER,
  type RequestSpec,
  type ResolvedRequest,
  type SendOptions,
} from "../../http/mod.ts";
import { firstRequest, nextRequest } from "./page-request.ts";
import { createPager, type PageStrategy } from "./page-strategy.ts";
import { PaginationError } from "./pagination-error.ts";

/** Why there are no further pages. */
export type PagesEnd = "end" | "max-pages" | "max-items" | "left" | "failed";

/** Sends a page, as {@link Client.send} does. */
export type SendPage = (request: string | RequestSpec, options: SendOptions) => Promise<Exchange>;

/** A listing to be fetched page by page. */
interface Listing {
  /** The request of the first page. */
  readonly request: string | RequestSpec;
  readonly strategy: PageStrategy;
  readonly maxPages: number;
  readonly options: SendOptions;
  readonly send: SendPage;
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
export async function* fetchPages(
  listing: Listing,
  progress: PagesProgress,
): AsyncGenerator<Exchange, void, undefined> {
  const pager = createPager(listing.strategy);
  const sender = createPageSender(listing, pager.first);
  const seen = new Set<string>();
  progress.count = 0;
  progress.ended = undefined;
  try {
    let next: string | RequestSpec | undefined = firstRequest(listing.request, pager.first);
    while (next !== undefined) {
      if (progress.count >= listing.maxPages) {
        progress.ended = "max-pages";
        return;
      }
      const page: number = progress.count + 1;
      const exchange: Exchange = await sender.send(next, page);
      seen.add(exchange.request.url);
      progress.count = page;
      yield exchange;
      refuseErrorStatus(exchange, page);
      const url = onPage(page, () => pager.next(exchange, () => listing.itemsOf(exchange)));
      if (url !== undefined && seen.has(url)) {
        throw pageError(page, `the next page "${url}" has already been fetched`, { exchange });
      }
      next = url === undefined ? undefined : onPage(page, () => sender.requestFor(url, exchange));
    }
    progress.ended = "end";
  } catch (error) {
    progress.ended = "failed";
    throw error;
  } finally {
    progress.ended ??= "left";
  }
}

/** Sends the pages of one listing, each with the same options as the first. */
interface PageSender {
  send(request: string | RequestSpec, page: number): Promise<Exchange>;
  /** The request of another page, made of that of the first. */
  requestFor(url: string, exchange: Exchange): RequestSpec;
}

function createPageSender(
  { request, options, send }: Listing,
  toFirst: Chain["toFirst"],
): PageSender {
  let first: { readonly request: ResolvedRequest; readonly options: SendOptions } | undefined;
  let home: URL | undefined;
  const onSending: Chain["onSending"] = (resolved, own) => {
    first = { request: resolved, options: own };
  };
  let sendOptions: SendOptions = { ...options, ...{ [CHAIN]: { onSending, toFirst } } };
  return {
    async send(next, page) {
      const exchange = await sendPage(send, next, page, sendOptions);
      if (home === undefined) {
        home = new URL(exchange.request.writtenUrl);
        // The annotations of a text apply to all its pages, but not the file it is saved to.
        const own = { [CHAIN]: { home }, [OWN_OBSERVER]: undefined };
        sendOptions = { ...(first?.options ?? options), ...own };
      }
      return exchange;
    },
    requestFor: (url, exchange) =>
      nextRequest(request, first?.request ?? exchange.request, home ?? new URL(url), url),
  };
}

/** The first page fails as any request does; the error of a later one names the page. */
async function sendPage(
  send: SendPage,
  request: string | RequestSpec,
  page: number,
  options: SendOptions,
): Promise<Exchange> {
  try {
    return await send(request, options);
  } catch (cause) {
    if (page === 1 || !(cause instanceof Error)) throw cause;
    throw new PaginationError(`Cannot fetch page ${page}: ${cause.message}`, page, { cause });
  }
}

/** @throws {PaginationError} The page has an error status. */
export function refuseErrorStatus(exchange: Exchange, page: number): void {
  const { request, status, statusText } = exchange;
  if (status < 400) return;
  throw new PaginationError(
    `Cannot read page ${page} of the listing: ${request.method} "${request.url}" returned ${`${status} ${statusText}`.trim()}`,
    page,
    { exchange },
  );
}

/** Reads something of a page; an error names the page. */
export function onPage<T>(page: number, read: () => T): T {
  try {
    return read();
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
