/**
 * Many requests: `all` and its results, `paginate` and its strategies.
 */

export { type AllOptions, type ManyAccess, type ManyProgress, sendMany } from "./all.ts";
export type { PagesEnd } from "./fetch-pages.ts";
export type { PageStrategy } from "./page-strategy.ts";
export { type Pages, type PaginateOptions, paginate } from "./paginate.ts";
export { PaginationError } from "./pagination-error.ts";
export type { ManyResult, ManyResults, ResultRow } from "./results.ts";
