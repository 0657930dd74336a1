import { toVisibleLine, toVisibleText } from "../../../lib/display/mod.ts";
import {
  type CaseResult,
  isFlaky,
  type Place,
  type SuiteResult,
  warningsOf,
} from "../results/mod.ts";

/**
 * Renders failures and warnings as annotations of GitHub Actions, which shows them at file and line
 * (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export function renderGithub({ files }: SuiteResult): string {
  const lines = files.flatMap(({ cases }) => cases.flatMap(annotationsOf));
  return lines.map((line) => `${line}\n`).join("");
}

function annotationsOf(one: CaseResult): readonly string[] {
  const { name, problems, earlier, place } = one;
  const warnings = warningsOf(one).map((message) => annotation("warning", place, name, message));
  if (isFlaky(one)) {
    const message = `Passed on attempt ${earlier.length + 1}: ${earlier[0]?.[0]?.message}`;
    return [annotation("warning", place, `Flaky: ${name}`, message), ...warnings];
  }
  const errors = problems.map(({ place, details }) => annotation("error", place, name, details));
  return [...errors, ...warnings];
}

function annotation(
  level: "error" | "warning",
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
