import { describe, expect, test } from "vitest";
import { createSession } from "../../kernel/session/mod.ts";
import { createClient, renderBundle, toHttp } from "../../lib/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { summarizeRecorded } from "../../lib/verify/mod.ts";

const LONG = "Lng4aQ7zK1xW9vB3nM6cR2tY8uE5oP0sD4fG7hJ1kL6zX3";
const BEGINNING = LONG.slice(0, 5);
const nothing = (): undefined => undefined;

describe("a message that quotes the beginning of a secret hides it", () => {
  const client = createClient({ fetch: async () => Response.json({ all: LONG }) });
  client.setVar("mine", LONG, { secret: true });
  const said = async (text: string): Promise<string> => {
    const checked = client.check(text).map(({ message }) => message);
    const sent = await client.send(text).then(
      (exchange) => JSON.stringify(renderBundle(exchange)),
      (error: unknown) => String(error),
    );
    return [...checked, sent].join("\n");
  };

  test.each([
    ["a body that is not JSON", 'POST http://h.test/\n\n{"a": {{mine}}}'],
    ["an address without a port", "GET http://h.test:port/abcdefghijklmnopqrstuvwxyz/{{mine}}"],
    ["a scheme that is not supported", "GET ftp://h.test/abcdefghijklmnopqrstuvwxyz/{{mine}}"],
    ["a failed assertion", `GET http://h.test/\n?? body == ${"x".repeat(1_980)} {{mine}}`],
  ])("%s", async (_, text) => {
    const shown = await said(text);
    expect(shown).toMatch(/•••|\{\{mine\}\}/);
    expect(shown).not.toContain(BEGINNING);
  });

  test("wherever it is cut, but not where it ends by chance", () => {
    const store = createSecretStore();
    store.setVariable("mine", LONG, true);
    for (let length = 4; length < LONG.length; length++) {
      expect(store.mask(`a "${LONG.slice(0, length)}…" b`)).toBe('a "•••…" b');
    }
    expect(store.mask(`all of ${LONG}…`)).toBe("all of {{mine}}…");
    expect(store.mask("Loading…, Lng…")).toBe("Loading…, Lng…");
    expect(store.mask(`${"…".repeat(100_000)} ${LONG.slice(0, 9)}…`)).toMatch(/ •••…$/);
  });
});

describe("what is declared secret is masked, or refused", () => {
  test("a date, as it is inserted", () => {
    const client = createClient();
    client.setVar("born", new Date("1985-04-12T10:20:30.456Z"), { secret: true });
    expect(client.secrets.mask("it was 1985-04-12T10:20:30.456Z")).toBe("it was •••");
  });

  test("true and false", () => {
    const client = createClient();
    const set = (): unknown => client.setVar("isAdmin", true, { secret: true });
    expect(set).toThrow('Cannot keep the variable "isAdmin" secret: it is true or false');
  });
});

test("a word of a server in another case stays readable", () => {
  const store = createSecretStore();
  store.learn({ kind: "value", value: { auth: "GraphQL", token: "tAbLe" } }, "server");
  expect(store.mask("a table of graphql")).toBe("a table of graphql");
  store.learn({ kind: "value", value: { token: "HostName-77-Xy" } }, "server");
  expect(store.mask("http://hostname-77-xy.test/")).toBe("http://•••.test/");
});

test("the cause of an error has no secret that its message does not have", async () => {
  const client = createClient();
  client.setVar("mine", LONG, { secret: true });
  const url = `http://h.test:99999999/${LONG}`;
  const error = await client.send({ url }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  const { cause } = error as Error;
  expect(JSON.stringify([cause, Object.values(cause ?? {}), String(cause)])).not.toContain(LONG);
});

test("what a browser has recorded is compared without secrets", () => {
  const store = createSecretStore();
  store.setVariable("mine", LONG, true);
  const content = { text: JSON.stringify({ a: LONG, password: "old-1", [LONG]: 1 }), size: 1 };
  const response = {
    status: 200,
    headers: [["content-type", "application/json"]],
    content: { ...content, isBase64: false },
  };
  const entry = { method: "GET", url: `http://h.test/?q=${LONG}`, response };
  const rule = { mode: "exact", ignore: [] } as const;
  const summary = summarizeRecorded(entry as never, rule, store);
  const written = JSON.stringify(summary);
  expect(written).not.toContain(BEGINNING);
  expect(written).not.toContain("old-1");
});

describe("however short it is, what stands below a secret name is masked", () => {
  const body = { user: { name: "ada", password: "horse" } };
  const client = createClient({ fetch: async () => Response.json(body) });

  test.each([
    ["JSON", 'POST http://h.test/\n\n{"user": "ada", "password": "horse"}'],
    [
      "a form",
      "POST http://h.test/\nContent-Type: application/x-www-form-urlencoded\n\nuser=ada&password=horse",
    ],
  ])("in %s of a request that is written down", async (_, text) => {
    const exchange = await client.send(text);
    for (const code of [exchange.toCurl(), exchange.toFetch(), exchange.toHttp()]) {
      expect(code).toContain("ada");
      expect(code).not.toContain("horse");
    }
    expect(toHttp(exchange.request, { reveal: true })).toContain("horse");
  });

  test("in what an assertion found", async () => {
    const session = await createSession({ client, platform: { directory: process.cwd() } });
    try {
      const text = "GET http://h.test/\n?? body user == x\n?? body == x";
      const outcome = await session.execute(text, { stream: nothing, display: nothing });
      if (outcome.status !== "error") throw new Error("It passed");
      const written = JSON.stringify([
        outcome.error,
        outcome.error?.cause,
        String(outcome.error?.cause),
      ]);
      expect(written).toContain("ada");
      expect(written).not.toContain("horse");
    } finally {
      await session.close();
    }
  });
});

test("a key of a response that is a secret is not completed", async () => {
  const answer = { sessions: { [LONG]: 1, shown: 2 } };
  const client = createClient({ fetch: async () => Response.json(answer) });
  client.setVar("mine", LONG, { secret: true });
  const session = await createSession({ client, platform: { directory: process.cwd() } });
  try {
    const sink = { stream: nothing, display: nothing };
    await session.execute("# @name q\nGET http://h.test/", sink);
    for (const code of [
      "client.last.json.sessions.",
      "GET http://h.test/{{q.response.body.sessions.",
    ]) {
      const { candidates } = await session.complete(code, code.length);
      expect([code, ...candidates.map(({ text }) => text)]).toContainEqual(
        expect.stringContaining("shown"),
      );
      expect(JSON.stringify(candidates)).not.toContain(BEGINNING);
    }
  } finally {
    await session.close();
  }
});
