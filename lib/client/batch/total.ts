import type { Exchange } from "../../exchange/mod.ts";
import { valueAt } from "./value-at.ts";

/** Headers in which servers say how long a listing is; the last two are GitLab's and WordPress's. */
const HEADERS = ["x-total-count", "x-total", "x-wp-total"];
const FIELDS = ["total", "totalCount", "total_count"];

/**
 * How many items a listing has in all, where the answer says so: at the path that was given, in
 * `X-Total-Count` and its kin, or in `Content-Range: items 0-24/319`.
 *
 * @param path Where the number is, as in a placeholder; the headers where it is left out.
 * @throws {TypeError} There is no number at the path.
 */
export function totalOf(exchange: Exchange, path: string | undefined): number | undefined {
  if (path !== undefined) {
    const total = toCount(valueAt(exchange, path));
    if (total === undefined) throw new TypeError(`"${path}" of the answer is no number of items`);
    return total;
  }
  const { headers } = exchange;
  const [, range] =
    /^\s*[\w-]+ (?:\d+-\d+|\*)\/(\d+)\s*$/.exec(headers.get("content-range") ?? "") ?? [];
  const written = [...HEADERS.map((name) => headers.get(name)), range];
  return written.map(toCount).find((total) => total !== undefined);
}

/**
 * Whether a field named like a total says the same number. Such a field may as well count the page,
 * or stop at a limit of its own, so it is believed only where all else says that this is the end.
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
