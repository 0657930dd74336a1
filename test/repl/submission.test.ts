import { describe, expect, test } from "vitest";
import { readSubmission } from "../../kernel/repl/entry/mod.ts";

const ask = async () => "complete" as const;
const kinds = async (text: string) =>
  (await readSubmission(text, ask)).entries.map(({ input, line }) => [line, input.kind]);

describe("readSubmission", () => {
  test.each([
    ["GET http://h/", [[1, "request"]]],
    ["client.last", [[1, "typescript"]]],
    ["?? status == 404", [[1, "assertions"]]],
    [
      "?? status == 404\n?? body a == 1\nclient.last",
      [
        [1, "assertions"],
        [3, "typescript"],
      ],
    ],
    ["GET http://h/\n?? status == 404", [[1, "request"]]],
    ["a\n?? b", [[1, "typescript"]]],
    [".vars", [[1, "command"]]],
    ["%env dev", [[1, "empty"]]],
    ["%import a.yaml -o b.http", [[1, "empty"]]],
    ["%%what", [[1, "unknown-magic"]]],
    ["  ", []],
    [
      "GET http://h/\nclient.last\n.vars",
      [
        [1, "request"],
        [2, "typescript"],
        [3, "command"],
      ],
    ],
  ])("%j has the entries %j", async (text, entries) => {
    expect(await kinds(text)).toEqual(entries);
  });

  test("hands on the parsed requests of one entry, with the empty line that was left out", async () => {
    const { text, entries, isComplete } = await readSubmission('POST http://h/\n{"a": 1}', ask);
    expect(isComplete).toBe(true);
    expect(text).toBe('POST http://h/\n\n{"a": 1}');
    expect(entries).toMatchObject([
      { input: { kind: "request", source: text, parsed: { source: text, failure: undefined } } },
    ]);
  });

  test.each([
    ["GET http://h/\nA: b", false],
    ["GET http://h/\n\nf({", false],
    ["1 + 1\nGET http://h/\nPOST http://h/", false],
    ["", true],
    ["?? status == 404", true],
  ])("%j is complete: %s", async (text, isComplete) => {
    expect((await readSubmission(text, ask)).isComplete).toBe(isComplete);
  });
});
