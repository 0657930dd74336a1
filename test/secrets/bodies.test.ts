import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createClient, renderBundle } from "../../lib/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { createMemoryFile } from "../har/memory-file.ts";
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

test("toJSON masks a field of a form with several parts in its place, however common its text is", async () => {
  const client = createClient({ fetch: async () => new Response("ok") });
  const part = (name: string, value: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const exchange = await client.send({
    url: "http://h.test/",
    method: "POST",
    headers: { "Content-Type": "multipart/form-data; boundary=b" },
    body: `${part("note", "kept")}${part("password", "secret")}--b--`,
  });
  const { request } = JSON.parse(JSON.stringify(exchange));
  expect(request.body).toContain("kept");
  expect(request.body).not.toContain("secret");
});

test("numbers in a list below a secret name are masked in their place, as in the table", async () => {
  const client = createClient({
    fetch: async () => Response.json({ otp: [1234, [9876]], tokens: [789], auth: { iat: [4321] } }),
  });
  const exchange = await client.send("GET http://h.test/");
  const shown = String(renderBundle(client.show(exchange, "text"))["text/plain"]);
  expect(shown).not.toMatch(/1234|9876/);
  expect(shown).toMatch(/789[\s\S]*4321/);
});

/** Longer than a secret that is searched for. */
const LONG = Array.from({ length: 313 }, (_, at) =>
  createHash("sha256").update(String(at)).digest("hex"),
).join("");
const IN_JSON = JSON.stringify({ note: "kept", access_token: LONG });
const PART = 'Content-Disposition: form-data; name="note"\r\n\r\nkept\r\n';

describe("below a secret name a value of any length is masked", () => {
  test.each([
    ["JSON", "application/json", IN_JSON],
    [
      "JSON of megabytes",
      "application/json",
      JSON.stringify({ ...JSON.parse(IN_JSON), token: LONG.repeat(90) }),
    ],
    [
      "nested JSON",
      "application/json",
      JSON.stringify({ note: "kept", auth: { user: "ada", a: [{ b: LONG }] } }),
    ],
    [
      "JSON in a string of JSON",
      "application/json",
      JSON.stringify({ body: IN_JSON, args: JSON.stringify({ IN_JSON }) }),
    ],
    ["cut JSON", "application/json", IN_JSON.slice(0, -200)],
    ["JSON Lines", "application/x-ndjson", `${IN_JSON}\n${IN_JSON}\n`],
    ["events", "text/event-stream", `data: ${IN_JSON}\n\n`],
    ["a form", "application/x-www-form-urlencoded", `note=kept&access_token=${LONG}&b=1`],
    [
      "a form with several parts",
      "multipart/form-data; boundary=b",
      `--b\r\n${PART}--b\r\n${PART.replace("note", "token").replace("kept", LONG)}--b--`,
    ],
    ["XML", "application/xml", `<a note="kept" token="${LONG}"><password>${LONG}</password></a>`],
    [
      "HTML",
      "text/html",
      `<p>kept<input name=csrf_token value="${LONG}"><script>var token = '${LONG}'</script>`,
    ],
    ["YAML", "application/yaml", `note: kept\ntoken: ${LONG}\nsecret: "${LONG}"\n`],
    ["a URL", "text/plain", `kept https://ada:${LONG}@h.test/?access_token=${LONG}#b`],
  ])("in %s", async (_, type, body) => {
    const file = createMemoryFile();
    const headers = { "Content-Type": type, "X-Auth-Token": LONG, "Set-Cookie": `a=${LONG}` };
    const client = createClient({
      fetch: async () => new Response(body, { headers }),
      openGrowingFile: file.open,
    });
    await client.record("long.har");
    const url = `http://ada:${LONG}@h.test/?token=${LONG}`;
    const exchange = await client.send({
      url,
      method: "POST",
      headers: { ...headers, Cookie: `b=${LONG}` },
      body,
    });
    const parts = ["request", "headers", "text"] as const;
    const views = [exchange, ...parts.map((part) => client.show(exchange, part))];
    const shown = [
      ...views.flatMap((view) =>
        Object.values(renderBundle(view)).map((form) =>
          typeof form === "string" ? form : JSON.stringify(form),
        ),
      ),
      file.text(),
    ];
    const pieces = LONG.match(/.{20}/g) ?? [];
    const leaks = shown.map((text) => pieces.filter((piece) => text.includes(piece)).length);
    expect(leaks).toEqual(shown.map(() => 0));
    expect(shown.at(-1)).toContain("kept");
    expect(exchange.text).toBe(body);
  });

  test("in a value of a program", () => {
    const { secrets } = createClient();
    const value = {
      note: "kept",
      access_token: LONG,
      auth: { a: [LONG] },
      text: IN_JSON,
      self: {},
    };
    value.self = value;
    const own = {
      [Symbol.for("Jupyter.display")]: () => ({ "application/json": { token: LONG } }),
    };
    for (const one of [value, own, { ...value, self: 1 }]) {
      const shown = JSON.stringify(renderBundle(one, { secrets: [secrets] }));
      expect(shown).toContain("•••");
      expect(shown).not.toContain(LONG.slice(0, 20));
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
    ["application/json", '{"token":["'],
    ["application/json", '"token":"\\\\'],
    ["application/json", '\\"token\\":\\\\\\"'],
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
