/**
 * Reports: results to text in the formats of other tools. Each renderer is a pure function.
 *
 * @module
 */

export { type JunitCase, type JunitElement, type JunitSuite, writeJunit } from "./junit-xml.ts";
export {
  checkReports,
  type ReportOption,
  type ReportTarget,
  writeReport,
  writeReports,
} from "./write-reports.ts";
