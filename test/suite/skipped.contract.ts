import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Recorder, startRecorder } from "../dialects/recorder.ts";
import { notebook } from "../notebook/notebook.ts";
import { type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const OK = "GET {{base}}/ok\n?? status == 200";
const FAILS = "GET {{base}}/ok\n?? status == 201";
const tagged = (source: string, tag: string): string => {
  const read = JSON.parse(source);
  read.cells[0].metadata = { tags: [tag] };
  return JSON.stringify(read);
};

/** What the reports say of one request: its place, its name and what became of it. */
type Row = readonly [line: number, name: string, status: string];
type Case = readonly [
  name: string,
  text: string,
  rows: readonly Row[],
  status: number,
  ...options: string[],
];

/** A document, its results, and the exit status. A name that ends in "cells" is a notebook. */
const CASES: readonly Case[] = [
  [
    "disabled",
    `### a\n${OK}\n\n### b\n# @disabled\n${OK}`,
    [
      [1, "a", "passed"],
      [5, "b", "it is disabled"],
    ],
    0,
  ],
  [
    "disabled-by-name",
    `# @name a\n# @disabled\n${OK}\n\n###\n${OK}`,
    [
      [1, "a", "it is disabled"],
      [6, "GET {{base}}/ok", "passed"],
    ],
    0,
  ],
  [
    "disabled-without-name",
    `# @disabled\n${OK}\n\n### b\n${OK}`,
    [
      [1, "GET {{base}}/ok", "it is disabled"],
      [5, "b", "passed"],
    ],
    0,
  ],
  ["disabled-false", `### a\n# @disabled false\n${OK}`, [[1, "a", "passed"]], 0],
  ["all-disabled", `### a\n# @disabled\n${OK}`, [[1, "a", "it is disabled"]], 2],
  [
    "all-disabled-allowed",
    `### a\n# @disabled\n${OK}`,
    [[1, "a", "it is disabled"]],
    0,
    "--pass-with-no-tests",
  ],
  [
    "empty-loop",
    `@none = []\n### a\n# @loop for x of none\n${OK}\n\n### b\n${OK}`,
    [
      [2, "a", "the list of its loop is empty"],
      [7, "b", "passed"],
    ],
    0,
  ],
  [
    "loop-of-none",
    `### a\n# @loop for 0\n${OK}\n\n### b\n${OK}`,
    [
      [1, "a", "the list of its loop is empty"],
      [6, "b", "passed"],
    ],
    0,
  ],
  [
    "empty-answer",
    `### a\nGET {{base}}/none\n\n### b\n# @loop for x of a.list\n${OK}`,
    [
      [1, "a", "passed"],
      [4, "b", "the list of its loop is empty"],
    ],
    0,
  ],
  [
    "skipped-test",
    `### a\n${OK}\n\n{{\n  test.skip("later", () => fail());\n  test("now", () => {});\n}}`,
    [
      [1, "a", "passed"],
      [6, "a: later", "test.skip leaves it out"],
    ],
    0,
  ],
  [
    "cancelled",
    `### a\n{{\n  exports.$cancel = true;\n}}\n${OK}\n\n### b\n${OK}`,
    [
      [1, "a", "a script has cancelled it"],
      [8, "b", "passed"],
    ],
    0,
  ],
  [
    "bail",
    `### a\n${FAILS}\n\n### b\n${OK}\n\n### c\n# @disabled\n${OK}`,
    [
      [1, "a", "failed"],
      [5, "b", "the run was ended before"],
      [9, "c", "the run was ended before"],
    ],
    1,
    "--bail",
  ],
  [
    "bail-with-lines",
    `### a\n${FAILS}\n\n###\n@x = 1\n\n### c\n${OK}`,
    [
      [1, "a", "failed"],
      [8, "c", "the run was ended before"],
    ],
    1,
    "--bail",
  ],
  ["selected", `### a\n# @disabled\n${OK}\n\n### b\n${OK}`, [[6, "b", "passed"]], 0, "--name", "b"],
  [
    "selected-disabled",
    `### a\n# @disabled\n${OK}\n\n### b\n${OK}`,
    [[1, "a", "it is disabled"]],
    2,
    "--name",
    "a",
  ],
  ["only-lines", "@x = 1\n", [], 2],
  ["only-lines-allowed", "@x = 1\n", [], 0, "--pass-with-no-tests"],
  [
    "tagged-cells",
    tagged(notebook(OK, OK), "skip-execution"),
    [
      [1, "GET {{base}}/ok", "its cell has the tag skip-execution"],
      [1, "GET {{base}}/ok", "passed"],
    ],
    0,
  ],
  [
    "skipped-tests-cells",
    notebook("test.skip(`later`)"),
    [[1, "test.skip(`later`): later", "test.skip leaves it out"]],
    2,
  ],
  [
    "several-cells",
    notebook(
      `# @name a\n${OK}\n\n###\n# @name b\n# @disabled\n${OK}\n\n### c\n# @loop for 0\n${OK}`,
    ),
    [
      [1, "a", "passed"],
      [8, "b", "it is disabled"],
      [13, "c", "the list of its loop is empty"],
    ],
    0,
  ],
  [
    "failing-cells",
    notebook(`# @name a\n${FAILS}\n\n###\n# @name b\n${OK}`, OK),
    [
      [1, "a", "failed"],
      [7, "b", "a request before it in its cell has failed"],
      [1, "GET {{base}}/ok", "passed"],
    ],
    1,
  ],
  [
    "bailing-cells",
    notebook(FAILS, "const x = 1;", "@y = 1", "?? status == 200"),
    [
      [1, "GET {{base}}/ok", "failed"],
      [1, "const x = 1;", "the run was ended before"],
      [1, "?? status == 200", "the run was ended before"],
    ],
    1,
    "--bail",
  ],
];

/** What the reports say of requests that are not sent, on one runtime. */
function describeSkipped(runtime: RuntimeName): void {
  describe(`requests that are not sent on ${runtime}`, () => {
    let folder = "";
    let server: Recorder;
    const run = (...args: readonly string[]) =>
      restlab(runtime, ["test", "--var", `base=http://${server.host}`, ...args], { cwd: folder });
    const read = (name: string): string => readFileSync(join(folder, name), "utf8");

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-skipped-"));
      server = await startRecorder({ "/none": { json: { list: [] } } });
    });
    afterAll(async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    });

    const cases = CASES.map(([name, text, rows, status, ...options]) => {
      return [name, text, rows, status, options] as const;
    });
    test.each(cases)("%s", async (name, text, rows, status, options) => {
      const file = `${name}.${name.endsWith("cells") ? "ipynb" : "http"}`;
      writeFileSync(join(folder, file), text);
      const formats = ["json", "junit", "tap", "github", "html"];
      const reports = formats.map((format) => `${format}=${name}.${format}`);
      const ended = await run(file, "--report", reports.join(), ...options);
      expect(ended.status, ended.output).toBe(status);

      const { results } = JSON.parse(read(`${name}.json`));
      const found = results.tests.map((one: Record<string, unknown>) => [
        one["line"],
        one["name"],
        one["status"] === "skipped" ? one["message"] : one["status"],
      ]);
      const skipped = rows.filter(([, , reason]) => reason.includes(" "));
      expect(found).toEqual(rows.map(([line, name, reason]) => [line, name, reason]));
      expect(results.summary).toMatchObject({ tests: rows.length, skipped: skipped.length });

      const isOf = (line: string): boolean => skipped.some(([, , reason]) => line.includes(reason));
      expect(read(`${name}.junit`).match(/<skipped/g) ?? []).toHaveLength(skipped.length);
      const tap = read(`${name}.tap`).split("\n");
      expect(tap.filter((line) => / # SKIP /.test(line) && isOf(line))).toHaveLength(
        skipped.length,
      );
      const isCut =
        status === 2 || rows.some(([, , reason]) => /ended before|request before/.test(reason));
      expect(tap.some((line) => line.startsWith("Bail out!"))).toBe(isCut);
      const notices = read(`${name}.github`).split("\n");
      expect(notices.filter((line) => /^::notice/.test(line) && isOf(line))).toHaveLength(
        skipped.length,
      );
      const lines = ended.stdout.split("\n");
      expect(lines.filter((line) => / skipped, /.test(line) && isOf(line))).toHaveLength(
        skipped.length,
      );
      for (const [, name] of skipped)
        expect(read(`${file.replace(/\.\w+$/, "")}.html`)).toContain(name);
      const isRun = rows.length > skipped.length;
      expect(/^PASS/m.test(ended.stdout)).toBe(isRun && status === 0);
    });

    test("files and rows that --bail leaves out are listed with the values of their rows", async () => {
      writeFileSync(join(folder, "first.http"), `### first\n${FAILS}`);
      writeFileSync(join(folder, "rows.http"), `### user {{id}}\n${OK}`);
      writeFileSync(join(folder, "rows.csv"), "id\n7\n8\n");
      const args = ["--bail", "--data", "rows.csv", "--report", "json=rows.json"];
      const { status, stdout } = await run("first.http", "rows.http", ...args);
      const { results } = JSON.parse(read("rows.json"));
      const names = results.tests.map(({ name }: { name: string }) => name);
      expect([status, names]).toEqual([1, ["first", "first", "user 7", "user 8"]]);
      expect(stdout).toContain("rows.http:1 user 8 [row 2]: skipped, the run was ended before");
    });

    test("a file that cannot be run leaves its requests", async () => {
      writeFileSync(join(folder, "asks.http"), `### a\n# @prompt user\n${OK}?{{user}}`);
      const { status, stdout } = await run("asks.http");
      expect(stdout).toContain("asks.http:1 a: skipped, the run was ended before");
      expect(status).toBe(2);
    });

    test("an empty shard passes", async () => {
      writeFileSync(join(folder, "one.http"), `### a\n${OK}`);
      const ended = [
        await run("one.http", "--shard", "1/2"),
        await run("one.http", "--shard", "2/2"),
      ];
      expect(ended.map(({ status }) => status)).toEqual([0, 0]);
    });
  });
}

describeSkipped(RUNTIME);
