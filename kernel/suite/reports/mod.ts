/**
 * Results to text in the formats of other tools. Each renderer is a pure function.
 *
 * @module
 */

export { type ReportOption, writeReports } from "./write-reports.ts";
