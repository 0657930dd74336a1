import { describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";

/** What is JSON is rendered as JSON wherever its type is decided: a comment goes, a string is escaped. */
describe("the Content-Type decides whether a body is JSON", () => {
  test.each([
    ["application/json", true],
    ["application/json; charset=utf-8", true],
    ["Application/JSON ;v=1", true],
    ["text/json", true],
    ["application/problem+json", true],
    ["image/svg+xml", false],
    ["text/plain; format=a/json", false],
    ["application/x-json", false],
    ["application/jsonl", false],
  ])("%s: %s", async (type, isJson) => {
    const client = createClient({
      readFile: () => Promise.resolve(new TextEncoder().encode('{"a": "{{name}}"}')),
      fetch: async (request) => new Response(await (request as Request).text()),
    });
    client.setVar("name", 'A "B"');
    client.setVar("type", type);
    const text = 'A "B"';
    // JSON in lines has no comments, but the same strings.
    const escaped = isJson || type === "application/jsonl" ? 'A \\"B\\"' : text;
    const comment = isJson ? "" : "// c\n";
    const end = type === "application/jsonl" ? "\n" : "";
    for (const written of [type, "{{type}}"]) {
      const head = `POST http://localhost\nContent-Type: ${written}\n\n`;
      const { body } = client.render(`${head}{\n// c\n"a": "{{name}}"}`);
      expect(String(body).replace("     \n", "").replace("    \n", "")).toBe(
        `{\n${comment}"a": "${escaped}"}${end}`,
      );
      expect((await client.send(`${head}<@ ./a.json`)).text).toBe(`{"a": "${escaped}"}`);
    }
  });
});
