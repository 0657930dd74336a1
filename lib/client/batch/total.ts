import type { Exchange } from "../../exchange/mod.ts";
import { valueAt } from "./value-at.ts";

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
export function totalOf(exchange: Exchange, path: string | undefined): number | undefined {
  if (path !== undefined) {
    const total = toCount(valueAt(exchange, path));
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
export function saysTotal({ json }: Exchange, count: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  return FIELDS.some((name) => Object.hasOwn(json, name) && toCount(json[name]) === count);
}

function toCount(value: unknown): number | undefined {
  const isText = typeof value === "string" && /^\d+$/.test(value.trim());
  if (typeof value !== "number" && !isText) return undefined;
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
