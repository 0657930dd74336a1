import { type Exchange, maskExchange } from "../exchange/mod.ts";
import type { Block, Cell } from "./block.ts";
import { shortCell } from "./cell.ts";
import { formatBytes, formatMilliseconds } from "./units.ts";
import { createView, displayAs, type ViewOptions } from "./view.ts";
import type { ViewContext } from "./view-context.ts";

const COLUMNS = ["method", "URL", "status", "time", "size"];
/** Characters of the full text of a URL that is shortened. */
const MOST_URL = 320;

/**
 * Gives a list of exchanges a display: a table with a row for each, the newest first.
 *
 * @param exchanges The list, oldest first. It is returned, and otherwise unchanged.
 */
export function withHistoryView(
  exchanges: readonly Exchange[],
  options: ViewOptions = {},
): readonly Exchange[] {
  const view = createView((context) => viewHistory(exchanges, context), options);
  return displayAs(exchanges, view);
}

function viewHistory(exchanges: readonly Exchange[], context: ViewContext): readonly Block[] {
  if (exchanges.length === 0) {
    return [{ kind: "note", level: "info", text: "No request has been answered yet" }];
  }
  const newest = exchanges.slice(-context.limits.rows).reverse();
  const rows = newest.map((exchange) => toRow(exchange, context));
  const totalColumns = COLUMNS.length;
  const times = [COLUMNS.indexOf("time")];
  return [{ kind: "table", columns: COLUMNS, rows, total: exchanges.length, totalColumns, times }];
}

function toRow(exchange: Exchange, { limits, masking, showsSecrets }: ViewContext): Cell[] {
  const { request, statusText } = maskExchange(exchange, masking, showsSecrets);
  const { timing, sizes, status } = exchange;
  return [
    shortCell("text", request.method, limits.cell),
    shortCell("text", request.url, limits.cell, MOST_URL),
    shortCell("text", `${status} ${statusText}`.trim(), limits.cell),
    { type: "text", text: formatMilliseconds(timing.total) },
    { type: "text", text: formatBytes(sizes.response.body) },
  ];
}
