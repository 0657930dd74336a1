import { escapeMarkup } from "./report-junit.ts";
import type { ReportForm } from "./reports.ts";
import {
  type CaseResult,
  countCases,
  describePlace,
  describeSkip,
  type ExchangeSummary,
  type FileResult,
  isFlaky,
  listCounts,
  type Problem,
  type SuiteResult,
  statusOf,
  titleOf,
  warningsOf,
} from "./results.ts";

const STYLE = `
:root { color-scheme: light dark; --passed: #1a7f37; --failed: #cf222e; --quiet: #59636e; --line: #d1d9e0; }
@media (prefers-color-scheme: dark) {
  :root { --passed: #3fb950; --failed: #f85149; --quiet: #9198a1; --line: #3d444d; }
}
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
  background: Canvas; color: CanvasText; }
h1 { margin-bottom: 0; }
summary { cursor: pointer; overflow-wrap: anywhere; padding: .1rem 0; }
body > details { border-top: 1px solid var(--line); padding: .5rem 0; }
body > details > summary { font-weight: 600; }
details details { margin-left: 1.2rem; }
.problem { border-left: 3px solid var(--failed); margin: .4rem 0 .4rem 1.2rem; padding-left: .8rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
details > pre, .exchange { margin: .4rem 0 .4rem 1.2rem; overflow-x: auto; }
.passed { color: var(--passed); } .failed, .error { color: var(--failed); }
.fact { color: var(--quiet); font-weight: 400; }
`;

/** One HTML page that needs neither scripts nor other files, written at the end. Failures are unfolded. */
export function createHtml(): ReportForm {
  const files: string[] = [];
  return {
    file: (file) => void files.push(renderFile(file)),
    end: (suite) => renderPage(suite, files),
  };
}

function renderPage(suite: SuiteResult, files: readonly string[]): string {
  const { startedAt, duration, version, isEmpty, counts } = suite;
  const { cases, passed, failed, errors, flaky, notRun, skipped, assertions } = counts;
  const facts = [
    `${cases} cases`,
    `${passed} passed`,
    ...listCounts({ failed, "with errors": errors, flaky, "not run": notRun, skipped }),
    `${assertions} assertions`,
    `${(duration / 1000).toFixed(1)} s`,
  ];
  const status = isEmpty || failed + errors > 0 ? "failed" : "passed";
  const title = isEmpty ? "Nothing was tested" : status === "failed" ? "Failed" : "Passed";
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${title}: restlab test</title>`,
    `<style>${STYLE}</style></head>`,
    "<body>",
    `<h1 class="${status}">${title}</h1>`,
    `<p>${escapeMarkup(facts.join(", "))}</p>`,
    ...files,
    `<p class="fact">restlab ${escapeMarkup(version)}, ${new Date(startedAt).toISOString()}</p>`,
    "</body>",
    "</html>\n",
  ].join("\n");
}

function renderFile(file: FileResult): string {
  const { cases, passed, notRun, skipped } = countCases([file]);
  const isPassed = cases === passed;
  const facts = [`${passed} of ${cases} passed`, ...listCounts({ "not run": notRun, skipped })];
  const status = cases === 0 ? "skipped" : isPassed ? "passed" : "failed";
  const title = heading(status, titleOf(file), facts.join(", "));
  const cut = file.cases.filter(isCut);
  const shown = file.cases.filter((one) => !isCut(one)).map(renderCase);
  if (cut.length > 0) {
    const lines = cut.map((one) => `${one.name}  ${factsOf(one)}`);
    const left = `${cut.length} more passed, whose answers are not kept`;
    shown.push(fold(heading("passed", left, ""), block(lines.join("\n"))));
  }
  return fold(title, shown.join("\n"), !isPassed);
}

/** Whether a case has passed after the answers had filled their room. */
function isCut(one: CaseResult): boolean {
  const hasNoRoom = one.exchanges.some(({ html }) => html === "");
  return hasNoRoom && statusOf(one) === "passed" && warningsOf(one).length === 0;
}

function factsOf(one: CaseResult): string {
  const flaky = isFlaky(one) ? `, flaky: attempt ${one.earlier.length + 1}` : "";
  const isSkipped = statusOf(one) === "skipped";
  const time = isSkipped ? describeSkip(one) : `${Math.round(one.duration)} ms`;
  return `${describePlace(one.place)}, ${time}${flaky}`;
}

function renderCase(one: CaseResult): string {
  const { name, problems, earlier, assertions, exchanges, printed } = one;
  const status = statusOf(one);
  const passed = assertions.filter((assertion) => assertion.passed).map(({ text }) => text);
  const body = [
    ...problems.map(renderProblem),
    ...warningsOf(one).map((text) => `<p class="fact">Warning: ${escapeMarkup(text)}</p>`),
    ...earlier.flatMap((attempt, index) => [
      `<p>Attempt ${index + 1}</p>`,
      ...attempt.map(renderProblem),
    ]),
    ...(passed.length > 0 ? [fold("Passed assertions", block(passed.join("\n")))] : []),
    ...exchanges.map(renderExchange),
    ...(printed === "" ? [] : [fold("Printed", block(printed))]),
  ];
  const isOpen = status !== "passed" && status !== "skipped";
  return fold(heading(status, name, factsOf(one)), body.join("\n"), isOpen);
}

function renderProblem({ details, place }: Problem): string {
  const at = escapeMarkup(describePlace(place));
  return `<div class="problem"><span class="fact">${at}</span>${block(details)}</div>`;
}

/** The answer is markup of the library's display, which escapes all that it shows. */
function renderExchange(exchange: ExchangeSummary): string {
  const { method, url, status, html, request, response, tries } = exchange;
  const sent = tries === undefined ? "" : `, sent ${tries} times`;
  const shown =
    html === undefined || html === ""
      ? block([request, response].join("\n\n"))
      : `<div class="exchange">${html}</div>`;
  return fold(escapeMarkup(`${method} ${url} ${status}${sent}`), shown);
}

function block(text: string): string {
  return `<pre>${escapeMarkup(text)}</pre>`;
}

const MARKS: Readonly<Record<ReturnType<typeof statusOf>, string>> = {
  passed: '<span class="passed">✓</span>',
  failed: '<span class="failed">✗</span>',
  error: '<span class="failed">✗</span>',
  skipped: '<span class="fact">–</span>',
};

function heading(status: keyof typeof MARKS, title: string, facts: string): string {
  return `${MARKS[status]} ${escapeMarkup(title)} <span class="fact">${escapeMarkup(facts)}</span>`;
}

function fold(title: string, body: string, isOpen = false): string {
  return `<details${isOpen ? " open" : ""}><summary>${title}</summary>\n${body}\n</details>`;
}
