import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseVariableValue } from "../../kernel/session/mod.ts";
import { createClient, renderBundle, renderJson, type Value } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";

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
  lab.setVar("x", explore(lab.last?.json).o);
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
  delete explore(json)["3"];
  explore(json)["0"] = 4;
  explore(json).b = 5;
  explore(json).c = 6;
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

/** How a response writes a number, and what code sees of it. */
const NUMBERS: readonly (readonly [written: string, seen: unknown])[] = [
  ["25.00", 25],
  ["1.10", 1.1],
  ["-0.50", -0.5],
  ["1E13", 1e13],
  ["1e3", 1000],
  ["1e-7", 1e-7],
  ["0.0000001", 1e-7],
  ["-0.0", -0],
  ["-0", -0],
  ["1e21", 1e21],
  ["100000000000000000.0", 1e17],
  ["0.10000000000000000", 0.1],
  ["9007199254740993", 9007199254740993n],
  ["12345678901234567890", 12345678901234567890n],
  ["1e400", expect.objectContaining({ isLosslessNumber: true })],
  ["25", 25],
  ["0", 0],
];

test.each(NUMBERS)("%s of a response is sent as it is written", async (number, seen) => {
  answer = `{"price":${number},"list":[1,${number}],"o":{"id":7,"price":${number}}}`;
  const lab = createClient();
  const { json } = await lab.send(`# @name login\nPOST ${base}/`);
  expect([explore(json).price, explore(json).list[1], explore(json).o.price]).toEqual([
    seen,
    seen,
    seen,
  ]);
  lab.setVar("user", json);
  lab.setVar("o", explore(json).o);
  lab.setVar("again", lab.getVar("user"));
  received = [];
  const wholes = ["{{login.response.body}}", "{{login.response.body.$}}", "{{user}}", "{{again}}"];
  const parts = [
    "{{login.response.body.price}}",
    "{{login.response.body.$.price}}",
    "{{login.price}}",
    "{{login.$..price}}",
    "{{login.$.list[-1]}}",
    "{{login.$.list[1:]}}",
    "{{login.$.o[?(@ != 7)]}}",
    "{{login.list[1]}}",
    "{{user.price}}",
    "{{user.list[1]}}",
    "{{o.price}}",
    "{{again.o.price}}",
  ];
  for (const one of wholes) await lab.sendAll(`POST ${base}/\n\n${one}`);
  for (const one of parts) await lab.sendAll(`@v = ${one}\nPOST ${base}/\n\n${one}|{{v}}`);
  await lab.send({ method: "POST", url: `${base}/`, json });
  expect(sent()).toEqual([
    ...wholes.map(() => answer),
    ...parts.map(() => `${number}|${number}`),
    answer,
  ]);
});

test.each(NUMBERS)("%s is shown as it is written", async (number) => {
  const forms = ["text/plain", "text/html", "text/markdown"];
  const lab = createClient();
  const shows = (value: unknown): void => {
    const bundle = renderBundle(value);
    // Not in the source of the body, which HTML has below the view.
    for (const form of forms) {
      if (form in bundle) expect(String(bundle[form]).split("JSON (")[0]).toContain(number);
    }
  };
  for (const text of [
    `{"price":${number}}`,
    `[${number},"x"]`,
    `[{"id":1,"price":${number}},{"id":2,"price":null}]`,
    `[{"id":1,"o":{"price":${number}}},{"id":2,"o":[]}]`,
    `{"p":[{"q":{"price":${number}}}]}`,
    `[${Array.from({ length: 12 }, () => number).join()}]`,
    number,
    `[{"price":${number},"text":"${"x".repeat(1_100_000)}"}]`,
  ]) {
    answer = text;
    const exchange = await lab.send(`POST ${base}/`);
    shows(exchange);
    if (typeof exchange.json === "object") shows(exchange.json);
    if (Array.isArray(exchange.json)) shows(lab.table(exchange));
  }
});

test("a table of prices is sorted and filtered by value", async () => {
  answer = '[{"id":1,"price":25.00},{"id":2,"price":3.10},{"id":3,"price":1E2}]';
  const lab = createClient();
  const { json } = await lab.send(`POST ${base}/`);
  const ids = (view: unknown): string => (String(view).match(/^ *\d(?= +\d)/gm) ?? []).join("");
  expect(ids(lab.table(json, { sort: "price" })).replace(/ /g, "")).toBe("213");
  for (const filter of [
    { price: 25 },
    { price: (price: unknown) => price === 25 },
    (row: Readonly<Record<string, unknown>>) => row["price"] === 25,
    "25.00",
  ]) {
    expect(String(lab.table(json, { filter }))).toMatch(/^ ?1 +25\.00\n1 row/m);
  }
});

test("numbers that code has changed, and names that occur twice", async () => {
  answer = '{"a":1.0,"b":2.0,"c":3.0,"list":[2.0,1.0],"a":1,"b":null}';
  const lab = createClient();
  const { json } = await lab.send(`# @name login\nPOST ${base}/`);
  explore(json).c = 4;
  explore(json).list.sort();
  expect(lab.render("GET http://h/{{login.response.body.$}}").url).toBe(
    'http://h/{"a":1,"b":null,"c":4,"list":[1,2]}',
  );
});
