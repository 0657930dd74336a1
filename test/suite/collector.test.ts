import { expect, test } from "vitest";
import { Collector } from "../../kernel/run/collector.ts";
import { parseHttp } from "../../kernel/run/read-document.ts";
import { createHtml } from "../../kernel/run/report-html.ts";
import { createClient } from "../../lib/mod.ts";
import { renderReport } from "./reports/sample-suite.ts";

test("no text of a failed assertion contains a secret, its path included", () => {
  const secret = "Zk3-hunter2-abc";
  const client = createClient();
  client.setVar("token", secret);
  const document = parseHttp("GET http://api.test/\n", "api.http");
  const collector = new Collector({ document, client, withHtml: false });
  const [cell] = document.cells;
  if (cell === undefined) throw new Error("the document has no cell");
  collector.cellStarted(cell, 1, 1);
  const texts = {
    text: `== ${secret}`,
    name: secret,
    path: `$.${secret}.id`,
    expected: secret,
    actual: `not ${secret}`,
    message: `It is ${secret}`,
  };
  const location = { line: 1, column: 1 };
  const assertions = [{ ...texts, passed: false, location }];
  collector.cellEnded({ assertions, duration: 1 });
  const result = collector.finish();
  expect(result.cases).toHaveLength(1);
  expect(JSON.stringify(result)).not.toContain(secret);
});

test("answers that find no room are left out, those of failed cases apart, and counted", async () => {
  const client = createClient({ fetch: async () => new Response("an answer") });
  const text = Array.from({ length: 6 }, (_, at) => `### case ${at}\nGET http://api.test/${at}\n`);
  const document = parseHttp(text.join("\n"), "api.http");
  const room = { passed: 1, failed: 1 };
  const collector = new Collector({ document, client, withHtml: true, room });
  for (const [at, cell] of document.cells.entries()) {
    collector.cellStarted(cell, at + 1, 6);
    await client.send(`GET http://api.test/${at}`);
    const texts = { text: "status == 201", path: "status", expected: "201", actual: "200" };
    const failed = { ...texts, passed: false, message: "no", location: { line: 1, column: 1 } };
    collector.cellEnded({ assertions: at % 2 === 0 ? [] : [failed], duration: 1 });
  }
  const file = collector.finish();
  const kept = file.cases.map(({ exchanges: [one] }) => [
    (one?.html?.length ?? 0) > 0,
    one?.response?.includes("an answer"),
  ]);
  expect(kept).toEqual([
    [true, undefined],
    [true, true],
    [false, undefined],
    [false, false],
    [false, undefined],
    [false, false],
  ]);
  const page = renderReport(createHtml(), [file]);
  expect(page).toContain("2 more passed, whose answers are not kept");
  expect(page.match(/case \d/g)).toEqual([
    "case 0",
    "case 1",
    "case 3",
    "case 5",
    "case 2",
    "case 4",
  ]);
  expect(page.match(/The response is not kept/g)).toHaveLength(2);
});
