import type { Exchange } from "../exchange/mod.ts";
import { isNumberText, parsePath, type Value, valueAt } from "../interpolation/mod.ts";

/** How the next page of a listing is found. */
export type PageStrategy =
  /** By the `Link` header (RFC 8288); `link` for short. */
  | "link"
  | { readonly by: "link"; readonly rel?: string | undefined }
  /**
   * By a value in the response: `path` is its path as in a placeholder (`paging.next`), and the value
   * is set as the query parameter `parameter`. Without `parameter`, it is the URL of the next page.
   */
  | { readonly by: "cursor"; readonly path: string; readonly parameter?: string | undefined }
  /**
   * By counting items: `parameter` (`offset`) grows by the number of items received. The last page
   * reaches the total, if the response has one, or is shorter than the first.
   */
  | {
      readonly by: "offset";
      readonly size: number;
      readonly parameter?: string | undefined;
      /** The query parameter of `size` (`limit`); `false` for none. */
      readonly sizeParameter?: string | false | undefined;
      readonly start?: number | undefined;
      /** The path of the total number of items (`meta.total`); by default, headers are read. */
      readonly total?: string | undefined;
    }
  /**
   * By counting pages: `parameter` (`page`) grows by one from `start` (1). The last page reaches the
   * total, as above, or is empty.
   */
  | {
      readonly by: "page";
      readonly parameter?: string | undefined;
      readonly start?: number | undefined;
      readonly total?: string | undefined;
    }
  /** By a function: the URL of the next page, or `undefined` after the last one. */
  | ((exchange: Exchange) => string | URL | undefined);

/** A strategy in use. */
interface Pager {
  /** The URL of the first page, made of the requested one. */
  first(url: string): string;
  /** The URL of the next page, if there is one. `itemsOf` returns the items of the page, or throws. */
  next(
    exchange: Exchange,
    itemsOf: () => readonly unknown[],
  ): string | undefined | Promise<string | undefined>;
}

/**
 * Creates the pager of a strategy.
 *
 * @throws {TypeError} The strategy is invalid.
 */
export function createPager(strategy: PageStrategy): Pager {
  const first = (url: string): string => url;
  if (typeof strategy === "function") {
    return { first, next: (exchange) => absolute(strategy(exchange)?.toString(), exchange) };
  }
  if (strategy === "link") return createPager({ by: "link" });
  switch (strategy.by) {
    case "link":
      return { first, next: (exchange) => linkOf(exchange, strategy.rel ?? "next") };
    case "cursor":
      return { first, next: (exchange) => cursorOf(exchange, strategy.path, strategy.parameter) };
    case "offset":
      return countItems(strategy);
    case "page":
      return countPages(strategy);
    default:
      throw new TypeError(
        `Cannot paginate by ${JSON.stringify(strategy)}: "by" is not link, cursor, offset or page`,
      );
  }
}

function countItems(strategy: Extract<PageStrategy, { by: "offset" }>): Pager {
  const { size, parameter = "offset", sizeParameter = "limit", start = 0, total } = strategy;
  if (!(size >= 1)) {
    throw new TypeError(`Cannot paginate by ${size} items: size is not a number of at least 1`);
  }
  let offset = start;
  let usual: number | undefined;
  const refuseRepetition = createRepetitionCheck(parameter);
  return {
    first(url) {
      const sized = sizeParameter === false ? url : setQuery(url, sizeParameter, String(size));
      return setQuery(sized, parameter, String(offset));
    },
    next(exchange, itemsOf) {
      const { length } = itemsOf();
      // Many servers have a lower limit of their own: a short first page need not be the last.
      usual ??= Math.min(length, size);
      if (length === 0 || length < usual) return undefined;
      refuseRepetition(exchange);
      offset += length;
      if (offset >= (totalOf(exchange, total) ?? Infinity)) return undefined;
      if (length < size && saysTotal(exchange, offset)) return undefined;
      return setQuery(exchange.request.url, parameter, String(offset));
    },
  };
}

function countPages(strategy: Extract<PageStrategy, { by: "page" }>): Pager {
  const { parameter = "page", start = 1, total } = strategy;
  let page = start;
  let received = 0;
  const refuseRepetition = createRepetitionCheck(parameter);
  return {
    first: (url) => setQuery(url, parameter, String(page)),
    next(exchange, itemsOf) {
      const { length } = itemsOf();
      if (length === 0) return undefined;
      refuseRepetition(exchange);
      received += length;
      if (received >= (totalOf(exchange, total) ?? Infinity)) return undefined;
      page += 1;
      return setQuery(exchange.request.url, parameter, String(page));
    },
  };
}

/** A server that ignores the parameter would return the same page forever. */
function createRepetitionCheck(parameter: string): (exchange: Exchange) => void {
  let previous: string | undefined;
  return ({ text }) => {
    if (text === previous) {
      throw new TypeError(`it equals the page before: the server ignores "${parameter}"`);
    }
    previous = text;
  };
}

async function linkOf(exchange: Exchange, rel: string): Promise<string | undefined> {
  const header = exchange.headers.get("link");
  if (header === null) return undefined;
  const { default: LinkHeader } = await import("http-link-header");
  let uri: string | undefined;
  try {
    uri = LinkHeader.parse(header).rel(rel)[0]?.uri;
  } catch (cause) {
    throw new SyntaxError(`Cannot parse the Link header "${header}"`, { cause });
  }
  return absolute(uri, exchange);
}

function cursorOf(exchange: Exchange, path: string, parameter?: string): string | undefined {
  const value = readPath(exchange, path);
  if (value === undefined || value === null || value === "" || value === false) return undefined;
  const isScalar = ["string", "number", "bigint"].includes(typeof value) || isNumberText(value);
  if (!isScalar) {
    throw new TypeError(
      `Cannot paginate by "${path}": ${JSON.stringify(value)} is not a string or a number`,
    );
  }
  const cursor = String(value);
  return parameter === undefined
    ? absolute(cursor, exchange)
    : setQuery(exchange.request.url, parameter, cursor);
}

function absolute(url: string | undefined, exchange: Exchange): string | undefined {
  return url === undefined ? undefined : new URL(url, exchange.url).href;
}

/** Sets a query parameter and leaves the rest of the URL as written. */
export function setQuery(url: string, name: string, value: string): string {
  const [, base = "", query, hash = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  const pairs = (query ?? "").split("&").filter((it) => it !== "");
  const at = pairs.findIndex((it) => nameOf(it) === name);
  const rest = pairs.filter((it) => nameOf(it) !== name);
  rest.splice(at === -1 ? rest.length : at, 0, pair);
  return `${base}?${rest.join("&")}${hash}`;
}

function nameOf(pair: string): string {
  const [first] = new URLSearchParams(pair);
  return first?.[0] ?? "";
}

/** Headers with the length of a listing; the last two are those of GitLab and WordPress. */
const HEADERS = ["x-total-count", "x-total", "x-wp-total"];
const FIELDS = ["total", "totalCount", "total_count"];

/**
 * Reads the total number of items of a listing: at a path, in `X-Total-Count` and the like, or in
 * `Content-Range: items 0-24/319` (RFC 9110, 14.4).
 *
 * @param path The path of the number, as in a placeholder; by default, headers are read.
 * @throws {TypeError} There is no number at the path.
 */
function totalOf(exchange: Exchange, path: string | undefined): number | undefined {
  if (path !== undefined) {
    const total = toCount(readPath(exchange, path));
    if (total === undefined) {
      throw new TypeError(`"${path}" of the response is not a number of items`);
    }
    return total;
  }
  const { headers } = exchange;
  const [, range] =
    /^\s*[\w-]+ (?:\d+-\d+|\*)\/(\d+)\s*$/.exec(headers.get("content-range") ?? "") ?? [];
  const written = [...HEADERS.map((name) => headers.get(name)), range];
  return written.map(toCount).find((total) => total !== undefined);
}

/**
 * Whether a field named like a total has a certain value. Such a field may also count the items of the
 * page, or have an upper limit, so it only confirms what else indicates the end.
 */
function saysTotal({ json }: Exchange, count: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  return FIELDS.some(
    (name) => Object.hasOwn(json, name) && toCount(Reflect.get(json, name)) === count,
  );
}

function toCount(value: unknown): number | undefined {
  const isText = typeof value === "string" && /^\d+$/.test(value.trim());
  if (typeof value !== "number" && !isText) return undefined;
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/**
 * Reads a value of a response by its path, as in a placeholder: `data.items[0].id`.
 *
 * @throws {SyntaxError} It is not a path.
 */
export function readPath({ json }: Exchange, path: string): unknown {
  const parsed = parsePath(path);
  if (parsed !== undefined) return valueAt(json as Value, parsed);
  throw new SyntaxError(
    `Cannot paginate by "${path}": it is not a path such as data.items or [0].id`,
  );
}
