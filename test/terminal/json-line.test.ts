import { expect, test } from "vitest";
import { jsonLine } from "../../kernel/terminal/mod.ts";
import { createClient } from "../../lib/mod.ts";

const ITEM = {
  'a "key"': "lines\nand, commas: {[\u202e]}",
  marks: `e${"\u0301".repeat(20)},\u{1f468}\u200d\u{1f469}`,
  tab: "\t\\\t",
  list: [1, true, null, {}],
};
const COUNT = 9000;
const VALUE = Array.from({ length: COUNT }, () => ITEM);
const LONG = { headers: { "content-type": "application/json" } };

/** The line of an exchange with a body. */
async function lineOf(body: string, options: object = {}): Promise<readonly string[]> {
  const lab = createClient({ fetch: async () => new Response(body, LONG) });
  return [...jsonLine(await lab.send("GET http://api.test/", options), undefined)];
}

test.each([
  ["compact", JSON.stringify(VALUE)],
  ["indented", JSON.stringify(VALUE, undefined, 2)],
  ["indented by tabs, with CR LF", JSON.stringify(VALUE, undefined, "\t").replaceAll("\n", "\r\n")],
])("a long body of JSON is one line, in pieces: %s", async (_name, body) => {
  const pieces = await lineOf(body);
  const line = pieces.join("");
  expect(pieces.length).toBeGreaterThan(2);
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(line).not.toMatch(/[\u202e\r\t]/);
  const { json, status, url } = JSON.parse(line);
  expect([status, url]).toEqual([200, "http://api.test/"]);
  expect(json).toEqual(VALUE);
});

test("a long body keeps its digits, and one that is not JSON is text", async () => {
  const digits = `[${"12345678901234567890.10,".repeat(50_000)}1]`;
  expect((await lineOf(digits)).join("")).toContain(`"json":${digits}}`);
  const broken = `${digits}]`;
  const { body, json } = JSON.parse((await lineOf(broken)).join(""));
  expect([body, json]).toEqual([broken, undefined]);
});

test("a long body that a schema has checked is the value of the schema", async () => {
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: (value: unknown) => ({ value: (value as readonly unknown[]).length }),
    },
  };
  const lab = createClient({ fetch: async () => new Response(JSON.stringify(VALUE), LONG) });
  const exchange = await lab.send("GET http://api.test/", { schema });
  expect(JSON.parse([...jsonLine(exchange, undefined)].join("")).json).toBe(COUNT);
});
