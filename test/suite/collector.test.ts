import { expect, test } from "vitest";
import { Collector } from "../../kernel/run/collector.ts";
import { parseHttp } from "../../kernel/run/read-document.ts";
import { createClient } from "../../lib/mod.ts";

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
