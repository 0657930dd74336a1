import { describe, expect, test } from "vitest";
import { TerminalReporter } from "../../kernel/run/terminal-reporter.ts";
import { CREDENTIAL_HEADERS, createClient, renderBundle } from "../../lib/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { restlab } from "../support/command.ts";

// What `notebooks/reference-secrets.md` says and no other test of this folder holds it to.

const SECRET = "cl\"aim\\ed/ä-9'k&<";

const html = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

describe("a secret that was escaped twice is found", () => {
  const store = createSecretStore();
  store.setVariable("mine", SECRET, true);
  const escaped: Readonly<Record<string, (text: string) => string>> = {
    "as JSON": (text) => JSON.stringify(text).slice(1, -1),
    "as a string of JavaScript": (text) => text.replace(/[\\'"`]/g, "\\$&"),
    "as HTML": html,
    "as CSV": (text) => text.replaceAll('"', '""'),
    "in a URL": encodeURIComponent,
    "as HTML, then JSON": (text) => JSON.stringify(html(text)).slice(1, -1),
  };

  test.each(Object.entries(escaped))("%s", (_, write) => {
    let text = SECRET;
    for (let times = 1; times <= 2; times++) {
      text = write(text);
      expect(store.mask(`before ${text} behind`)).toBe("before {{mine}} behind");
    }
  });
});

describe("the value of a header is a secret", () => {
  test.each(CREDENTIAL_HEADERS)("%s", (name) => {
    const store = createSecretStore();
    const isCookie = name.endsWith("cookie");
    store.learn(
      {
        kind: "headers",
        headers: [[name.toUpperCase(), isCookie ? "sid=Header-value-01" : "Header-value-01"]],
      },
      "person",
    );
    expect(store.mask("it is Header-value-01")).toBe("it is •••");
  });
});

test.each([
  "POST /login\n\npassword=Source-pw-01&user=ada",
  "GET /users\nX-My-Token: Source-pw-01",
  ".header X-My-Token: Source-pw-01",
  "GET /users\nX-ClientCert: pfx: ./me.p12 passphrase: Source-pw-01",
  'client.setVar("pin", "Source-pw-01", { secret: true })',
  'const password: string = "Source-pw-01";',
  "let apiKey: string | undefined = `Source-pw-01`",
  'const f = (token: string = "Source-pw-01") => token;',
  "secret ??= 'Source-pw-01'",
  'const tokens: string[] = ["Source-pw-00", "Source-pw-01"];',
  "curl --bogus -u ada:Source-pw-01 https://x.org/",
  "curl --bogus -u 'ada lovelace:Source-pw-01' https://x.org/",
  "curl \\\n  --oauth2-bearer Source-pw-01 https://x.org/",
])("what a person wrote into a cell is masked before it runs: %j", (text) => {
  const store = createSecretStore();
  store.learn({ kind: "source", text }, "person");
  expect(store.mask("it is Source-pw-01")).not.toContain("Source-pw-01");
});

test("a type of GraphQL and a member of an object are no secrets of a cell", () => {
  const store = createSecretStore();
  const text = "POST /graphql\n\ntype User {\n  password: String!\n  token: answer.json.value1\n}";
  store.learn({ kind: "source", text }, "person");
  expect(store.mask("String! answer.json.value1")).toBe("String! answer.json.value1");
});

test("a name without a password in a URL is a secret where it is long enough for a token", () => {
  const store = createSecretStore();
  store.learn({ kind: "url", url: "http://ada-lovelace-of-9:@h/" }, "person");
  store.learn({ kind: "url", url: "http://ghp-0123456789abc@h/" }, "person");
  store.learn({ kind: "url", url: "http://ada9lovelace@h/" }, "person");
  expect(store.mask("ghp-0123456789abc ada9lovelace")).toBe("••• ada9lovelace");
});

test("what is too common is masked in credential headers and in URLs all the same", async () => {
  const client = createClient({ fetch: async () => new Response("a table in London") });
  const request = "GET http://ada:table@h.test/?token=London\nAuthorization: Bearer table";
  const shown = renderBundle(await client.send(request))["text/plain"];
  expect(shown).toContain("a table in London");
  expect(shown?.replace("a table in London", "")).not.toMatch(/table|London/);
});

describe("environments", () => {
  const files: Readonly<Record<string, string>> = {
    "http-client.env.json": '{"dev": {"city": "Ulm-4711", "apiKey": "Public-key-01"}}',
    "http-client.private.env.json": '{"dev": {"street": "Private-street-02"}}',
    ".env": "DB_PASSWORD=Dotenv-pw-03",
  };

  test("what private files hold is secret, and what is named so in others", async () => {
    const client = createClient({
      readFile: async (path) => {
        const text = files[path.replace(/^.*\//, "")];
        if (text === undefined) throw Object.assign(new Error("none"), { code: "ENOENT" });
        return new TextEncoder().encode(text);
      },
    });
    await client.useEnv("dev");
    expect(client.secrets.mask("Ulm-4711 Public-key-01 Private-street-02 Dotenv-pw-03")).toBe(
      "Ulm-4711 {{apiKey}} {{street}} {{DB_PASSWORD}}",
    );
  });
});

describe("a body of several MiB", () => {
  const TOKEN = "Far-behind-T0ken-1";
  const body = JSON.stringify({ pad: "x".repeat(2_000_000), token: TOKEN });
  const answer = async () => {
    const headers = { "Content-Type": "application/json" };
    const client = createClient({ fetch: async () => new Response(body, { headers }) });
    return { client, exchange: await client.send("GET http://h.test/") };
  };

  test("is learned as a whole when its text is asked for", async () => {
    const { client, exchange } = await answer();
    expect(exchange.text).toBe(body);
    expect(client.secrets.mask(TOKEN)).toBe("•••");
  });

  test("is learned as a whole when it is shown", async () => {
    const { client, exchange } = await answer();
    const shown = Object.values(renderBundle(client.show(exchange, "json"))).map(String);
    expect(shown.join("\n")).not.toContain(TOKEN);
    expect(client.secrets.mask(TOKEN)).toBe("•••");
  });
});

test("the progress line of a run holds none", async () => {
  const { secrets } = createClient();
  secrets.learn({ kind: "value", value: { token: "Progress-t0ken-1" } }, "person");
  const silent = {
    write: () => undefined,
    writeBytes: async () => undefined,
    columns: () => 80,
    color: false,
    isTerminal: false,
  };
  const drawn = new Promise<string>((resolve) => {
    const stderr = { ...silent, isTerminal: true, write: resolve };
    const reporter = new TerminalReporter({ stdout: silent, stderr, secrets, form: "brief" });
    const cell = { type: "code", source: "GET http://h/Progress-t0ken-1" };
    reporter.cellStarted(cell as Parameters<typeof reporter.cellStarted>[0], 1, 1);
  });
  expect(await drawn).toContain("GET http://h/•••");
});

describe("into a pipe, -e writes", () => {
  const request = 'POST {{base}}/echo\nX-Api-Key: Piped-key-01\n\n{"token": "Piped-t0ken-02"}';
  const outputOf = async (...flags: readonly string[]): Promise<string> =>
    (await restlab("node", ["--demo", ...flags, "-e", request])).stdout;

  test("the real body with --body, and the real answer with --json, whose request is masked", async () => {
    expect(JSON.parse(await outputOf("--body")).json).toEqual({ token: "Piped-t0ken-02" });
    const { request: sent, json } = JSON.parse(await outputOf("--json"));
    expect(json.json).toEqual({ token: "Piped-t0ken-02" });
    expect(JSON.stringify(sent)).not.toContain("Piped-");
  });

  test("a masked view otherwise", async () => {
    const shown = await outputOf();
    expect(shown).toContain("•••");
    expect(shown).not.toContain("Piped-");
  });
});
