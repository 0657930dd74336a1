/**
 * `restlab test`: runs a selection of the cells of documents, several documents at the same time, again after a
 * failure or a change, and reports results instead of outputs. It runs documents by `kernel/notebook`.
 *
 * @module
 */

export { testCommand } from "./command.ts";
export type { TestOptions } from "./options.ts";
export type { ReportOption } from "./reports/mod.ts";
export type { Shard } from "./selection/mod.ts";
