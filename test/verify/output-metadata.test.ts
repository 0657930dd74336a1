import { describe, expect, test } from "vitest";
import { createOutputList } from "../../kernel/run/outputs.ts";
import { outputMetadata, show } from "../../kernel/session/mod.ts";
import { createClient, type Exchange, reveal } from "../../lib/mod.ts";
import { readSummary } from "../../lib/verify/mod.ts";

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: BodyInit | null;
}

async function answered(
  { status = 200, type = "application/json", body = null }: Answer,
  text = "GET http://localhost/users?key={{key}}#top",
): Promise<Exchange> {
  const fetch = async (): Promise<Response> =>
    new Response(body, { status, headers: { "content-type": type } });
  const client = createClient({ fetch });
  client.setVar("key", "hush-hush-4711", { secret: true });
  return await client.send(text);
}

const HEAD = { method: "GET", url: "http://localhost/users?key={{key}}", status: 200 };

describe("outputMetadata", () => {
  test.each<[name: string, answer: Answer, response: object]>([
    [
      "JSON",
      { body: '{"id": 1, "at": "2026-01-02"}' },
      {
        type: "application/json",
        shape: {
          type: "object",
          properties: { id: { type: "number" }, at: { type: "string", format: "date" } },
          required: ["id", "at"],
        },
      },
    ],
    [
      "secrets, of which neither the value nor the format is stored",
      { body: '{"token": "hush-hush-4711", "hush-hush-4711": 1}' },
      {
        type: "application/json",
        shape: {
          type: "object",
          properties: { token: {}, "{{key}}": { type: "number" } },
          required: ["token", "{{key}}"],
        },
      },
    ],
    ["an empty body", {}, { type: "application/json" }],
    ["a body that is not JSON", { body: "{" }, { type: "application/json", omitted: ["shape"] }],
    ["a text", { type: "text/plain", body: "hush-hush-4711" }, { type: "text/plain" }],
  ])("of %s", async (_name, answer, response) => {
    const metadata = outputMetadata(await answered(answer));
    expect(metadata).toEqual({ restlab: { response: { ...HEAD, ...response } } });
    expect(JSON.stringify(metadata)).not.toContain("hush-hush");
    expect(readSummary(JSON.parse(JSON.stringify(metadata)))).toEqual({ ...HEAD, ...response });
  });

  test("with # @verify exact contains the body, without what is ignored, and with all digits", async () => {
    const body = '{"id": 12345678901234567890, "price": 1.10, "at": 5, "list": [1, 2]}';
    const text =
      "# @name one\n# @verify exact\n# @ignore $.at\n# @ignore $.list[0]\nGET http://localhost/";
    const metadata = outputMetadata(await answered({ body }, text));
    expect(metadata).toMatchObject({
      restlab: {
        response: {
          name: "one",
          body: { id: { $number: "12345678901234567890" }, list: [null, 2] },
        },
      },
    });
    expect(JSON.stringify(metadata)).not.toContain('"at":5');
    const other = outputMetadata(await answered({ type: "text/plain", body: "text" }, text));
    expect(other).toMatchObject({ restlab: { response: { type: "text/plain", body: "text" } } });
  });

  test("of a body that is too large says so", async () => {
    const list = JSON.stringify(Array.from({ length: 3_000 }, (_one, at) => at));
    const exact = outputMetadata(
      await answered({ body: list }, "# @verify exact\nGET http://a.test/"),
    );
    expect(exact).toMatchObject({ restlab: { response: { omitted: ["body"] } } });
    const huge = outputMetadata(await answered({ body: `"${"x".repeat(5_000_000)}"` }));
    expect(huge).toMatchObject({ restlab: { response: { omitted: ["shape"] } } });
  });

  test("of other values is empty, whatever they are", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        has: () => true,
      },
    );
    for (const value of [undefined, null, 3, {}, [], hostile]) {
      expect(outputMetadata(value)).toEqual({});
    }
  });

  test("of revealed secrets says only that", async () => {
    const exchange = await answered({ body: "{}" });
    expect(show(reveal(exchange)).metadata).toEqual({ restlab: { holds_secrets: true } });
  });
});

test("the metadata of all outputs of a cell is bounded", async () => {
  const body = JSON.stringify(
    Object.fromEntries(Array.from({ length: 90 }, (_one, at) => [`member${at}`, at])),
  );
  const list = createOutputList({ stable: true });
  const exchange = await answered({ body });
  for (let count = 0; count < 20; count++) list.display(show(exchange));
  const metadata = list.outputs.map((output) => "metadata" in output && output.metadata);
  expect(metadata[0]).toMatchObject({ restlab: { response: { shape: { required: {} } } } });
  expect(metadata.at(-1)).toMatchObject({ restlab: { response: { omitted: ["shape"] } } });
  expect(JSON.stringify(metadata, undefined, 1).length).toBeLessThan(24_000);
});
