/**
 * Rows to choose from a table: filtered and sorted as `client.table` asks for.
 */

export { filterRows } from "./filter-rows.ts";
export { type SortKey, sortRows } from "./sort-rows.ts";
