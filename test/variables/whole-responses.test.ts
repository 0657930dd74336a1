import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../kernel/library.ts";

const LOGIN = { token: "t-1", id: 77, list: [{ id: 1 }, { id: 2 }] };
const ANSWERS: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "/login": ["application/json", JSON.stringify(LOGIN)],
  "/list": ["application/json", "[1,2]"],
  "/number": ["application/json", "9007199254740993"],
  "/text": ["text/plain", 'say "hi"'],
  "/json-text": ["text/plain; charset=utf-8", '{"id": 5}'],
  "/bad": ["application/problem+json", '{"id": 5,}'],
  "/none": ["", "x"],
  "/empty": ["text/plain", ""],
};

/** The targets, the values of X and the bodies that the server received. */
let received: readonly string[] = [];
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    received = [...received, `${request.url}|${request.headers["x"] ?? ""}|${body}`];
    const [type, text] = ANSWERS[request.url ?? ""] ?? ["text/plain", ""];
    const typed = type === "" ? {} : { "Content-Type": type };
    response.writeHead(200, { ...typed, "Set-Cookie": "sid=cookie-secret" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const AUTHORIZED = "Authorization: Bearer first-secret-7741";
const named = (path: string): string => `# @name login\nGET ${base}${path}\n${AUTHORIZED}\n\n###\n`;

/** What the last request was, after a request of each text. */
async function last(...texts: readonly string[]): Promise<string> {
  received = [];
  await createClient().sendAll(texts.join(""));
  return received.at(-1) ?? "";
}

const post = (body: string, type = "application/json"): string =>
  `POST ${base}/forward\nContent-Type: ${type}\n\n${body}\n`;
const json = (value: unknown): string => `/forward||${JSON.stringify(value, null, 2)}`;

describe("a response that is used whole is its body", () => {
  test.each([
    ["{{login}}", json(LOGIN)],
    ["{{login.*}}", json(LOGIN)],
    ["{{login.$}}", json(LOGIN)],
    ["{{login.response}}", json(LOGIN)],
    ["{{login.response.body}}", json(LOGIN)],
    ["{{login.response.body.*}}", json(LOGIN)],
    ["{{response}}", json(LOGIN)],
    ["{{loginResponse}}", json(LOGIN)],
    [
      '"{{login.id}}/{{login.response.body.id}}/{{login.response.status}}"',
      '/forward||"77/77/200"',
    ],
    ["{{login.list.$[1]}}", json({ id: 2 })],
    ["{{login.$.list[1].id}}", "/forward||2"],
    ['{"a": {{login.request}}}', '/forward||{"a": }'],
    ['"{{login.request.headers.authorization}}"', '/forward||"Bearer first-secret-7741"'],
    [
      '{"s": "{{login}}"}',
      `/forward||${JSON.stringify({ s: JSON.stringify(LOGIN) }).replace('{"s":', '{"s": ')}`,
    ],
  ])("%s", async (placeholder, sent) => {
    expect(await last(named("/login"), post(placeholder))).toBe(sent);
  });

  test("in a URL, a header, lines, encoded, and by another name", async () => {
    const text = JSON.stringify(LOGIN);
    const lines = `@x = {{login}}\n@y = {"l": {{login}}}\n@z = {{x}}\n`;
    expect(await last(named("/login"), `GET ${base}/q?a={{%login}}\nX: {{login}}`)).toBe(
      `/q?a=${encodeURIComponent(text)}|${text}|`,
    );
    expect(
      await last(named("/login"), lines, post("[{{x}}, {{y}}, {{z}}]", "application/jsonl")),
    ).toBe(`/forward||[${text}, {"l":${text}}, ${text}]\n`);
    const parts =
      "{{x.id}} {{x.response.status}} {{x.response.body.id}} {{z.list[1].id}} {{y.l.id}}";
    expect(await last(named("/login"), lines, post(parts, "text/plain"))).toBe(
      "/forward||77 200 77 2 77",
    );
  });

  test.each([
    ["/list", "{{login}}", "[\n  1,\n  2\n]"],
    ["/number", "{{login}}", "9007199254740993"],
    ["/text", "{{login}}", 'say "hi"'],
    ["/text", '"{{login}}"', String.raw`"say \"hi\""`],
    ["/text", '{"t": {{login}}}', '{"t": say "hi"}'],
    ["/empty", '"{{login}}"', '""'],
    ["/none", "{{login.response}}", "x"],
  ])("of %s: %s", async (path, placeholder, sent) => {
    expect(await last(named(path), post(placeholder))).toBe(`/forward||${sent}`);
    const line = placeholder.replace(/\{\{[^}]*\}\}/, "{{x}}");
    const kept = await last(named(path), "@x = {{login}}\n", post(line));
    expect(kept).toBe(`/forward||${sent}`);
  });

  test("of each pass of a loop", async () => {
    const loop = `# @name login\n# @loop for 2\nGET ${base}/login\n${AUTHORIZED}\n\n###\n`;
    const of = async (placeholder: string): Promise<string> =>
      await last(loop, post(placeholder, "application/jsonl"));
    const text = JSON.stringify(LOGIN);
    expect(await of("{{loginList}}")).toBe(`/forward||[${text},${text}]\n`);
    expect(await of("{{loginList.$[*][]}}")).toBe(`/forward||[${text},${text}]\n`);
    expect(await of("{{loginList[1]}} {{login1}} {{loginList.$[0]}}")).toBe(
      `/forward||${text} ${text} ${text}\n`,
    );
    expect(await of("{{loginList[1].id}} {{loginList[1].response.status}}")).toBe(
      "/forward||77 200\n",
    );
    const each = `# @loop for one of loginList\n${post("{{one}} {{one.response.status}}", "application/jsonl")}`;
    expect(await last(loop, each)).toBe(`/forward||${text} 200\n`);
  });
});

test.each([
  ["/json-text", "login.id", "text/plain, not JSON"],
  ["/json-text", "login.response.body.id", "text/plain, not JSON"],
  ["/json-text", "login.$.id", "text/plain, not JSON"],
  ["/json-text", "login.response.body.$.id", "text/plain, not JSON"],
  ["/json-text", "login[0]", "text/plain, not JSON"],
  ["/bad", "login.id", "application/problem+json, but not valid JSON"],
  ["/none", "login.id.x", "not JSON, and has no Content-Type"],
])("of %s, {{%s}} says that the body is %s", async (path, placeholder, what) => {
  await expect(last(named(path), `GET ${base}/q?x={{${placeholder}}}`)).rejects.toThrow(
    `Cannot resolve "{{${placeholder}}}": the body of the response to "login" is ${what}`,
  );
});

test.each([
  ["/login", "login.nobody", '"login" has no property "nobody"'],
  ["/text", "login.response.nobody", '"login.response" has no property "nobody"'],
  ["/text", "login.response.headers.nobody", '"login.response.headers" has no property "nobody"'],
])("of %s, {{%s}} says: %s", async (path, placeholder, says) => {
  await expect(last(named(path), `GET ${base}/q?x={{${placeholder}}}`)).rejects.toThrow(says);
});
