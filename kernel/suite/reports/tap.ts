import { toVisibleJson, toVisibleLine } from "../../../lib/display/mod.ts";
import {
  type CaseResult,
  describePlace,
  describeProblems,
  type FileResult,
  type SuiteResult,
  titleOf,
  warningsOf,
} from "../results/mod.ts";

/** Renders results in the Test Anything Protocol, version 14 (https://testanything.org). */
export function renderTap({ files }: SuiteResult): string {
  const cases = files.flatMap((file) => file.cases.map((one) => ({ one, file })));
  const lines = cases.map(({ one, file }, index) => renderCase(one, file, index + 1));
  return `${["TAP version 14", `1..${cases.length}`, ...lines].join("\n")}\n`;
}

function renderCase(one: CaseResult, file: FileResult, number: number): string {
  const { name, problems, duration, place, earlier } = one;
  const isOk = problems.length === 0;
  const warnings = warningsOf(one);
  const description = escapeText(`${titleOf(file)}: ${name}`);
  const line = `${isOk ? "ok" : "not ok"} ${number} - ${description}`;
  if (isOk && earlier.length === 0 && warnings.length === 0) return line;
  const details = {
    at: describePlace(place),
    duration_ms: Math.round(duration),
    ...(earlier.length > 0 && { attempts: earlier.length + 1 }),
    ...(warnings.length > 0 && { warnings }),
    ...(isOk ? {} : { message: problems[0]?.message, details: describeProblems(one) }),
  };
  // JSON is YAML as well.
  const yaml = Object.entries(details).map(
    ([key, value]) => `  ${key}: ${toVisibleJson(JSON.stringify(value))}`,
  );
  return [line, "  ---", ...yaml, "  ..."].join("\n");
}

function escapeText(text: string): string {
  return toVisibleLine(text).replace(/[\\#]/g, "\\$&");
}
