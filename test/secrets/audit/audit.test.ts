import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Shown } from "../../../kernel/session/cell/mod.ts";
import { createSession, type Session } from "../../../kernel/session/mod.ts";
import { createTerminalPrinter } from "../../../kernel/terminal/mod.ts";
import { type Exchange, type ExchangePart, renderBundle } from "../../../lib/mod.ts";
import { spellingsOf } from "../spellings.ts";
import { PLACES, startEcho } from "./echo-server.ts";
import { ALL, HANDED, TOLD } from "./known-secrets.ts";

const PARTS: readonly ExchangePart[] = [
  "request",
  "headers",
  "body",
  "json",
  "text",
  "table",
  "hex",
  "html-preview",
];
/** Every spelling of each secret, and the stretches of it that would tell most of it. */
const FORBIDDEN = ALL.flatMap((secret) =>
  [...spellingsOf(secret), ...stretchesOf(secret)].map((spelling) => ({ secret, spelling })),
);

/** Half a secret is one, too: nine characters of it in a row are looked for. */
function stretchesOf(secret: string): string[] {
  return [0, 5, secret.length - 9].map((from) => secret.slice(from, from + 9));
}

let echo: Awaited<ReturnType<typeof startEcho>>;
let session: Session;
let directory = "";

/** Which secrets a text shows, and in which spelling. */
function leaksIn(text: string): string[] {
  // The forms of one value repeat most of each other's lines.
  const lines = [...new Set(text.split("\n"))].join("\n");
  return FORBIDDEN.filter(({ spelling }) => lines.includes(spelling)).map(
    ({ secret, spelling }) => {
      const at = lines.indexOf(spelling);
      return `${secret} as ${spelling} in ${JSON.stringify(lines.slice(Math.max(0, at - 30), at + 60))}`;
    },
  );
}

/** Runs a cell and gives everything that front ends get of it. */
async function run(code: string): Promise<string> {
  const texts: string[] = [];
  const shown: Shown[] = [];
  let streams = "";
  const outcome = await session.execute(code, {
    stream: (_, text) => {
      streams += text;
    },
    display: (one) => void shown.push(one),
    displayWithId: (one) => {
      shown.push(one);
      return "id";
    },
    update: (_, one) => void shown.push(one),
    streamItem: (text) => void texts.push(text),
  });
  texts.push(streams);
  if (outcome.status === "error")
    texts.push(outcome.error.name, outcome.error.message, ...outcome.error.traceback);
  if (outcome.status === "ok" && outcome.result !== undefined) shown.push(outcome.result);
  for (const one of shown) {
    for (const form of Object.values(one.bundle()))
      texts.push(typeof form === "string" ? form : JSON.stringify(form));
    texts.push(JSON.stringify(one.metadata), printed(one.value));
  }
  return texts.join("\n");
}

/** A value as the prompt and `restlab run` print it. */
function printed(value: unknown): string {
  let text = "";
  const stream = {
    write: (piece: string) => {
      text += piece;
    },
    columns: () => 100,
    color: true,
  };
  createTerminalPrinter(stream, { secrets: session.client.secrets }).value(value);
  return text;
}

/** All that an exchange says of itself. */
function spoken(exchange: Exchange): string {
  const { client } = session;
  return [
    String(exchange),
    inspect(exchange, { depth: 9 }),
    JSON.stringify(exchange),
    exchange.toCurl(),
    exchange.toFetch(),
    exchange.toHttp(),
    ...Object.values(renderBundle(exchange)).map((form) => JSON.stringify(form)),
    ...PARTS.map((part) =>
      orItsMessage(() => {
        const view = client.show(exchange, part);
        return [String(view), ...Object.values(renderBundle(view)).map(String)].join("\n");
      }),
    ),
  ].join("\n");
}

/** A body that does not parse has no table, and says so. */
function orItsMessage(show: () => string): string {
  try {
    return show();
  } catch (error) {
    return String(error);
  }
}

const code = (text: string): string => JSON.stringify(text);

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "restlab-audit-"));
  echo = await startEcho(ALL, HANDED);
  session = await createSession({ platform: { directory, environment: {} }, timeout: 5_000 });
  const { client } = session;
  client.setVar("base", echo.base);
  client.setVar("mine", TOLD.variable, { secret: true });
  client.setVar("apiKey", TOLD.named);
  client.setVar("auth", {
    db: { password: TOLD.nested },
    secrets: [TOLD.listed],
    passcode: Number(TOLD.number),
  });
  client.setVar("token", TOLD.placeholderLike);
  const pem = readFileSync(join(import.meta.dirname, "../../support/self-signed.pem"), "utf8");
  const clientCertificate = { cert: pem, key: pem, passphrase: TOLD.passphrase };
  await client
    .extend({ connection: { clientCertificate } })
    .send(`${echo.base}/x`)
    .catch(() => undefined);
  const proxy = `http://ada:${TOLD.proxy}@127.0.0.1:1`;
  await client
    .extend({ connection: { proxy } })
    .send(`${echo.base}/x`)
    .catch(() => undefined);
  const url = `${echo.base}/x`;
  await client.send(
    `${url}?token=${TOLD.query}\nAuthorization: Bearer ${TOLD.literalBearer}\nX-Api-Key: ${TOLD.apiKeyHeader}\nCookie: sid=${TOLD.cookie}`,
  );
  await client.send(`http://ada:${encodeURIComponent(TOLD.userInfo)}@${new URL(url).host}/x`);
  await client.send({ url, json: { password: TOLD.jsonField } });
  await client.send({ url, form: { password: TOLD.formField } });
  await client.send({ url, multipart: { password: TOLD.part } });
  await client.send({ url, auth: { type: "basic", username: "ada", password: TOLD.basic } });
  await client.send({
    url: `${echo.base}/digest`,
    auth: { type: "digest", username: "ada", password: TOLD.digest },
  });
  await client.send({
    url,
    auth: {
      type: "oauth2",
      grant: "client_credentials",
      clientId: "me",
      clientSecret: TOLD.clientSecret,
      tokenEndpoint: `${echo.base}/token`,
    },
  });
  await client.send({
    url,
    auth: {
      type: "aws",
      accessKeyId: "AKIA",
      secretAccessKey: TOLD.awsKey,
      sessionToken: TOLD.awsSession,
      region: "r",
      service: "s",
    },
  });
  await client.send(`${echo.base}/login`);
  const socket = await client.websocket(`${echo.base}/echo`);
  socket.send({ token: TOLD.socket });
  await socket.next();
  await socket.close();
});
afterAll(async () => {
  await session.close();
  await echo.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("a server that echoes every secret", () => {
  test.each(Object.keys(PLACES))("in %s is not repeated", async (place) => {
    const path = `/place/${encodeURIComponent(place)}`;
    const { client } = session;
    const texts: Record<string, string> = {
      "a request": await run(`GET {{base}}${path}`),
      "a stream": await run(
        // Pieces of a text are cut anywhere: what is printed between them would part a secret.
        `for await (const piece of client.stream("GET {{base}}${path}")) piece.kind === "text" ? process.stdout.write(piece.text) : console.log(piece);`,
      ),
      "its parts": await run(`
        const it = await client.send("GET {{base}}${path}");
        console.log(it.statusText, [...it.headers], it.text, it.redirects, it.warnings, it.bytes.slice(0, 3));
        for (const piece of it.text.match(/[^]{1,5}/g) ?? []) process.stdout.write(piece);
        it.text`),
      bytes: await run("client.last.bytes"),
      JSON: await run("client.last.json"),
    };
    texts["the exchange"] = spoken(client.last);
    const failed = await client
      .send(`GET {{base}}${path}`, { timeout: 60, maxRedirects: 0 })
      .catch((error: unknown) => error);
    texts["a failure"] = [
      ...Object.values(renderBundle(failed, { secrets: [client.secrets] })).map(String),
      printed(failed),
    ].join("\n");
    // What is not shown at all is not masked either.
    expect(Object.values(texts).join()).toMatch(/•••|\{\{mine\}\}/);
    // All at once first: the channels repeat most of each other's lines.
    if (leaksIn(Object.values(texts).join("\n")).length === 0) return;
    const leaks = Object.entries(texts).map(([channel, text]) => [channel, leaksIn(text)]);
    expect(Object.fromEntries(leaks)).toEqual({});
  });
});

/** Cells that say secrets by themselves. */
const CELLS: Readonly<Record<string, string>> = {
  "the client": "client",
  "the client as text": "String(client) + JSON.stringify(client)",
  variables: "client.vars",
  "a variable": 'client.getVar("auth")',
  history: "client.history",
  "the last exchange": "client.last",
  responses: "client.responses",
  cookies: "client.cookies",
  "cookies as data": "JSON.stringify(client.cookies)",
  inspected: 'import { inspect } from "node:util"; inspect(client, { depth: 9, showHidden: true })',
  curl: "client.history.map((it) => it.toCurl() + it.toFetch() + it.toHttp())",
  "a preview":
    'client.render(`POST {{base}}/?k={{mine}}\\nX-A: {{apiKey}}\\n\\n{"a": "{{auth.db.password}}"}`)',
  "an error": 'throw new Error(client.getVar("mine"), { cause: client.getVar("auth") })',
  "an unknown name": `GET {{base}}/?token=${TOLD.query}&y={{mi}}`,
  "a broken placeholder": `GET {{base}}/?token=${TOLD.query}&y={{mine.}}`,
  "no answer": "GET http://127.0.0.1:1/{{mine}}?a={{auth}}",
  "a bad header": "GET {{base}}/\nX-A: {{mine}}\nX-B: {{apiKey}}\n<> bad: {{auth}}",
  "a fault of TypeScript": `const token: number = ${code(TOLD.query)};`,
  "a table": 'client.table([{ a: client.getVar("mine"), b: client.getVar("auth") }])',
  "many requests":
    'await client.all(["GET {{base}}/x?a={{mine}}", "GET http://127.0.0.1:1/{{apiKey}}"])',
  pages:
    'for await (const page of client.paginate("GET {{base}}/place/headers", "link", { maxPages: 1 })) page',
  "a socket": `WEBSOCKET {{base}}/echo\n\n{"a": "{{mine}}", "b": "{{auth.db.password}}"}\n`,
  "written in pieces":
    'for (const one of client.getVar("mine")) process.stderr.write(one); for (const one of client.getVar("apiKey")) { process.stdout.write(one); await null; }',
  bytes:
    'console.log(Buffer.from(client.getVar("mine")).toString("hex")); Buffer.from(client.getVar("mine"))',
  "typed bytes": 'new TextEncoder().encode(client.getVar("mine") + client.getVar("apiKey"))',
  "a Map, a Set, a URL, a Headers":
    '[new Map([[client.getVar("mine"), 1]]), new Set([client.getVar("apiKey")]), new URL("http://a:b@h/?x=" + encodeURIComponent(client.getVar("mine"))), new Headers({ "x-a": client.getVar("apiKey") })]',
  "a class and a symbol":
    'class A { secretly = client.getVar("apiKey"); #b = client.getVar("mine"); get [Symbol.toStringTag]() { return client.getVar("apiKey"); } } [new A(), Symbol(client.getVar("mine"))]',
  "a function":
    'const f = () => client.getVar("mine"); Object.assign(f, { token: client.getVar("mine") })',
  "a failing getter": '({ get a() { throw new Error(client.getVar("mine")); } })',
  "a rejection":
    'void Promise.reject(new Error(client.getVar("mine"))); await new Promise((done) => setTimeout(done, 20));',
  "console of all kinds":
    'console.table([{ a: client.getVar("mine") }]); console.dir(client.getVar("auth")); console.error("%s %o", client.getVar("mine"), client.getVar("auth")); console.group(client.getVar("apiKey")); console.trace(client.getVar("apiKey"));',
};

describe("a cell that shows", () => {
  test.each(Object.entries(CELLS))("%s shows no secret", async (_, cell) => {
    expect(leaksIn(await run(cell))).toEqual([]);
  });
});

describe("help while a person types", () => {
  const texts = ["GET {{", "GET {{mi", "GET {{auth.", "GET {{auth.db.", "client.vars."];
  test.each(texts)("%s", async (text) => {
    const found = await session.complete(text, text.length);
    expect(found.candidates.length).toBeGreaterThan(0);
    expect(leaksIn(JSON.stringify(found))).toEqual([]);
  });

  test("inspecting what is known of names", async () => {
    for (const text of [
      "GET {{mine}}",
      "GET {{auth}}",
      "GET {{auth.db.password}}",
      "GET {{token}}",
      "client.vars",
    ]) {
      expect(leaksIn(JSON.stringify((await session.inspect(text, text.length - 3)) ?? ""))).toEqual(
        [],
      );
    }
  });
});

describe("objects by themselves", () => {
  test("the client, what is pending, and remarks", () => {
    const { client } = session;
    const texts = [
      String(client),
      inspect(client, { depth: 9, showHidden: true }),
      JSON.stringify(client),
      inspect(client.pending),
      ...client.secrets.takeRemarks(),
    ];
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });

  test("the real values stay real", () => {
    expect(session.client.getVar("mine")).toBe(TOLD.variable);
    expect(session.client.getVar("token")).toBe(TOLD.placeholderLike);
  });
});
