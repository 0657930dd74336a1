import { escapeMarkup } from "../../reports/mod.ts";
import {
  type CaseResult,
  countCases,
  describePlace,
  type ExchangeSummary,
  type FileResult,
  isFlaky,
  type Problem,
  type SuiteResult,
  statusOf,
  titleOf,
} from "../results/mod.ts";

const STYLE = `
:root { color-scheme: light dark; --passed: #1a7f37; --failed: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --passed: #3fb950; --failed: #f85149; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
  background: Canvas; color: CanvasText; }
summary { cursor: pointer; overflow-wrap: anywhere; }
details details { margin-left: 1.2rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0 .4rem 1.2rem; }
.exchange { margin-left: 1.2rem; overflow-x: auto; }
.passed { color: var(--passed); } .failed, .error { color: var(--failed); }
.fact { color: GrayText; }
`;

/** Renders results as one HTML page that needs neither scripts nor other files. Failures are unfolded. */
export function renderHtml({ files, startedAt, duration, version }: SuiteResult): string {
  const { cases, passed, failed, errors, flaky, notRun, assertions } = countCases(files);
  const facts = [
    `${cases} cases`,
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(errors > 0 ? [`${errors} with errors`] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    `${assertions} assertions`,
    `${(duration / 1000).toFixed(1)} s`,
  ];
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${failed + errors > 0 ? "Failed" : "Passed"}: restlab test</title>`,
    `<style>${STYLE}</style></head>`,
    "<body>",
    `<h1 class="${failed + errors > 0 ? "failed" : "passed"}">${escapeMarkup(facts.join(", "))}</h1>`,
    ...files.map(renderFile),
    `<p class="fact">restlab ${escapeMarkup(version)}, ${new Date(startedAt).toISOString()}</p>`,
    "</body>",
    "</html>\n",
  ].join("\n");
}

function renderFile(file: FileResult): string {
  const { cases, passed, notRun } = countCases([file]);
  const isPassed = cases === passed;
  const rest = notRun > 0 ? `, ${notRun} not run` : "";
  const title = `${titleOf(file)}: ${passed} of ${cases} passed${rest}`;
  const body = file.cases.map(renderCase).join("\n");
  return fold(escapeMarkup(title), body, isPassed ? "passed" : "failed", !isPassed);
}

function renderCase(one: CaseResult): string {
  const { name, place, duration, problems, earlier, assertions, exchanges, printed } = one;
  const status = statusOf(one);
  const flaky = isFlaky(one) ? `, flaky: attempt ${earlier.length + 1}` : "";
  const title = `${name} (${describePlace(place)}), ${Math.round(duration)} ms${flaky}`;
  const passed = assertions.filter((assertion) => assertion.passed).map(({ text }) => text);
  const body = [
    ...problems.map(renderProblem),
    ...earlier.flatMap((attempt, index) => [
      `<p>Attempt ${index + 1}</p>`,
      ...attempt.map(renderProblem),
    ]),
    ...(passed.length > 0 ? [fold("Passed assertions", block(passed.join("\n")), "passed")] : []),
    ...exchanges.map(renderExchange),
    ...(printed === "" ? [] : [fold("Printed", block(printed), "fact")]),
  ];
  return fold(escapeMarkup(title), body.join("\n"), status, status !== "passed");
}

function renderProblem({ details, place }: Problem): string {
  return `<pre class="failed">${escapeMarkup(`${describePlace(place)}\n${details}`)}</pre>`;
}

/** The answer is markup of the library's display, which escapes all that it shows. */
function renderExchange({ method, url, status, html, request, response }: ExchangeSummary): string {
  const shown =
    html === undefined
      ? block([request, response].join("\n\n"))
      : `<div class="exchange">${html}</div>`;
  return fold(escapeMarkup(`${method} ${url} ${status}`), shown, "fact");
}

function block(text: string): string {
  return `<pre>${escapeMarkup(text)}</pre>`;
}

function fold(title: string, body: string, kind: string, isOpen = false): string {
  const open = isOpen ? " open" : "";
  return `<details${open}><summary class="${kind}">${title}</summary>\n${body}\n</details>`;
}
