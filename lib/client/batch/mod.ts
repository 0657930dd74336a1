/**
 * Many requests: `all` with its limits, `paginate` with its strategies, and their results.
 */

export { type AllOptions, type ManyAccess, type ManyProgress, sendMany } from "./all.ts";
export { type Pages, type PagesEnd, type PaginateOptions, paginate } from "./paginate.ts";
export { PaginationError } from "./pagination-error.ts";
export type { ManyResult, ManyResults, ResultRow } from "./results.ts";
export type { PageStrategy } from "./strategy.ts";
