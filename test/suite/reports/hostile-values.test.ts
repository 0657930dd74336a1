import { describe, expect, test } from "vitest";
import { assertionProblem } from "../../../kernel/run/problems.ts";
import { createHtml } from "../../../kernel/run/report-html.ts";
import { createJson } from "../../../kernel/run/report-json.ts";
import { createJunit } from "../../../kernel/run/report-junit.ts";
import type { CaseResult, FileResult } from "../../../kernel/run/results.ts";
import { createGithub, createTap, openSuiteReport } from "../../../kernel/run/suite-reports.ts";
import { SuiteTerminal } from "../../../kernel/run/suite-terminal.ts";
import { renderReport, suiteOf } from "./sample-suite.ts";

const COMMANDS = [
  "::stop-commands::x",
  "  ::error file=a::b",
  "##[set-env name=PATH]x",
  "##vso[task.setvariable variable=a]b",
];
const BREAKS: readonly (readonly [name: string, text: string])[] = [
  ["LF", "\n"],
  ["CRLF", "\r\n"],
  ["CR", "\r"],
  ["U+2028", "\u2028"],
  ["U+0085", "\u0085"],
  ["ESC", "\u001b[2K\u001b[1G"],
];

/** Results in which every text that an answer can reach is hostile. */
function filesWith(text: string): readonly FileResult[] {
  const place = { file: "a.http", line: 3 };
  const assertion = {
    text: "body == ok",
    passed: false,
    expected: "ok",
    actual: text,
    message: text,
    location: { line: 4, column: 1 },
  };
  const error = {
    kind: "error",
    message: "RangeError: x",
    details: `RangeError: ${text}`,
  } as const;
  const exchange = { method: "GET", url: "http://api.test/", status: 200, duration: 1 };
  const failed: CaseResult = {
    name: `a name ${text}`,
    tags: [],
    place,
    startedAt: 0,
    duration: 1,
    assertions: [assertion],
    exchanges: [{ ...exchange, warnings: [text], request: text, response: `HTTP 200\n\n${text}` }],
    problems: [assertionProblem(assertion, place), { ...error, place }],
    earlier: [],
    printed: text,
  };
  const flaky = { ...failed, problems: [], earlier: [failed.problems] };
  const skipped = { ...failed, problems: [], skipped: "disabled" } as const;
  return [{ path: "a.http", startedAt: 0, duration: 1, cases: [failed, flaky, skipped] }];
}

function terminalText(files: readonly FileResult[]): string {
  let written = "";
  const stream = {
    isTerminal: false,
    color: false,
    columns: () => 100,
    write: (text: string) => {
      written += text;
    },
    writeBytes: async () => undefined,
  };
  const terminal = new SuiteTerminal({ stdout: stream, stderr: stream });
  for (const file of files) terminal.file(file);
  terminal.end(suiteOf(files));
  return written;
}

const FORMS: Readonly<Record<string, (files: readonly FileResult[]) => string>> = {
  terminal: terminalText,
  junit: (files) => renderReport(createJunit(), files),
  json: (files) => renderReport(createJson(), files),
  html: (files) => renderReport(createHtml(), files),
  tap: (files) => renderReport(createTap(), files),
  github: (files) =>
    renderReport(
      createGithub((file) => file),
      files,
    ),
};

describe.each(Object.entries(FORMS))("the form %s", (form, render) => {
  test.each(BREAKS)("begins no line with a text of an answer that contains %s", (_name, gap) => {
    for (const command of COMMANDS) {
      const text = render(filesWith(`first${gap}${command}${gap}last`));
      const lines = text.split(/[\n\r\u0085\u2028\u2029]/);
      const begun = lines.filter((line) =>
        /^\s*(?:::(?!(?:error|warning|notice) file=a\.http,)|##|last)/.test(line),
      );
      expect(begun).toEqual([]);
      // Of control characters, there are line feeds and tabs only.
      expect(text.match(/(?![\n\t])\p{Cc}/u)).toBeNull();
      expect(text).toContain("last");
    }
  });

  if (form === "terminal" || form === "github") {
    test("has each value on the line of its text", () => {
      const text = render(filesWith("one\ntwo"));
      expect(text).toContain("expected ok, found one␊two");
    });
  }
});

test.each(["terminal", "junit", "json", "html", "tap", "github"] as const)(
  "nothing that %s writes to standard output is a command of Azure or an old one of GitHub",
  async (format) => {
    for (const command of COMMANDS.slice(2)) {
      const files = filesWith(
        `found ${command.toLowerCase()} ${command.toUpperCase()} #${command}`,
      );
      let text = format === "terminal" ? terminalText(files) : "";
      const write = (more: string): void => {
        text += more;
      };
      const platform = { stdout: { write }, directory: "/", environment: {} };
      if (format !== "terminal") {
        const report = openSuiteReport({ format }, platform as never);
        await report.started?.(suiteOf(files));
        for (const file of files) await report.file?.(file);
        await report.end(suiteOf(files));
      }
      expect(text).toContain("found #");
      expect(text).not.toMatch(/##(?:vso)?\[/i);
    }
  },
);
