/** The client: variables, history and requests in one object; pages, batches, streams and downloads. */

export type { AllOptions, ManyProgress } from "./all.ts";
export type { ManyResult, ManyResults, ResultRow } from "./batch-results.ts";
export type { Client, ClientOptions, ExtendOptions } from "./client.ts";
export { createClientWith } from "./create-client.ts";
export type { DownloadOptions, FileWriter, OpenFileForWriting } from "./download.ts";
export { type PagesEnd, PaginationError } from "./fetch-pages.ts";
export type { PageStrategy } from "./page-strategy.ts";
export type { Pages, PaginateOptions } from "./paginate.ts";
export type { AssertOptions } from "./request-checks.ts";
export {
  SchemaError,
  type SchemaIssue,
  type SchemaOption,
  type SchemaResult,
  type StandardSchema,
} from "./standard-schema.ts";
export type { ResponseStream, StreamOptions } from "./stream.ts";
export type { TransferClient } from "./transfers.ts";
