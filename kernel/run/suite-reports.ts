import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { toVisibleJson, toVisibleLine, toVisibleText } from "../../lib/display/mod.ts";
import { foldersUpToRoot, type Platform } from "../platform/mod.ts";
import { createHtml } from "./report-html.ts";
import { createJson } from "./report-json.ts";
import { createJunit } from "./report-junit.ts";
import { openReport, type ReportForm, type ReportOption } from "./reports.ts";
import {
  type CaseResult,
  describePlace,
  describeProblems,
  describeSkip,
  describeTries,
  type FileResult,
  isFlaky,
  type Place,
  type SuiteResult,
  titleOf,
  warningsOf,
} from "./results.ts";
import type { SuiteObserver } from "./suite.ts";

/** A report that is written as the suite runs. */
interface SuiteReport extends SuiteObserver {
  /** @throws {DocumentError} It cannot be written. */
  end(suite: SuiteResult): Promise<void>;
}

/** Opens a report, which is to observe the suite until its end. */
export function openSuiteReport(option: ReportOption, platform: Platform): SuiteReport {
  const form = FORMS[option.format]((file) => pathInRepository(file, platform));
  const { write, end } = openReport(option, platform);
  return {
    started: (suite) => write(form.begin?.(suite)),
    file: (file) => write(form.file(file)),
    end: (suite) => write(form.end?.(suite)).then(end),
  };
}

/** The function returns the path of a file from the root of its repository. */
type CreateForm = (inRepository: (file: string) => string) => ReportForm;

const FORMS: Readonly<Record<ReportOption["format"], CreateForm>> = {
  junit: createJunit,
  json: createJson,
  html: createHtml,
  tap: createTap,
  github: createGithub,
};

/** A path from the folder with `.git`, without one from GitHub's workspace; a file in neither keeps its path. */
function pathInRepository(file: string, { directory, environment }: Platform): string {
  const path = resolve(directory, file);
  const folder = dirname(path);
  const found = foldersUpToRoot(folder).findLast((one) => existsSync(join(one, ".git")));
  const root = found ?? environment["GITHUB_WORKSPACE"];
  if (root === undefined || root === "") return file;
  const way = relative(root, path);
  return /^\.\.(?:[\\/]|$)/.test(way) || isAbsolute(way) ? file : way.replaceAll("\\", "/");
}

/**
 * Failures and warnings as annotations of GitHub Actions, which shows them at file and line
 * (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 *
 * @param inRepository Returns the path of a file from the root of its repository, which GitHub expects.
 */
export function createGithub(inRepository: (file: string) => string): ReportForm {
  const annotate: typeof annotation = (level, place, ...texts) =>
    annotation(level, { ...place, file: inRepository(place.file) }, ...texts);
  return { file: ({ cases }) => toLines(cases.flatMap((one) => annotationsOf(one, annotate))) };
}

const toLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function annotationsOf(one: CaseResult, annotate: typeof annotation): readonly string[] {
  const { name, problems, earlier, place } = one;
  if (one.skipped !== undefined)
    return [annotate("notice", place, `Skipped: ${name}`, describeSkip(one))];
  const warnings = warningsOf(one).map((message) => annotate("warning", place, name, message));
  if (isFlaky(one)) {
    const message = `Passed on attempt ${earlier.length + 1}: ${earlier[0]?.[0]?.message}`;
    return [annotate("warning", place, `Flaky: ${name}`, message), ...warnings];
  }
  const errors = problems.map(({ place, details }) => annotate("error", place, name, details));
  return [...errors, ...warnings];
}

function annotation(
  level: "error" | "warning" | "notice",
  { file, cell, line }: Place,
  title: string,
  message: string,
): string {
  // The lines of a notebook are not those of its file.
  const at = cell === undefined ? { file, line, title } : { file, title: `Cell ${cell}: ${title}` };
  const properties = Object.entries(at).map(
    ([key, value]) => `${key}=${escapeProperty(toVisibleLine(`${value}`))}`,
  );
  return `::${level} ${properties.join(",")}::${escapeData(toVisibleText(message))}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** The Test Anything Protocol, version 14 (https://testanything.org), with the plan behind the points. */
export function createTap(): ReportForm {
  let count = 0;
  return {
    begin: () => "TAP version 14\n",
    file: (file) => toLines(file.cases.map((one) => renderPoint(one, file, ++count))),
    end: ({ isEmpty, counts: { notRun } }) => {
      // A plan of no points is a success, whatever follows it.
      const plan = isEmpty && count === 0 ? [] : [`1..${count}`];
      const reason = isEmpty ? "Nothing was tested" : `${notRun} not run`;
      // Behind a plan that is the end of the document, a reader would not find it.
      return toLines(isEmpty || notRun > 0 ? [`Bail out! ${reason}`, ...plan] : plan);
    },
  };
}

function renderPoint(one: CaseResult, file: FileResult, number: number): string {
  const { name, problems, duration, place, earlier } = one;
  const isOk = problems.length === 0;
  const warnings = warningsOf(one);
  const tries = describeTries(one);
  const description = escapeTap(`${titleOf(file)}: ${name}`);
  const skipped = one.skipped === undefined ? "" : ` # SKIP ${describeSkip(one)}`;
  const line = `${isOk ? "ok" : "not ok"} ${number} - ${description}${skipped}`;
  const isPlain = [earlier, warnings, tries].every(({ length }) => length === 0);
  if (isOk && skipped === "" && isPlain) return line;
  const details = {
    at: describePlace(place),
    duration_ms: Math.round(duration),
    ...(earlier.length > 0 && { attempts: earlier.length + 1 }),
    ...(tries.length > 0 && { tries }),
    ...(warnings.length > 0 && { warnings }),
    ...(isOk ? {} : { message: problems[0]?.message, details: describeProblems(one) }),
  };
  // JSON is YAML as well.
  const yaml = Object.entries(details).map(
    ([key, value]) => `  ${key}: ${toVisibleJson(JSON.stringify(value))}`,
  );
  return [line, "  ---", ...yaml, "  ..."].join("\n");
}

function escapeTap(text: string): string {
  return toVisibleLine(text).replace(/[\\#]/g, "\\$&");
}
