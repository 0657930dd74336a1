import {
  type DisplayData,
  denoInspect,
  type Exchange,
  jupyterDisplay,
  nodeInspect,
} from "../../exchange/mod.ts";
import type { RequestSpec, ResolvedRequest, SendOptions } from "../../http/mod.ts";
import { CHAIN, type Chain, OWN_OBSERVER } from "../../http/mod.ts";
import { firstRequest, nextRequest } from "./page-request.ts";
import { PaginationError } from "./pagination-error.ts";
import { createPager, type PageStrategy } from "./strategy.ts";
import { valueAt } from "./value-at.ts";

/** Options of `client.paginate`. */
export interface PaginateOptions extends SendOptions {
  /** How many pages are fetched at most, 100 by default. */
  readonly maxPages?: number;
  /** How many items `items()` gives at most; no limit by default. */
  readonly maxItems?: number;
  /** Where the items are in an answer, as in a placeholder (`data.items`); found where it is left out. */
  readonly items?: string;
}

/** Why there are no further pages. */
export type PagesEnd = "end" | "max-pages" | "max-items" | "left" | "failed";

/**
 * Pages of a listing, fetched as they are asked for. A page that is not there is an error, so that
 * a listing is never taken for whole when it is not.
 */
export interface Pages extends AsyncIterable<Exchange> {
  /** The items of all pages, one by one. */
  // biome-ignore lint/suspicious/noExplicitAny: exploring an answer must not need casts
  items(): AsyncIterable<any>;
  /**
   * All pages, once they are there.
   *
   * @throws {PaginationError} One is not there; its `pages` are those before it.
   */
  all(): Promise<readonly Exchange[]>;
  /** How many pages have come. */
  readonly count: number;
  /** Why there are no further pages; `undefined` while there may be. */
  readonly ended: PagesEnd | undefined;
  /** How far it is, in a line. */
  toString(): string;
  /** How it looks, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** What paging needs of a client. */
export interface PagingAccess {
  send(request: string | RequestSpec, options: SendOptions): Promise<Exchange>;
  /** The URL of a request text, as it would be sent. */
  render(text: string): RequestSpec;
}

/** A request as it was before anything was added to it, and what was said of sending it. */
interface Sent {
  readonly request: ResolvedRequest;
  readonly options: SendOptions;
}

/** Fetches the pages of a listing as they are asked for. */
export function paginate(
  request: string | RequestSpec,
  strategy: PageStrategy,
  { maxPages = 100, maxItems = Infinity, items, ...options }: PaginateOptions,
  access: PagingAccess,
): Pages {
  createPager(strategy);
  let count = 0;
  let ended: PagesEnd | undefined;

  /** The first page fails as any request does; of a later one it is told that there were others. */
  async function fetchPage(
    next: string | RequestSpec,
    page: number,
    sendOptions: SendOptions,
  ): Promise<Exchange> {
    try {
      return await access.send(next, sendOptions);
    } catch (cause) {
      if (page === 1 || !(cause instanceof Error)) throw cause;
      throw new PaginationError(`Cannot fetch page ${page}: ${cause.message}`, page, { cause });
    }
  }

  async function* pages(): AsyncGenerator<Exchange, void, undefined> {
    const pager = createPager(strategy);
    const seen = new Set<string>();
    let sent: Sent | undefined;
    // A text may send others first, to which its request refers: the last one is its own.
    const onSending: Chain["onSending"] = (request, own) => {
      sent = { request, options: own };
    };
    let home: URL | undefined;
    let sendOptions: SendOptions = { ...options, ...{ [CHAIN]: { onSending } } };
    count = 0;
    ended = undefined;
    try {
      let next: string | RequestSpec | undefined = firstRequest(
        request,
        pager.first,
        access.render,
      );
      while (next !== undefined) {
        if (count >= maxPages) {
          ended = "max-pages";
          return;
        }
        const exchange: Exchange = await fetchPage(next, count + 1, sendOptions);
        if (home === undefined) {
          home = new URL(exchange.request.writtenUrl);
          // What a text says about sending holds for all pages, where it is saved to for the first.
          const own = { [CHAIN]: { home }, [OWN_OBSERVER]: undefined };
          sendOptions = { ...(sent?.options ?? options), ...own };
        }
        seen.add(exchange.request.url);
        count += 1;
        yield exchange;
        if (exchange.status >= 400) throw refused(exchange, count);
        const url = nextOf(() => pager.next(exchange, () => itemsIn(exchange, items)), count);
        if (url !== undefined && seen.has(url)) {
          throw new PaginationError(
            `Cannot go on after page ${count}: its next page "${url}" has come already`,
            count,
            { exchange },
          );
        }
        const first = sent?.request ?? exchange.request;
        next = url === undefined ? undefined : nextRequest(request, first, home, url);
      }
      ended = "end";
    } catch (error) {
      ended = "failed";
      throw error;
    } finally {
      ended ??= "left";
    }
  }

  function describe(): string {
    if (count === 0 && ended === undefined) {
      return "pages: none fetched yet; loop over it or over its items(), or await its all()";
    }
    return `pages: ${count} fetched, ${ended === undefined ? "there may be more" : `ended by "${ended}"`}`;
  }

  return {
    toString: describe,
    [jupyterDisplay]: () => ({ "text/plain": describe() }),
    ...{ [nodeInspect]: describe, [denoInspect]: describe },
    get count() {
      return count;
    },
    get ended() {
      return ended;
    },
    async *items() {
      let given = 0;
      for await (const exchange of pages()) {
        // Before its items are looked for: an error page has none, and its status says more.
        if (exchange.status >= 400) throw refused(exchange, count);
        for (const item of nextOf(() => itemsIn(exchange, items), count)) {
          if (given >= maxItems) {
            ended = "max-items";
            return;
          }
          given += 1;
          yield item;
        }
      }
    },
    async all() {
      const list: Exchange[] = [];
      try {
        for await (const exchange of pages()) list.push(exchange);
        return list;
      } catch (error) {
        if (!(error instanceof PaginationError)) throw error;
        const { message, page, exchange, cause } = error;
        const before = list.filter(({ status }) => status < 400);
        throw new PaginationError(message, page, { exchange, cause, pages: before });
      }
    },
    [Symbol.asyncIterator]: pages,
  };
}

function refused(exchange: Exchange, page: number): PaginationError {
  const { request, status, statusText } = exchange;
  const answer = `${status} ${statusText}`.trim();
  return new PaginationError(
    `Cannot read page ${page} of the listing: ${request.method} "${request.url}" was answered with ${answer}`,
    page,
    { exchange },
  );
}

function nextOf<T>(find: () => T, page: number): T {
  try {
    return find();
  } catch (cause) {
    const state = cause instanceof Error ? cause.message : String(cause);
    throw new PaginationError(`Cannot go on after page ${page}: ${state}`, page, { cause });
  }
}

/** The items of a page: at the path, or the body itself, or the only list in it. */
function itemsIn(exchange: Exchange, path: string | undefined): readonly unknown[] {
  const value: unknown = path === undefined ? exchange.json : valueAt(exchange, path);
  if (Array.isArray(value)) return value;
  if (path !== undefined) throw new TypeError(`"${path}" of the answer is not a list`);
  const lists = isObject(value) ? Object.entries(value).filter(([, it]) => Array.isArray(it)) : [];
  const [only, ...more] = lists;
  if (only && more.length === 0) return only[1] as readonly unknown[];
  const found = more.length === 0 ? "no list" : `lists in ${lists.map(([key]) => key).join(", ")}`;
  throw new TypeError(`the answer has ${found}: say where the items are, as in { items: "data" }`);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
