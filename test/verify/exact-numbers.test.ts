import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";
import { restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { type AnsweringServer, startAnsweringServer } from "./answering-server.ts";

/** The differences that `restlab verify` reports, as lines. */
type Verify = (body: string) => Promise<readonly string[]>;

describe("# @verify exact tells numbers from texts, and numbers from each other", () => {
  const folder = makeFolder("exact-numbers");
  let server: AnsweringServer;
  const run = async (...args: readonly string[]): Promise<number | null> =>
    (await restlab("node", [...args, "--var", `base=${server.base}`], { cwd: folder })).status;
  const answer = (body: string): void => server.answer("/user", undefined, { body });
  const verify =
    (...args: readonly string[]): Verify =>
    async (body) => {
      answer(body);
      await run("verify", ...args, "--report", "json=found.json");
      const { documents } = JSON.parse(readFileSync(join(folder, "found.json"), "utf8"));
      const [{ differences }] = documents[0].responses;
      return differences.map(
        ({ path, promised, found }: Readonly<Record<string, string>>) =>
          `${path}: ${promised} → ${found}`,
      );
    };

  beforeAll(async () => {
    server = await startAnsweringServer();
    writeFileSync(join(folder, "one.http"), "# @verify exact\nGET {{base}}/user\n");
  });
  afterAll(() => server.close());

  test.each<[saved: string, found: string, lines: readonly string[]]>([
    ["9007199254740993", "9007199254740993", []],
    ["9007199254740993", "9007199254740992", ["$: 9007199254740993 → 9007199254740992"]],
    [
      '{"id": 9007199254740993, "list": [9007199254740995]}',
      '{"id": "9007199254740993", "list": ["9007199254740995"]}',
      [
        '$.id: 9007199254740993 → "9007199254740993"',
        '$.list[0]: 9007199254740995 → "9007199254740995"',
      ],
    ],
    [
      '["9007199254740993", 9007199254740993]',
      '[9007199254740993, "9007199254740993"]',
      [
        '$[0]: "9007199254740993" → 9007199254740993',
        '$[1]: 9007199254740993 → "9007199254740993"',
      ],
    ],
    ['{"a": 1e400}', '{"a": 10e399}', []],
    [
      '{"a": 12.123456789012345678}',
      '{"a": "12.123456789012345678"}',
      ['$.a: 12.123456789012345678 → "12.123456789012345678"'],
    ],
    ['{"a": 100000000000000000000}', '{"a": 1e20}', []],
    ['{"a": {"$number": "9007199254740993"}}', '{"a": {"$number": "9007199254740993"}}', []],
    [
      '{"a": {"$$number": 1}}',
      '{"a": {"$number": 1}}',
      ['$.a["$$number"]: 1 → ', '$.a["$number"]:  → 1'],
    ],
    [
      '{"a": {"$number": "9007199254740993"}}',
      '{"a": 9007199254740993}',
      ['$.a: {"$number":"9007199254740993"} → 9007199254740993'],
    ],
    ["1", '"1"', ['$: 1 → "1"']],
  ])("%s, then %s", async (saved, found, lines) => {
    answer(saved);
    writeFileSync(join(folder, "one.ipynb"), notebook("# @verify exact\nGET {{base}}/user"));
    expect(await run("verify", "--update", "one.ipynb")).toBe(0);
    // Jupyter reads and writes what is saved, in Python or JavaScript.
    const text = readFileSync(join(folder, "one.ipynb"), "utf8");
    writeFileSync(join(folder, "one.ipynb"), JSON.stringify(JSON.parse(text)));
    expect(await verify("one.ipynb")(found)).toEqual(lines);
    expect(await verify("one.ipynb")(saved)).toEqual([]);
    answer(saved);
    await run("run", "one.http", "--record", "one.har");
    expect(await verify("one.http", "--baseline", "one.har")(found)).toEqual(lines);
  });

  test.each<[body: unknown, shape: unknown, found: string, lines: readonly string[]]>([
    ["9007199254740993", { type: "number" }, "9007199254740993", []],
    ["9007199254740993", { type: "string" }, '"9007199254740993"', []],
    [
      { id: "9007199254740993" },
      { type: "object", properties: { id: { type: ["number", "null"] } }, required: ["id"] },
      '{"id": "9007199254740993"}',
      ['$.id: 9007199254740993 → "9007199254740993"'],
    ],
    [["9007199254740993"], { type: "array", items: { type: "number" } }, "[9007199254740993]", []],
    [
      { a: "9007199254740993" },
      { type: "object", additionalProperties: { type: "number" } },
      '{"a": 9007199254740993}',
      [],
    ],
  ])("earlier versions saved %j, which the shape explains", async (body, shape, found, lines) => {
    const document = JSON.parse(notebook("# @verify exact\nGET {{base}}/user"));
    const url = `${server.base}/user`;
    const response = { method: "GET", url, status: 200, type: "application/json", shape, body };
    const metadata = { restlab: { response } };
    const output = { output_type: "execute_result", data: {}, execution_count: 1, metadata };
    Object.assign(document.cells[0], { outputs: [output] });
    writeFileSync(join(folder, "old.ipynb"), JSON.stringify(document));
    expect(await verify("old.ipynb")(found)).toEqual(lines);
  });
});
