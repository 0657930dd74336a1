/**
 * Reports of runs, for `restlab test` and `restlab verify`: the file that a report is written to, JUnit XML, and
 * escaping for markup.
 *
 * @module
 */

export { attributes, escapeMarkup } from "./escape-markup.ts";
export { type JunitCase, type JunitElement, type JunitSuite, writeJunit } from "./junit-xml.ts";
export { checkReports, type ReportTarget, toLogText, writeReport } from "./report-file.ts";
