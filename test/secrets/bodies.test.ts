import { describe, expect, test } from "vitest";
import { createClient, renderBundle } from "../../lib/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { SECRET_BODIES } from "./bodies.ts";
import { spellingsOf } from "./spellings.ts";

describe("secrets of a body", () => {
  test.each(SECRET_BODIES)("$kind", ({ type, body, secret, open = [] }) => {
    const store = createSecretStore();
    store.learn(
      { kind: "body", text: () => body, mediaType: type.split(";", 1)[0] ?? "" },
      "server",
    );
    const around = (text: string): string => `before ${text} behind`;
    for (const text of secret) expect(store.mask(around(text))).toBe(around("•••"));
    for (const text of open) expect(store.mask(around(text))).toBe(around(text));
  });

  test.each(SECRET_BODIES)("$kind: no form of display holds them", async (one) => {
    const { type, body, secret, written = [] } = one;
    const headers = { "Content-Type": type };
    const client = createClient({ fetch: async () => new Response(body, { headers }) });
    const bytes = new TextEncoder().encode(body);
    const exchange = await client.send({ url: "http://h.test/", headers, body: bytes });
    const views = [
      exchange,
      client.show(exchange, "request"),
      client.show(exchange, "text"),
      client.show(exchange, "hex"),
    ];
    for (const view of views) {
      const shown = Object.values(renderBundle(view)).map(String).join("\n");
      const spellings = [...secret.flatMap(spellingsOf), ...written];
      expect(spellings.filter((text) => shown.includes(text))).toEqual([]);
    }
  });
});

describe("a body that wants to cost time", () => {
  const MEGABYTE = 1_000_000;
  test.each([
    ["text/html", "<a "],
    ["text/html", '<a token="'],
    ["application/xml", "<token>"],
    ["application/xml", "<a b='\"'"],
    ["application/json", '"token":'],
    ["application/json", '{"token":{'],
    ["application/json", '\\"token\\":\\"'],
    ["application/json", '\\\\\\"token\\\\\\":\\"'],
    ["application/yaml", "- - - "],
    ["application/yaml", "token: {a: "],
    ["text/plain", "token   "],
    ["text/javascript", "token  \n"],
    ["text/javascript", "token='"],
    ["multipart/form-data", "--b0\r\n"],
    ["multipart/form-data", '--b0\r\nContent-Disposition: ; name="token"\r\n\r\n'],
  ])("%s of %j a million characters long is looked through", (type, piece) => {
    const store = createSecretStore();
    store.setVariable("mine", "some-secret-1", true);
    store.learn(
      { kind: "body", text: () => piece.repeat(MEGABYTE / piece.length), mediaType: type },
      "server",
    );
    // Read again from each of its places it would not end before the test is given up.
    expect(store.mask("some-secret-1")).toBe("{{mine}}");
  });
});
