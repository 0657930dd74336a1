import { describe, expect, test } from "vitest";
import { declareResponses } from "../../kernel/session/response-types.ts";
import { createClient, type Exchange } from "../../lib/mod.ts";

/** The type that is declared for an answer with this body. */
async function typeOf(body: string): Promise<string> {
  const fetch = async (): Promise<Response> => new Response(body);
  const answer: Exchange = await createClient({ fetch }).send("GET http://a.test");
  const declared = declareResponses({ one: answer });
  return / readonly one: .*? readonly json: (.*) \};\n/.exec(declared)?.[1] ?? declared;
}

describe("declareResponses derives the type of an answer", () => {
  test.each<[body: string, type: string]>([
    [
      '{"id": 1, "name": "a", "ok": true, "none": null}',
      "{ id: number; name: string; ok: boolean; none: null }",
    ],
    ["12345678901234567890", "bigint"],
    ["0.12345678901234567890", 'import("restlab").NumberText'],
    ['[{"a": 1}, {"a": "x", "b": 2}]', "({ a: number | string; b?: number })[]"],
    ['[1, "a", null, [2]]', "(number | string | null | (number)[])[]"],
    ["[]", "(any)[]"],
    ["{}", "{  }"],
    ['{"odd key": 1, "a-b": 2, "\\"q": 3}', '{ "odd key": number; "a-b": number; "\\"q": number }'],
    ["no JSON", "any"],
    ["", "any"],
  ])("%s", async (body, type) => {
    expect(await typeOf(body)).toBe(type);
  });

  test("and gives up on what is too wide, too deep, too long or too large", async () => {
    const wide = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 1]));
    expect(await typeOf(JSON.stringify(wide))).toBe("any");
    expect(await typeOf(`${"[".repeat(50)}1${"]".repeat(50)}`)).toMatch(/any\[\](?:\)\[\])+$/);
    const long = Object.fromEntries(
      Array.from({ length: 99 }, (_, index) => [`${"long".repeat(60)}${index}`, 1]),
    );
    expect(await typeOf(JSON.stringify(long))).toBe("any");
    expect(await typeOf(JSON.stringify({ text: "x".repeat(1024 * 1024) }))).toBe("any");
  });

  test("and takes any name", () => {
    expect(declareResponses({})).toContain('readonly [name: string]: import("restlab").Exchange');
  });
});
