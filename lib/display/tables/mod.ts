/**
 * Filters and sorts the rows of `client.table`.
 */

export { filterRows } from "./filter-rows.ts";
export { type SortKey, sortRows } from "./sort-rows.ts";
