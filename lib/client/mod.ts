/**
 * The client: variables, history and requests in one object, composed of the folders below.
 */

export { version } from "../http/mod.ts";
export {
  type AllOptions,
  type ManyProgress,
  type ManyResult,
  type ManyResults,
  type PageStrategy,
  type Pages,
  type PagesEnd,
  type PaginateOptions,
  PaginationError,
  type ResultRow,
} from "./batch/mod.ts";
export type { Client } from "./client.ts";
export type { ClientOptions, ExtendOptions } from "./client-options.ts";
export { createClientWith } from "./create-client.ts";
export type { AssertOptions } from "./evaluate-assertions.ts";
export type {
  DownloadOptions,
  FileWriter,
  OpenFileForWriting,
  ResponseStream,
  StreamOptions,
} from "./stream/mod.ts";
export type { TransferClient } from "./transfers.ts";
