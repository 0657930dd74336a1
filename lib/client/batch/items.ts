import type { Exchange } from "../../exchange/mod.ts";
import { valueAt } from "./value-at.ts";

/**
 * Finds the items of a page: at the path, or the body itself, or the only list in it.
 *
 * @param path As in a placeholder, for example `data.items`.
 * @throws {TypeError} There is no list, or more than one.
 */
export function itemsIn(exchange: Exchange, path: string | undefined): readonly unknown[] {
  const value: unknown = path === undefined ? exchange.json : valueAt(exchange, path);
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
