import { validateStrict } from "ctrf";
import { fromHtml } from "hast-util-from-html";
import { parse as parseJunit } from "junit2json";
import { Parser as TapParser } from "tap-parser";
import { describe, expect, test } from "vitest";
import { createHtml } from "../../../kernel/run/report-html.ts";
import { createJson, toReport } from "../../../kernel/run/report-json.ts";
import { createJunit } from "../../../kernel/run/report-junit.ts";
import { createGithub, createTap } from "../../../kernel/run/suite-reports.ts";
import { toVisibleLine, toVisibleText } from "../../../lib/display/mod.ts";
import { FILES, NASTY, renderReport, suiteOf } from "./sample-suite.ts";

describe("JUnit", () => {
  test("a consumer reads suites, cases, failures and errors", async () => {
    const report = await parseJunit(renderReport(createJunit()));
    // What all suites have together is not known when it is written.
    expect(Object.keys(report ?? {})).toEqual(["name", "testsuite"]);
    const [users, tour] = (report as { testsuite: readonly Suite[] }).testsuite;
    expect(users).toMatchObject({ name: "api/users.http", tests: 3, failures: 1, errors: 0 });
    expect(tour).toMatchObject({ name: "tour.ipynb [row 2]", tests: 5, errors: 2, skipped: 3 });
    const [passed, failed] = users?.testcase ?? [];
    expect(passed).toMatchObject({
      name: "a request",
      classname: "api/users.http",
      file: "api/users.http",
      time: 0.012,
    });
    expect(passed?.["system-err"]?.join()).toContain("Not run: <b>");
    const [failure] = failed?.failure ?? [];
    expect(failure?.message).toContain("status == 200: expected 200, found <b>");
    expect(failure?.message).toMatch(/\(and 1 more\)$/);
    for (const part of ["api/users.http:5", "second", "POST http://api.test/", "HTTP 500"]) {
      expect(failure?.inner).toContain(part);
    }
    // XML cannot contain a NUL or half of a pair; anything else is as it was.
    const refused = ["\u0000", "\u001b", "\ud800"];
    const readable = refused
      .reduce((text, character) => text.replace(character, "\ufffd"), NASTY)
      .replaceAll("\r\n", "\n");
    expect(failure?.inner).toContain(readable);
    expect(tour?.testcase?.[0]?.error?.[0]).toMatchObject({ type: "no-response" });
    const left = tour?.testcase?.slice(2).map(({ skipped }) => skipped?.[0]);
    expect(left).toMatchObject([
      { message: "it is disabled" },
      { message: "the run was ended before" },
      { message: "the run was ended before" },
    ]);
  });

  test("earlier attempts are those of Surefire: flaky if it passed, rerun if not", () => {
    const text = renderReport(createJunit());
    expect(text.match(/<(?:flaky|rerun)\w+/g)).toEqual([
      "<flakyFailure",
      "<flakyError",
      "<rerunError",
    ]);
  });

  test("a suite without files is valid", async () => {
    expect(await parseJunit(renderReport(createJunit(), []))).toEqual({ name: "restlab" });
  });
});

interface Suite {
  readonly testcase?: readonly {
    readonly failure?: readonly { readonly message?: string; readonly inner?: string }[];
    readonly error?: readonly object[];
    readonly skipped?: readonly object[];
    readonly "system-err"?: readonly string[];
  }[];
}

describe("JSON", () => {
  test("is valid by the strict schema of CTRF, without files as well", () => {
    for (const files of [FILES, FILES.slice(0, 1), []]) {
      validateStrict(JSON.parse(renderReport(createJson(), files)));
    }
  });

  test("is what a program gets whole, with a line for each test", () => {
    const text = renderReport(createJson());
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(toReport(suiteOf(FILES), FILES))));
    expect(text.match(/^,?\{"name":/gm)).toHaveLength(8);
  });

  test("contains statuses, attempts, assertions and exchanges", () => {
    const { results } = JSON.parse(renderReport(createJson()));
    expect(results.summary).toMatchObject({
      tests: 8,
      passed: 2,
      failed: 3,
      skipped: 3,
      flaky: 1,
    });
    const [passed, failed, flaky, error, , off] = results.tests;
    expect(off).toMatchObject({ status: "skipped", message: "it is disabled", line: 3 });
    expect(passed).toMatchObject({ status: "passed", tags: ["smoke"], suite: ["api/users.http"] });
    expect(passed.extra.exchanges[1].warnings).toEqual([`Not run: ${NASTY}`]);
    expect(passed.extra.assertions).toMatchObject([{ text: "status == 200", passed: true }]);
    expect(failed).toMatchObject({
      status: "failed",
      rawStatus: "failed",
      filePath: "api/users.http",
    });
    expect(failed.extra.exchanges[0]).toMatchObject({ status: 500, method: "POST" });
    expect(failed.extra.exchanges[0]).not.toHaveProperty("html");
    expect(flaky).toMatchObject({ status: "passed", flaky: true, retries: 2 });
    expect(error).toMatchObject({ rawStatus: "error", line: 4, extra: { row: 2, cell: 2 } });
  });
});

describe("TAP", () => {
  test("a consumer reads the plan, the points and their details", () => {
    const points: { readonly ok: boolean; readonly name: string; readonly diag: unknown }[] = [];
    const parser = new TapParser({ strict: true });
    parser.on("assert", (point) => points.push(point));
    const text = renderReport(createTap());
    expect(text.split("\n").slice(-3)).toEqual(["Bail out! 2 not run", "1..8", ""]);
    parser.end(text);
    expect(parser.results).toMatchObject({
      count: 8,
      pass: 5,
      fail: 3,
      skip: 3,
      bailout: "2 not run",
    });
    // What is no TAP would be a failure of the strict parser, too.
    expect(parser.failures).toHaveLength(3);
    expect(points[6]).toMatchObject({ ok: true, skip: "the run was ended before" });
    expect(points[0]).toMatchObject({
      ok: true,
      name: "api/users.http: a request",
      diag: { warnings: [`Not run: ${NASTY}`] },
    });
    expect(points[1]?.name).toContain("api/users.http: fails, <b>");
    expect(points[1]?.diag).toMatchObject({ at: "api/users.http:3" });
    expect(points[2]).toMatchObject({ ok: true, diag: { attempts: 3 } });
    expect(points[3]?.diag).toMatchObject({ at: "tour.ipynb:cell 2:4", message: lostMessage });
  });

  test("a suite without cases is a plan of none", () => {
    const parser = new TapParser({ strict: true });
    parser.end(renderReport(createTap(), []));
    expect(parser.results).toMatchObject({ bailout: "Nothing was tested", count: 0 });
  });
});

const lostMessage = "NoResponseError: refused";

describe("annotations of GitHub", () => {
  test("each failure and warning is one command, and a text cannot begin another", () => {
    const lines = renderReport(createGithub((file) => file))
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => /^::(\w+) /.exec(line)?.[1])).toEqual([
      "warning",
      "error",
      "error",
      "warning",
      "error",
      "error",
      "notice",
      "notice",
      "notice",
    ]);
    const [warning, ...commands] = lines.map(readCommand);
    expect(warning).toMatchObject({ line: "3", message: `Not run: ${toVisibleText(NASTY)}` });
    expect(commands[0]).toMatchObject({
      file: "api/users.http",
      line: "5",
      title: `fails, ${toVisibleLine(NASTY)}`,
    });
    expect(commands[0]?.message).toContain(`expected 200, found ${toVisibleText(NASTY)}`);
    expect(commands[2]).toMatchObject({ title: "Flaky: flaky" });
    // The lines of a notebook's file are those of its JSON.
    expect(commands[3]).toMatchObject({ file: "tour.ipynb", title: "Cell 2: down" });
    expect(commands[3]).not.toHaveProperty("line");
    expect(commands[5]).toMatchObject({ line: "3", message: "it is disabled" });
  });
});

/** Reads a command as the runner does: properties up to `::`, then data; escapes in each. */
function readCommand(line: string): Readonly<Record<string, string>> {
  const [, properties = "", data = ""] = /^::\w+ (.*?)::(.*)$/s.exec(line) ?? [];
  const decode = (text: string): string =>
    text
      .replaceAll("%0D", "\r")
      .replaceAll("%0A", "\n")
      .replaceAll("%3A", ":")
      .replaceAll("%2C", ",")
      .replaceAll("%25", "%");
  const pairs = properties.split(",").map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), decode(pair.slice(at + 1))] as const;
  });
  return { ...Object.fromEntries(pairs), message: decode(data) };
}

describe("HTML", () => {
  const page = renderReport(createHtml());

  test("is valid, and one file that runs nothing", () => {
    const errors: string[] = [];
    fromHtml(page, { onerror: ({ ruleId }) => void errors.push(String(ruleId)) });
    expect(errors).toEqual([]);
    expect(page).not.toMatch(/<script|<link|<img|\son\w+=|src=|@import|url\(/i);
    expect(page).toContain("color-scheme: light dark");
  });

  test("failures are unfolded, answers are folded, and texts are no markup", () => {
    expect(page.match(/<details open>/g)).toHaveLength(5);
    expect(page).toContain("<details><summary>POST http://api.test/?a=1&amp;b=2 500");
    expect(page).toContain('<div class="restlab">an answer</div>');
    expect(page).toContain('<p class="fact">Warning: Not run: &lt;b&gt;');
    expect(page).not.toContain("<b>");
    expect(page).toContain(
      "5 cases, 2 passed, 1 failed, 2 with errors, 1 flaky, 2 not run, 1 skipped",
    );
    expect(page).toContain("tour.ipynb:cell 2:4, the run was ended before</span>");
    expect(renderReport(createHtml(), [])).toContain('<h1 class="failed">Nothing was tested</h1>');
  });
});
