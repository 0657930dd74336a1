import { describe, expect, test } from "vitest";
import { maskAnswerText, renderBundle, showPart, showTable } from "../../lib/display/mod.ts";
import type { Exchange } from "../../lib/exchange/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { createSecretStore, maskValue, type Secrets } from "../../lib/secrets/mod.ts";
import { sampleExchange } from "./sample.ts";

/** Secrets that count how often a text is searched for them. */
function counting(): { readonly secrets: Secrets; readonly count: () => number } {
  const store = createSecretStore();
  store.setVariable("mine", "hush-hush-42", true);
  let searches = 0;
  const secrets: Secrets = {
    ...store,
    get revision() {
      return store.revision;
    },
    locate: (text) => {
      searches++;
      return store.locate(text);
    },
    mask: (text, write) => {
      searches++;
      return store.mask(text, write);
    },
  };
  return { secrets, count: () => searches };
}

const LOOKS: readonly ((exchange: Exchange) => unknown)[] = [
  (exchange) => renderBundle(exchange),
  (exchange) => renderBundle(showTable(exchange)),
  (exchange) => renderBundle(showPart(exchange, "json")),
  (exchange) => renderBundle(showPart(exchange, "text")),
];

const rowsOf = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({ id, name: `User ${id}`, note: "hush-hush-42" })),
  );

/** How often each look at an answer of so many rows searches. */
function searchesOf(rows: number): readonly number[] {
  const { secrets, count } = counting();
  const json: unknown = JSON.parse(rowsOf(rows));
  const exchange = sampleExchange(rowsOf(rows), "application/json", { secrets: [secrets], json });
  return [...LOOKS, ...LOOKS].map((look) => {
    const before = count();
    const shown = JSON.stringify(look(exchange));
    expect(shown).not.toContain("hush-hush-42");
    expect(shown).toContain("{{mine}}");
    return count() - before;
  });
}

describe("an answer is searched for secrets", () => {
  test("once: another look searches nothing, in whatever form", () => {
    const [, ...others] = searchesOf(10);
    expect(others).toEqual(others.map(() => 0));
  });

  test("again when a secret has become known since", () => {
    const store = createSecretStore();
    const exchange = sampleExchange('{"a": "known-later-77"}', "application/json", {
      secrets: [store],
    });
    expect(renderBundle(exchange)["text/plain"]).toContain("known-later-77");
    store.setVariable("late", "known-later-77", true);
    expect(renderBundle(exchange)["text/plain"]).toContain("{{late}}");
    store.deleteVariable("late");
    expect(renderBundle(exchange)["text/plain"]).toContain("•••");
    store.setVariable("other", "known-later-77", undefined);
    store.setVariable("other", "known-later-77", false);
    expect(renderBundle(exchange)["text/plain"]).not.toContain("{{late}}");
  });
});

describe("a member below a secret name is hidden in its place", () => {
  const body = {
    user: { name: "ada", password: "letmein", pin: 12 },
    rows: [{ id: 1, by: "ada", apiKey: "table", total_tokens: 150 }],
    auth: { type: "basic", value: "London", at: 1_700_000_001 },
    sessionId: 4711,
    token: "",
    secret: true,
    otp: 1234,
    total_tokens: 150,
  };
  const client = createClient({ fetch: async () => Response.json(body) });

  test.each(["body", "table", "json", "text"] as const)(
    "as %s, however common its text is",
    async (part) => {
      const exchange = await client.send("GET http://h.test/");
      const bundle = renderBundle(client.show(exchange, part));
      for (const [form, shown] of Object.entries(bundle)) {
        const text = typeof shown === "string" ? shown : JSON.stringify(shown);
        expect(text, form).not.toMatch(/letmein|"table"|1234|4711/);
        expect(text, form).toContain("•••");
        expect(text, form).toMatch(/ada/);
        expect(text, form).toMatch(/150/);
      }
    },
  );

  test("in its text in another layout, as the prompt pages it", async () => {
    const exchange = await client.send("GET http://h.test/");
    const text = maskAnswerText(exchange, JSON.stringify(body, undefined, 2));
    expect(text).toContain('"password": "•••"');
    expect(text).not.toContain("letmein");
  });

  test("and so in copied data; what counts or is empty stays, and other members", () => {
    expect(maskValue(body, createSecretStore())).toEqual({
      user: { name: "ada", password: "•••", pin: 12 },
      rows: [{ id: 1, by: "ada", apiKey: "•••", total_tokens: 150 }],
      auth: { type: "basic", value: "•••", at: 1_700_000_001 },
      sessionId: "•••",
      token: "",
      secret: true,
      otp: "•••",
      total_tokens: 150,
    });
  });

  test("keys that are masked alike stay apart", () => {
    const store = createSecretStore();
    store.setVariable("a", "Zed-41-01", true);
    store.hideText("Zed-41-02");
    store.hideText("Zed-41-03");
    const data = { "Zed-41-01": 1, "Zed-41-02": 2, "Zed-41-03": 3 };
    expect(maskValue(data, store)).toEqual({ "{{a}}": 1, "•••": 2, "••• (2)": 3 });
  });

  test.each([
    ["text/csv", "id,password,total_tokens\n1,letmein,150\n2,,7\n"],
    ["text/tab-separated-values", "id\tpassword\ttotal_tokens\n1\tletmein\t150\n2\t\t7\n"],
  ])("a column of %s by its heading", (type, text) => {
    const exchange = sampleExchange(text, type, { secrets: [createSecretStore()] });
    for (const shown of [renderBundle(exchange), renderBundle(showTable(exchange))]) {
      for (const form of ["text/plain", "text/html", "text/markdown"] as const) {
        expect(shown[form], form).not.toContain("letmein");
        expect(shown[form], form).toContain("•••");
        expect(shown[form], form).toContain("150");
      }
    }
  });

  test.each([
    ["application/x-www-form-urlencoded", "user=ada&password=letmein"],
    [
      "multipart/form-data; boundary=b",
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nletmein\r\n--b--\r\n',
    ],
    ["application/x-ndjson", '{"user":"ada","password":"letmein"}\n'],
    ["text/event-stream", 'data: {"user":"ada","password":"letmein"}\n\n'],
  ])("a field of %s", (type, text) => {
    const headers = new Headers({ "content-type": type });
    const exchange = sampleExchange(text, type.split(";", 1)[0], {
      headers,
      secrets: [createSecretStore()],
    });
    expect(JSON.stringify(renderBundle(exchange))).not.toContain("letmein");
  });
});
