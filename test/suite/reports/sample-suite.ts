import type { ReportForm } from "../../../kernel/run/reports.ts";
import {
  type CaseResult,
  countCases,
  type FileResult,
  type SuiteResult,
} from "../../../kernel/run/results.ts";

/** A text with everything that a format might take for its own. */
export const NASTY = "<b>\"%0A::error::\u0000\u001b[31m]]> & 'x', #1 \\ ```\n\r\n--- \ud800 é";

const GET = {
  method: "GET",
  url: "http://api.test/",
  status: 200,
  duration: 11,
  warnings: [],
} as const;

function createCase(changes: Partial<CaseResult>): CaseResult {
  return {
    name: "a request",
    tags: [],
    place: { file: "api/users.http", line: 3 },
    startedAt: 1_700_000_000_000,
    duration: 12.4,
    assertions: [],
    exchanges: [GET],
    problems: [],
    earlier: [],
    printed: "",
    ...changes,
  };
}

const assertion = {
  kind: "assertion",
  message: `status == 200: expected 200, found ${NASTY}`,
  details: `status == 200\nexpected 200, found ${NASTY}`,
  place: { file: "api/users.http", line: 5 },
} as const;

const lost = {
  kind: "no-response",
  message: "NoResponseError: refused",
  details: "NoResponseError: refused",
  place: { file: "tour.ipynb", cell: 2, line: 4 },
} as const;

/** Results of all kinds: 5 cases, one passed, one flaky, one failed, two with errors; 1 skipped, 2 that were not run. */
export const FILES: readonly FileResult[] = [
  {
    path: "api/users.http",
    startedAt: 1_700_000_000_000,
    duration: 800,
    cases: [
      createCase({
        tags: ["smoke"],
        exchanges: [GET, { ...GET, warnings: [`Not run: ${NASTY}`] }],
        assertions: [{ text: "status == 200", passed: true, location: { line: 4, column: 1 } }],
      }),
      createCase({
        name: `fails, ${NASTY}`,
        problems: [assertion, { ...assertion, message: "second", details: "second" }],
        exchanges: [
          {
            method: "POST",
            url: "http://api.test/?a=1&b=2",
            status: 500,
            duration: 3,
            warnings: [],
            request: `POST http://api.test/\n\n${NASTY}`,
            response: `HTTP 500\n\n${NASTY}`,
            html: '<div class="restlab">an answer</div>',
          },
        ],
        printed: NASTY,
      }),
      createCase({ name: "flaky", earlier: [[assertion], [lost]] }),
    ],
  },
  {
    path: "tour.ipynb",
    row: 2,
    startedAt: 1_700_000_000_900,
    duration: 300,
    cases: [
      createCase({ name: "down", place: lost.place, problems: [lost], exchanges: [] }),
      createCase({ name: "down again", place: lost.place, problems: [lost], earlier: [[lost]] }),
      createCase({ name: `off, ${NASTY}`, skipped: "disabled", exchanges: [] }),
      createCase({ name: "later", place: lost.place, skipped: "not-run", exchanges: [] }),
      createCase({ name: "last", place: lost.place, skipped: "not-run", exchanges: [] }),
    ],
  },
];

/** A suite that has ended with those results. */
export function suiteOf(files: readonly FileResult[]): SuiteResult {
  const counts = countCases(files);
  const isEmpty = counts.cases === 0;
  return { version: "1.2.3", startedAt: 1_700_000_000_000, duration: 1250, counts, isEmpty };
}

/** The whole text of a report. */
export function renderReport(form: ReportForm, files: readonly FileResult[] = FILES): string {
  const suite = suiteOf(files);
  const parts = files.map((file) => form.file(file) ?? "");
  return [form.begin?.(suite) ?? "", ...parts, form.end?.(suite) ?? ""].join("");
}
