import LinkHeader from "http-link-header";
import type { Exchange } from "../../exchange/mod.ts";
import { isNumberText } from "../../interpolation/mod.ts";
import { saysTotal, totalOf } from "./total.ts";
import { valueAt } from "./value-at.ts";

/** How one page of a listing leads to the next. */
export type PageStrategy =
  /** By the `Link` header (RFC 8288); `link` for short. */
  | "link"
  | { readonly by: "link"; readonly rel?: string }
  /**
   * By a value in the answer: `path` leads to it as in a placeholder (`paging.next`), and it goes
   * into the query as `parameter`. Without a parameter the value is the URL of the next page.
   */
  | { readonly by: "cursor"; readonly path: string; readonly parameter?: string }
  /**
   * By counting items: `parameter` (`offset`) goes up by the items that came. The last page is the one
   * that reaches the total, where the answer says that, or is shorter than the first.
   */
  | {
      readonly by: "offset";
      readonly size: number;
      readonly parameter?: string;
      /** The query parameter that `size` goes into (`limit`); `false` for none. */
      readonly sizeParameter?: string | false;
      readonly start?: number;
      /** Where the answer says how many items there are in all (`meta.total`); headers say it, too. */
      readonly total?: string;
    }
  /**
   * By counting pages: `parameter` (`page`) goes up by one from `start` (1). The last page is the one
   * that reaches the total, as above, or an empty one.
   */
  | {
      readonly by: "page";
      readonly parameter?: string;
      readonly start?: number;
      readonly total?: string;
    }
  /** By a function: the URL of the next page, or nothing after the last one. */
  | ((exchange: Exchange) => string | URL | undefined);

/** A strategy with its parts in place. */
export interface Pager {
  /** The URL of the first page, made of the one that was asked for. */
  first(url: string): string;
  /** The URL of the next page, or nothing. `itemsOf` gives the items of the page, or throws. */
  next(exchange: Exchange, itemsOf: () => readonly unknown[]): string | undefined;
}

/** Makes a pager of a strategy. */
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
        `Cannot page by ${JSON.stringify(strategy)}: by is "link", "cursor", "offset" or "page"`,
      );
  }
}

function countItems(strategy: Extract<PageStrategy, { by: "offset" }>): Pager {
  const { size, parameter = "offset", sizeParameter = "limit", start = 0, total } = strategy;
  if (!(size >= 1)) {
    throw new TypeError(`Cannot page by ${size} items: size is a number from 1 on`);
  }
  let offset = start;
  let usual: number | undefined;
  const heeded = createHeed(parameter);
  return {
    first(url) {
      const sized = sizeParameter === false ? url : setQuery(url, sizeParameter, String(size));
      return setQuery(sized, parameter, String(offset));
    },
    next(exchange, itemsOf) {
      const { length } = itemsOf();
      // Many servers have a limit of their own: a first page that is short is not taken for the last.
      usual ??= Math.min(length, size);
      if (length === 0 || length < usual) return undefined;
      heeded(exchange);
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
  let came = 0;
  const heeded = createHeed(parameter);
  return {
    first: (url) => setQuery(url, parameter, String(page)),
    next(exchange, itemsOf) {
      const { length } = itemsOf();
      if (length === 0) return undefined;
      heeded(exchange);
      came += length;
      if (came >= (totalOf(exchange, total) ?? Infinity)) return undefined;
      page += 1;
      return setQuery(exchange.request.url, parameter, String(page));
    },
  };
}

/** Finds out that a server gives the same page again and again, whatever is counted. */
function createHeed(parameter: string): (exchange: Exchange) => void {
  let before: string | undefined;
  return ({ text }) => {
    if (text === before) {
      throw new TypeError(
        `it is the same as the page before, the server does not refreshRejected "${parameter}"`,
      );
    }
    before = text;
  };
}

function linkOf(exchange: Exchange, rel: string): string | undefined {
  const header = exchange.headers.get("link");
  if (header === null) return undefined;
  let links: LinkHeader;
  try {
    links = LinkHeader.parse(header);
  } catch (cause) {
    throw new SyntaxError(`Cannot read the Link header "${header}": it is not one`, { cause });
  }
  return absolute(links.rel(rel)[0]?.uri, exchange);
}

function cursorOf(exchange: Exchange, path: string, parameter?: string): string | undefined {
  const value = valueAt(exchange, path);
  if (value === undefined || value === null || value === "" || value === false) return undefined;
  const isScalar = ["string", "number", "bigint"].includes(typeof value) || isNumberText(value);
  if (!isScalar) {
    throw new TypeError(`Cannot page by "${path}": it is ${JSON.stringify(value)}, not a text`);
  }
  const cursor = String(value);
  return parameter === undefined
    ? absolute(cursor, exchange)
    : setQuery(exchange.request.url, parameter, cursor);
}

function absolute(url: string | undefined, exchange: Exchange): string | undefined {
  return url === undefined ? undefined : new URL(url, exchange.url).href;
}

/** Sets a query parameter and leaves the rest of the URL as it is written. */
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
