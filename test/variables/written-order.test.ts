import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseVariableValue } from "../../kernel/session/mod.ts";
import { createClient, renderBundle, renderJson, type Value } from "../../lib/mod.ts";

/** A server that answers with the last body that it is told to, and keeps the bodies that it receives. */
let server: http.Server;
let base = "";
let answer = "{}";
let received: string[] = [];

beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    received.push(Buffer.concat(pieces).toString());
    response.setHeader("Content-Type", "application/json");
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** The bodies that were received, without blanks. */
function sent(): string[] {
  const bodies = received.map((body) => body.replace(/\s/g, ""));
  received = [];
  return bodies;
}

/** Objects whose names JavaScript lists in another order, and one that it does not. */
const OBJECTS = [
  '{"3":1,"1":2}',
  '{"b":1,"10":2,"9":{"2":[],"1":[{"1":1,"0":0}]},"a":null}',
  '{"4294967295":1,"4294967294":2,"x":3,"0":4}',
  '{"01":1,"1":2,"-1":3,"1.5":4,"0":5}',
  '{"1":1,"3":2,"__proto__":{"2":1,"1":2},"2":3}',
  '{"b":1,"a":2}',
];

test.each(OBJECTS)("%s of a line, setVar and --var", async (object) => {
  const lab = createClient();
  await lab.sendAll(`@o = ${object}\nPOST ${base}/\n\n{"o": {{o}}, "list": [{{o}}]}`);
  lab.setVar("o", parseVariableValue(object));
  lab.setVar("p", lab.getVar("o"));
  lab.setVar("list", [lab.getVar("p")]);
  await lab.sendAll(`@q = {{list}}\nPOST ${base}/\n\n{{q}}`);
  await lab.sendAll(`POST ${base}/?o={{p}}\nContent-Type: text/plain\n\n"{{p}}"`);
  await lab.send({ method: "POST", url: `${base}/`, json: lab.getVar("o") });
  expect(sent()).toEqual([
    `{"o":${object},"list":[${object}]}`,
    `[${object}]`,
    `"${object}"`,
    object,
  ]);
});

test.each(OBJECTS)("%s of an environment and of a saved file", async (object) => {
  const files = new Map([["http-client.env.json", `{"dev": {"o": ${object}, "l": [${object}]}}`]]);
  const lab = createClient({
    readFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw Object.assign(new Error("absent"), { code: "ENOENT" });
      return new TextEncoder().encode(text);
    },
    writeFile: async (path, text) => void files.set(path, text),
  });
  await lab.useEnv("dev");
  await lab.sendAll(`POST ${base}/\n\n{"o": {{o}}, "l": {{l}}}`);
  lab.setVar("saved", { o: lab.getVar("o") });
  await lab.save();
  lab.clearVars();
  await lab.load();
  await lab.sendAll(`POST ${base}/\n\n{{saved}}`);
  expect(sent()).toEqual([`{"o":${object},"l":[${object}]}`, `{"o":${object}}`]);
});

test.each(OBJECTS)("%s of a response", async (object) => {
  answer = `{"o":${object}}`;
  const lab = createClient();
  await lab.sendAll(`# @name login\nPOST ${base}/`);
  lab.setVar("x", lab.last?.json.o);
  received = [];
  for (const value of [
    "{{login.response.body}}",
    "{{login.response.body.$}}",
    '{"o": {{login.response.body.$.o}}}',
    '{"o": {{login.o}}}',
    '{"o": {{x}}}',
  ]) {
    await lab.sendAll(`POST ${base}/\nContent-Type: application/json\n\n${value}`);
  }
  expect(sent()).toEqual(Array.from({ length: 5 }, () => answer));
  // Code sees what JSON.parse gives.
  expect(lab.last?.json).toEqual(JSON.parse(answer));
  expect(JSON.stringify(lab.last?.json)).toBe(JSON.stringify(JSON.parse(answer)));
});

test("members that are deleted, added and replaced", async () => {
  answer = '{"b":1,"3":2,"1":3}';
  const lab = createClient();
  const { json } = await lab.send(`POST ${base}/`);
  delete json["3"];
  json["0"] = 4;
  json.b = 5;
  json.c = 6;
  lab.setVar("x", json);
  expect(lab.render("GET http://h/{{x}}").url).toBe('http://h/{"b":5,"1":3,"0":4,"c":6}');
});

test("the first of several members", async () => {
  answer = '{"o":{"b":"x","3":"y","1":"z"}}';
  const lab = createClient();
  await lab.send(`# @name list\nPOST ${base}/`);
  expect(lab.render("GET http://h/{{list.$.o.*}}").url).toBe("http://h/x");
});

/** The words of a view, in order. */
const wordsOf = (view: unknown): string =>
  [...new Set(String(view).match(/alpha|beta|gamma/g))].join(" ");

/** What is shown as beta, gamma and alpha. */
const WRITTEN = '"30":"beta","b":"gamma","10":"alpha"';

test.each([
  ["an object", `{${WRITTEN}}`],
  ["an object within", `{"o":{${WRITTEN}}}`],
  ["a table", `[{${WRITTEN}},{${WRITTEN}}]`],
  ["a cell", `[{"id":1,"o":{${WRITTEN}}},{"id":2,"o":null}]`],
  ["objects by name", '{"30":{"v":"beta"},"20":{"v":"gamma"},"10":{"v":"alpha"}}'],
  ["columns", '[{"beta":1,"5":"gamma","3":"alpha"},{"beta":2,"5":"","3":""}]'],
  ["a long body", `{"o":{${WRITTEN}},"p":"${"x".repeat(1_100_000)}"}`],
])("%s in each form", async (_, text) => {
  answer = text;
  const lab = createClient();
  const exchange = await lab.send(`POST ${base}/`);
  const shown = [exchange, exchange.json, lab.table(exchange), lab.table(exchange.json)];
  for (const value of shown) {
    for (const [type, form] of Object.entries(renderBundle(value))) {
      const seen = typeof form === "string" ? form : renderJson(form as Value);
      // A cell is cut.
      expect("beta gamma alpha", `${type}: ${seen}`).toContain(wordsOf(seen));
    }
  }
  expect(wordsOf(renderBundle(exchange)["text/plain"])).toMatch(/^beta gamma/);
  lab.setVar("v", exchange.json);
  expect("beta gamma alpha").toContain(wordsOf(renderBundle(lab.vars)["text/plain"]));
});

test("entries of a map, and columns of CSV", () => {
  const map = new Map<unknown, string>([
    [30, "beta"],
    ["b", "gamma"],
    [10, "alpha"],
  ]);
  for (const form of Object.values(renderBundle(map))) {
    const seen = typeof form === "string" ? form : renderJson(form as Value);
    expect(wordsOf(seen), seen).toBe("beta gamma alpha");
  }
});
