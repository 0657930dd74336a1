import {
  type DisplayData,
  denoInspect,
  type Exchange,
  jupyterDisplay,
  nodeInspect,
  type Untyped,
} from "../exchange/mod.ts";
import { nonNegative, type RequestInput, type SendOptions } from "../http/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import { asCall, asPartOfCall, loopOfCall } from "./calls.ts";
import {
  fetchPages,
  onPage,
  type PagesEnd,
  type PagesProgress,
  PaginationError,
  refuseErrorStatus,
  type SendPage,
} from "./fetch-pages.ts";
import { createPager, type PageStrategy, readPath } from "./page-strategy.ts";
import { checkSchema, checkValue, type SchemaOption } from "./standard-schema.ts";

/** Options of `client.paginate`. */
export interface PaginateOptions<Body = unknown> extends SendOptions, SchemaOption<Body> {
  /** The maximum number of pages to fetch, 100 by default. */
  readonly maxPages?: number | undefined;
  /** The maximum number of items that `items()` returns; unlimited by default. */
  readonly maxItems?: number | undefined;
  /** The path of the items in a response, as in a placeholder (`data.items`); found by default. */
  readonly items?: string | undefined;
}

/**
 * The pages of a listing, each fetched when it is asked for. A missing page is an error, so that a
 * listing never seems complete when it is not.
 *
 * @typeParam Body What the `json` of a page is.
 */
export interface Pages<Body = Untyped> extends AsyncIterable<Exchange<Body>> {
  /**
   * Iterates over the items of all pages.
   *
   * @typeParam Item What an item is: that of a schema is checked, any other is not.
   * @param options The schema of each item.
   * @throws {PaginationError} A page is missing, its items cannot be found, or one does not match the schema.
   */
  items<Item = Untyped>(options?: SchemaOption<Item>): AsyncIterable<Item>;
  /**
   * Fetches all pages.
   *
   * @throws {PaginationError} A page is missing; the `pages` of the error are those before it.
   */
  all(): Promise<readonly Exchange<Body>[]>;
  /** The number of pages fetched so far. */
  readonly count: number;
  /** Why there are no further pages; `undefined` while there may be some. */
  readonly ended: PagesEnd | undefined;
  /** The progress, in one line. */
  toString(): string;
  /** The progress, by media type. */
  [jupyterDisplay](): DisplayData;
}

/**
 * Fetches the pages of a listing, each when it is asked for.
 *
 * @param request The request of the first page.
 * @param strategy How to find the next page.
 * @throws {TypeError} The strategy or an option is invalid.
 */
export function paginate<Body>(
  request: RequestInput,
  strategy: PageStrategy,
  { maxPages = 100, maxItems = Infinity, items: path, ...options }: PaginateOptions<Body>,
  send: SendPage<Body>,
  secrets: Secrets,
): Pages<Body> {
  // What is invalid throws here, and not in the loop.
  createPager(strategy);
  nonNegative("maxPages", maxPages);
  nonNegative("maxItems", maxItems);
  const itemsOf = (exchange: Exchange): readonly unknown[] => itemsIn(exchange, path);
  const listing = { request, strategy, maxPages, options, send, itemsOf };
  const progress: PagesProgress = { count: 0, ended: undefined };
  const pages = loopOfCall(() => fetchPages(listing, progress), secrets);
  const items = loopOfCall(async function* (itemOptions: SchemaOption = {}) {
    const { schema } = itemOptions;
    let count = 0;
    try {
      for await (const exchange of pages()) {
        // The items of an error page would be missing, which says less than its status.
        refuseErrorStatus(exchange, progress.count);
        const page = progress.count;
        for (const item of await onPage(page, () => itemsOf(exchange))) {
          if (count >= maxItems) {
            progress.ended = "max-items";
            return;
          }
          count += 1;
          const what = `Item ${count} of the listing, on page ${page},`;
          yield schema === undefined ? item : await checkValue(item, what, exchange, schema);
        }
      }
    } catch (error) {
      progress.ended = "failed";
      throw error;
    }
  }, secrets);
  const describe = (): string => describeProgress(progress);
  return {
    toString: describe,
    [jupyterDisplay]: () => ({ "text/plain": describe() }),
    ...{ [nodeInspect]: describe, [denoInspect]: describe },
    get count() {
      return progress.count;
    },
    get ended() {
      return progress.ended;
    },
    items<Item>(itemOptions?: SchemaOption<Item>) {
      checkSchema(itemOptions?.schema);
      return items(itemOptions) as AsyncIterable<Item>;
    },
    all: asPartOfCall(asCall(() => collect(pages()), secrets)),
    [Symbol.asyncIterator]: () => pages(),
  };
}

function describeProgress({ count, ended }: PagesProgress): string {
  if (count === 0 && ended === undefined) {
    return "pages: none fetched yet; loop over it or over its items(), or await its all()";
  }
  return `pages: ${count} fetched, ${ended === undefined ? "there may be more" : `ended by "${ended}"`}`;
}

async function collect<Body>(
  pages: AsyncIterable<Exchange<Body>>,
): Promise<readonly Exchange<Body>[]> {
  const list: Exchange<Body>[] = [];
  try {
    for await (const exchange of pages) list.push(exchange);
    return list;
  } catch (error) {
    if (!(error instanceof PaginationError)) throw error;
    const { message, page, exchange, cause } = error;
    const before = list.filter(({ status }) => status < 400);
    throw new PaginationError(message, page, { exchange, cause, pages: before });
  }
}

/**
 * Finds the items of a page: at the path, or the body itself, or the only list in it.
 *
 * @param path As in a placeholder, for example `data.items`.
 * @throws {TypeError} There is no list, or more than one.
 */
function itemsIn(exchange: Exchange, path: string | undefined): readonly unknown[] {
  const value: unknown = path === undefined ? exchange.json : readPath(exchange, path);
  if (Array.isArray(value)) return value;
  if (path !== undefined) throw new TypeError(`"${path}" of the response is not a list`);
  const lists = Object.entries(Object(value)).filter(([, it]) => Array.isArray(it));
  const [only, ...more] = lists;
  if (only && more.length === 0) return only[1] as readonly unknown[];
  const found = more.length === 0 ? "no list" : `lists in ${lists.map(([key]) => key).join(", ")}`;
  throw new TypeError(
    `the response has ${found}: set the option items to the path of the list, such as "data"`,
  );
}
