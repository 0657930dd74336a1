import { describe, expect, test } from "vitest";
import { renderBundle } from "../../lib/display/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { textOfHtml } from "./judge.ts";
import { sampleExchange } from "./sample.ts";

type Data = Readonly<Record<string, unknown>> | string;

const written = (data: Data): string => (typeof data === "string" ? data : JSON.stringify(data));
const eventsOf = (list: readonly Data[]): string =>
  list
    .map((data) => {
      const type = typeof data === "string" ? undefined : data["type"];
      return `${type === undefined ? "" : `event: ${type}\n`}data: ${written(data)}\n\n`;
    })
    .join("");
const bundleOf = (body: string, type = "text/event-stream") =>
  renderBundle(sampleExchange(body, type));
const plainOf = (list: readonly Data[]): string => bundleOf(eventsOf(list))["text/plain"];

const chat = (delta: object, finish_reason: string | null = null, index = 0): Data => ({
  id: "chatcmpl-1",
  model: "m",
  choices: [{ index, delta, finish_reason }],
});

/** Streams as the documentation of each interface shows them, and what is said of them. */
const STREAMS: Readonly<Record<string, [list: readonly Data[], text: string, heading: RegExp]>> = {
  "OpenAI's Chat Completions": [
    [
      chat({ role: "assistant", content: "" }),
      chat({ content: "Hel" }),
      chat({ content: "lo\n" }),
      chat({ content: "world" }),
      chat({}, "stop"),
      "[DONE]",
    ],
    "Hello\nworld",
    /^# +event +delta\.content +finish_reason +data$/m,
  ],
  "OpenAI's Completions": [
    [{ choices: [{ text: "a", index: 0 }] }, { choices: [{ text: " b", index: 0 }] }],
    "a b",
    /^# +event +text$/m,
  ],
  "OpenAI's Responses": [
    [
      { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "Hi" },
      { type: "response.function_call_arguments.delta", item_id: "f", delta: '{"a' },
      { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: " you" },
    ],
    "Hi you",
    /^# +event +item_id +output_index +delta$/m,
  ],
  "Anthropic's Messages": [
    [
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "ping" },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
      { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "Next" } },
    ],
    "Hello\n\nNext",
    /^# +event +index +data +delta\.type +delta\.text$/m,
  ],
  "Google's Gemini": [
    ["a", "b"].map((text) => ({
      candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0 }],
    })),
    "ab",
    /^# +event +text$/m,
  ],
};

describe("events of a language model", () => {
  for (const [name, [list, text, heading]] of Object.entries(STREAMS)) {
    test(`${name}: what differs is in the row, and the text is joined`, () => {
      const bundle = bundleOf(eventsOf(list));
      expect(bundle["text/plain"]).toMatch(heading);
      expect(bundle["text/plain"]).toContain(`Their text:\n${text}`);
      expect(textOfHtml(String(bundle["text/html"]))).toContain(text.replace(/\s+/g, " "));
      expect(bundle["text/markdown"]).toContain(text);
    });
  }

  test("what all share is said once", () => {
    const plain = plainOf([chat({ content: "a" }), chat({ content: "b" })]);
    const [, shared = ""] = /^Each has (.*)$/m.exec(plain) ?? [];
    expect(JSON.parse(shared)).toEqual({
      id: "chatcmpl-1",
      model: "m",
      choices: [{ index: 0, finish_reason: null }],
    });
    expect(plain.match(/chatcmpl-1/g)).toHaveLength(1);
  });

  test("long values that begin alike are not shared", () => {
    const long = "x".repeat(5_000);
    const plain = plainOf([{ a: `${long}1` }, { a: `${long}2` }]);
    expect(plain).not.toContain("Each has");
    expect(plain).toMatch(/^# +event +a$/m);
  });

  test("of a long stream the whole text is joined", () => {
    const list = Array.from({ length: 500 }, (_, n) => chat({ content: `${n} ` }));
    const plain = plainOf(list);
    expect(plain).toContain("Each of those shown has");
    expect(plain).toContain(Array.from({ length: 500 }, (_, n) => `${n} `).join(""));
  });

  test("the texts of answers that arrive at the same time are not joined", () => {
    const plain = plainOf([0, 1, 0, 1].map((index) => chat({ content: "x" }, null, index)));
    expect(plain).not.toContain("Their text");
  });

  test("data that are no objects, or have nothing in common, stay what they are", () => {
    expect(plainOf(["a", "b"])).toMatch(/^# +event +data$/m);
    expect(plainOf([{ a: 1 }, { b: 2 }])).toMatch(/^1 +message +\{"a":1\}$/m);
    expect(plainOf([{ "#": 1 }, { "#": 2 }])).toMatch(/^# +event +\["#"\]$/m);
    expect(
      plainOf([
        { "a.b": 1, a: { b: 2 } },
        { "a.b": 2, a: { b: 3 } },
      ]),
    ).toMatch(/^1 +message +1 +2$/m);
  });

  test("a secret is hidden in a column, in what is shared, and across pieces", () => {
    const store = createSecretStore();
    store.learn({ kind: "value", value: { password: "hush-hush-1" } }, "person");
    const body = eventsOf([
      { n: 1, auth: { password: "1" }, api: { token: "t" }, delta: { text: "it is hush-" } },
      { n: 2, auth: { password: "2" }, api: { token: "t" }, delta: { text: "hush-1, see" } },
    ]);
    const exchange = sampleExchange(body, "text/event-stream");
    const { "text/plain": plain, "text/html": html } = renderBundle(exchange, {
      secrets: [store],
    });
    for (const form of [plain, textOfHtml(String(html))]) {
      expect(form).toContain("•••, see");
      expect(form).not.toContain("hush-hush-1");
    }
    expect(plain).toMatch(/Each has \{"api":\{"token":"•••"\}\}/);
    expect(plain).toMatch(/^1 +message +1 +••• /m);
  });
});
