import type { Platform } from "../../platform/mod.ts";
import { type ReportTarget, writeReport } from "../../reports/mod.ts";
import type { SuiteResult } from "../results/mod.ts";
import { renderGithub } from "./github.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderTap } from "./tap.ts";

/** A report of a suite. */
export interface ReportOption extends ReportTarget {
  readonly format: "junit" | "json" | "html" | "tap" | "github";
}

const RENDER: Readonly<Record<ReportOption["format"], (suite: SuiteResult) => string>> = {
  junit: renderJunit,
  json: renderJson,
  html: renderHtml,
  tap: renderTap,
  github: renderGithub,
};

/**
 * Writes the reports of a suite.
 *
 * @throws {DocumentError} A file cannot be written.
 */
export async function writeReports(
  reports: readonly ReportOption[],
  suite: SuiteResult,
  platform: Pick<Platform, "stdout" | "writeFile">,
): Promise<void> {
  for (const report of reports) await writeReport(report, RENDER[report.format](suite), platform);
}
