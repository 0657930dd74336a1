import { afterAll, beforeAll, expect, test } from "vitest";
import { clientIn, dev, FILE, type Files, PRIVATE } from "../support/environment-files.ts";
import { explore } from "../support/explore.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

/** Files, the end of `{{base}}/`, and what arrives. */
const FILLED: readonly (readonly [title: string, files: Files, path: string, sent: string])[] = [
  ["a text in an object", dev({ h: "a", o: { u: "{{h}}/u" } }), "{{o.u}}", "a/u"],
  ["an item of a list", dev({ h: "a", l: ["{{h}}", "x"] }), "{{l[0]}}{{l[1]}}", "ax"],
  ["at any depth", dev({ h: "a", o: [{ p: [[{ q: "{{h}}" }]] }] }), "{{o[0].p[0][0].q}}", "a"],
  ["the whole", dev({ h: "a", o: { u: "{{h}}" } }), "{{o}}", '{"u":"a"}'],
  ["an object within a text", dev({ o: { a: [1] }, v: "x={{o}}" }), "{{v}}", 'x={"a":[1]}'],
  ["quotes in a text of an object", dev({ h: 'a"b\\', o: { u: "{{h}}" } }), "{{o.u}}", 'a"b\\'],
  ["one placeholder: an object", dev({ b: { id: 7 }, v: "{{b}}" }), "{{v.id}}", "7"],
  ["one placeholder: a list", dev({ b: [7, 8], v: "{{b}}" }), "{{v[1]}}", "8"],
  ["one placeholder in an object", dev({ b: { id: 7 }, o: { v: "{{b}}" } }), "{{o.v.id}}", "7"],
  ["one placeholder: a member", dev({ b: { id: [7] }, v: "{{b.id}}" }), "{{v[0]}}", "7"],
  [
    "one placeholder: a number as written",
    { [FILE]: '{"dev": {"n": 1.0, "v": "{{n}}", "o": {"v": "{{n}}"}}}' },
    "{{v}}/{{o.v}}/{{o}}",
    '1.0/1.0/{"v":1.0}',
  ],
  [
    "one placeholder: null, false",
    dev({ n: null, f: false, o: ["{{n}}", "{{f}}"] }),
    "{{o}}",
    "[null,false]",
  ],
  [
    "one placeholder of another file",
    { ...dev({ v: "{{D}}" }), "/repo/.env": "D={{e}}\ne=x" },
    "{{v}}",
    "x",
  ],
  [
    "names in the order in which they are written",
    { [FILE]: '{"dev": {"h": "a", "o": {"b": "{{h}}", "2": 1.50, "1": 0}}}' },
    "{{o}}",
    '{"b":"a","2":1.50,"1":0}',
  ],
  ["a list in a text", dev({ l: [1, { a: 2 }], t: "x{{l}}y" }), "{{t}}", 'x[1,{"a":2}]y'],
  ["braces of others", dev({ o: { v: "{{1}}{{1,2}}" } }), "{{o.v}}", "{{1}}{{1,2}}"],
  ["an escape", dev({ h: "a", o: { v: "\\{{h}}" } }), "{{o.v}}", "{{h}}"],
  ["a part beside", dev({ o: { a: "{{o.b}}/a", b: "b" } }), "{{o.a}}", "b/a"],
  [
    "parts in a chain",
    dev({ o: { a: "{{o.b}}1", b: "{{o.c}}2", c: "{{p.d}}3" }, p: { d: "4", e: "{{o.a}}" } }),
    "{{p.e}}",
    "4321",
  ],
  [
    "what is beside an unknown name",
    dev({ h: "a", o: { u: "{{h}}", x: "{{nobody}}" } }),
    "{{o.u}}",
    "a",
  ],
  [
    "what is beside a broken placeholder",
    dev({ h: "a", o: { u: ["{{h}}"], x: "{{a b}}" } }),
    "{{o.u[0]}}",
    "a",
  ],
  [
    "a value that uses such a part",
    dev({ h: "a", o: { u: "{{h}}", x: "{{nobody}}" }, v: "{{o.u}}/v" }),
    "{{v}}",
    "a/v",
  ],
  ["$shared", dev({}, { r: "v1", v: "{{r}}/x" }), "{{$shared v}}", "v1/x"],
  [
    "$shared of $shared",
    dev({}, { r: "v1", q: "{{$shared r}}", v: "{{$shared q}}/x" }),
    "{{$shared v}}",
    "v1/x",
  ],
  [
    "$shared in a value",
    dev({ v: "{{$shared a}}/u" }, { r: "v1", a: "{{r}}/api" }),
    "{{v}}",
    "v1/api/u",
  ],
  [
    "$shared with a name of the environment",
    dev({ r: "v2" }, { r: "v1", v: "{{r}}" }),
    "{{$shared v}}",
    "v2",
  ],
  [
    "an object of $shared",
    dev({ v: "{{$shared o}}" }, { o: { u: "{{r}}" }, r: "a" }),
    "{{v.u}}",
    "a",
  ],
  ["$dotenv", { "/repo/.env": "V={{W}}/x\nW=w", ...dev({}) }, "{{$dotenv V}}", "w/x"],
  [
    "$dotenv with a name of the environment",
    { "/repo/.env": "V={{h}}", ...dev({ h: "a" }) },
    "{{$dotenv V}}",
    "a",
  ],
  [
    "a value of $shared is extended",
    dev({ v: "{{v}}/dev" }, { v: "s" }),
    "{{v}}/{{$shared v}}",
    "s/dev/s",
  ],
  [
    "extended in each file",
    {
      ...dev({ v: "{{v}}b" }, { v: "{{v}}{{w}}", w: "a" }),
      "/repo/.env": "v=e",
      [PRIVATE]: '{"dev": {"v": "{{v}}c"}}',
    },
    "{{v}}",
    "eabc",
  ],
];

test.each(FILLED)("%s", async (_title, files, path, sent) => {
  const lab = clientIn(files, recorder.base);
  await lab.useEnv("dev");
  expect(lab.check(`GET {{base}}/${path}`)).toEqual([]);
  expect(lab.render(`GET http://localhost/${path}`).url).toBe(`http://localhost/${sent}`);
  await lab.send(`POST {{base}}/\n\n${path}`);
  expect(
    recorder.take().map(({ body }) => body.replaceAll(/\n */g, "").replaceAll('": ', '":')),
  ).toEqual([sent]);
});

test("a whole object in a body, a header and a URL", async () => {
  const lab = clientIn(
    dev({ h: "a", o: { u: "{{h}}/u", l: ["{{n}}"] }, n: { id: 7 }, v: "{{o}}" }),
    recorder.base,
  );
  await lab.useEnv("dev");
  await lab.send(
    'POST {{base}}/{{v.l}}\nX-Value: {{v}}\nContent-Type: application/json\n\n{"v": {{v}}}',
  );
  const [{ line = "", headers = {}, body = "" } = {}] = recorder.take();
  expect(decodeURI(line)).toBe('POST /[{"id":7}]');
  expect(headers["X-Value"]).toBe('{"u":"a/u","l":[{"id":7}]}');
  expect(JSON.parse(body)).toEqual({ v: { u: "a/u", l: [{ id: 7 }] } });
});

/** Files, the end of `{{base}}/`, and what is said. */
const SAID: readonly (readonly [title: string, files: Files, path: string, said: string])[] = [
  [
    "a cycle",
    dev({ a: "{{b}}", b: "{{a}}" }),
    "{{a}}",
    "http-client.env.json:1 sets it in terms of itself: a → b → a",
  ],
  [
    "a cycle that the value is no part of",
    { [FILE]: '{"dev": {"v": "{{a}}",\n"a": "{{b}}x",\n"b": ["{{c}}"], "c": "{{a}}"}}' },
    "{{v}}",
    "http-client.env.json:2 sets it in terms of itself: a → b → c → a",
  ],
  ["a cycle of one", dev({ a: "{{a}}" }), "{{a}}", "in terms of itself: a → a"],
  [
    "a cycle in an object",
    dev({ o: { a: "{{o.b}}", b: "{{o.a}}" } }),
    "{{o.a}}",
    "in terms of itself: o.b → o.a → o.b",
  ],
  ["a whole in its part", dev({ o: { a: "{{o}}" } }), "{{o.a}}", "in terms of itself: o"],
  [
    "a cycle of $shared",
    dev({}, { a: "{{$shared b}}", b: "{{$shared a}}" }),
    "{{$shared a}}",
    "in terms of itself: $shared a → $shared b → $shared a",
  ],
  [
    "a cycle by $dotenv",
    { "/repo/.env": "A={{b}}", ...dev({ b: "{{$dotenv A}}" }) },
    "{{b}}",
    "in terms of itself: b → $dotenv A → b",
  ],
  [
    "an unknown name in an object",
    { [FILE]: '{"dev": {\n"o": {"a": "{{nobody}}"}}}' },
    "{{o.a}}",
    'http-client.env.json:2 sets it, but cannot resolve "{{nobody}}": there is no variable "nobody"',
  ],
  [
    "the unknown name of the part that is used",
    dev({ o: { a: "{{nobody}}", b: ["{{noone}}"] } }),
    "{{o.b[0]}}",
    '"{{noone}}"',
  ],
  [
    "an unknown name beside, for the whole",
    dev({ o: { a: "{{nobody}}", b: 1 } }),
    "{{o}}",
    '"{{nobody}}"',
  ],
  [
    "a property that is missing beside an unknown name",
    dev({ o: { a: "{{nobody}}" } }),
    "{{o.b}}",
    '"o" has no property "b"',
  ],
  [
    "a broken placeholder in an object",
    dev({ o: { a: "{{a b}}" } }),
    "{{o.a}}",
    'http-client.env.json:1 sets it, but cannot parse "{{a b}}"',
  ],
  [
    "an unknown name of $shared",
    dev({}, { a: "{{nobody}}" }),
    "{{$shared a}}",
    'sets it, but cannot resolve "{{nobody}}"',
  ],
  [
    "an unknown name of .env",
    { "/repo/.env": "A={{nobody}}", ...dev({}) },
    "{{$dotenv A}}",
    '.env:1 sets it, but cannot resolve "{{nobody}}"',
  ],
  [
    "lines that repeat each other",
    dev(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `v${at}`,
          at === 0 ? "lol" : `{{v${at - 1}}}{{v${at - 1}}}`,
        ]),
      ),
    ),
    "{{v39}}",
    "longer than 16777216 characters",
  ],
  [
    "lists that repeat each other",
    dev(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `v${at}`,
          at === 0 ? "lol" : [`{{v${at - 1}}}`, `{{v${at - 1}}}`],
        ]),
      ),
    ),
    "{{v39}}",
    "longer than 16777216 characters",
  ],
];

test.each(SAID)("is said: %s", async (_title, files, path, said) => {
  const lab = clientIn(files, recorder.base);
  await lab.useEnv("dev");
  const text = `GET {{base}}/${path}`;
  const [fault, ...others] = lab.check(text);
  expect(others).toEqual([]);
  expect(fault?.message).toContain(said);
  await expect(lab.send(text)).rejects.toThrow(said);
  expect(recorder.take()).toEqual([]);
});

test("a value in an object may name an answer, and a variable that is set later", async () => {
  const lab = clientIn(dev({ o: { url: "{{host}}/{{login.count}}", user: "ada" } }), recorder.base);
  await lab.useEnv("dev");
  await lab.send("# @name login\nGET {{base}}/{{o.user}}");
  lab.setVar("host", "h");
  await lab.send("GET {{base}}/{{o.url}}/{{o.user}}");
  const count = explore(lab.responses["login"]?.json).count;
  expect(recorder.take().map(({ line }) => line)).toEqual(["GET /ada", `GET /h/${count}/ada`]);
  const text = "# @name login\nGET {{base}}/\n\n###\nGET {{base}}/{{o.url}}";
  const other = clientIn(dev({ o: { url: "x/{{login.count}}" } }), recorder.base);
  await other.useEnv("dev");
  expect(other.check(text)).toEqual([]);
  await other.sendAll(text);
  expect(recorder.take()[1]?.line).toMatch(/^GET \/x\/\d+$/);
});

test("what was set, and what came from an answer, is never looked through", async () => {
  const lab = clientIn(
    dev({ h: "secret", v: "{{s}}", o: { a: "{{s}}", b: "{{t.x}}" } }),
    recorder.base,
  );
  lab.setVar("s", "{{h}}");
  lab.setVar("t", { x: "{{$shared h}}" });
  await lab.useEnv("dev");
  await lab.send("POST {{base}}/\n\n{{v}} {{o.a}} {{o.b}}");
  expect(recorder.take()[0]?.body).toBe("{{h}} {{h}} {{$shared h}}");
});

test("a part of a private object is masked, also where the rest has no value", async () => {
  const lab = clientIn(
    { [PRIVATE]: '{"dev": {"o": {"a": "{{part}}-of-a-long-one", "b": "{{nobody}}"}}}' },
    recorder.base,
  );
  lab.setVar("part", "first");
  await lab.useEnv("dev");
  expect(lab.render("GET http://localhost/{{o.a}}").url).toContain("/first-of-a-long-one");
  expect(lab.secrets.mask("x first-of-a-long-one")).toBe("x {{o.a}}");
});

test("a login whose neighbour cannot be filled is used", async () => {
  const login = {
    Type: "OAuth2",
    "Grant Type": "Client Credentials",
    "Token URL": "{{base}}/token-{{t}}",
    "Client ID": "me",
  };
  const Auth = { good: login, bad: { ...login, "Client ID": "{{nobody}}" } };
  const lab = clientIn(dev({ t: "x", Security: { Auth } }), recorder.base);
  await lab.useEnv("dev");
  await expect(lab.send('GET {{base}}/{{$auth.token("good")}}')).rejects.toThrow("access_token");
  expect(recorder.take().map(({ line }) => line)).toEqual(["POST /token-x"]);
  await expect(lab.send('GET {{base}}/{{$auth.token("bad")}}')).rejects.toThrow('"{{nobody}}"');
  expect(recorder.take()).toEqual([]);
});

/** Texts, and values that go before that of a private file, however short they are. */
const OVERRIDDEN: readonly (readonly [text: string, value: unknown, sent: string])[] = [
  ["GET {{base}}/{{user}}", "guest", "/guest"],
  ["GET {{base}}/{{user}}", 1234, "/1234"],
  ["GET {{base}}/{{user}}", true, "/true"],
  ["GET {{base}}/{{user}}", { name: "ab" }, '/{"name":"ab"}'],
  ["@user = guest\nGET {{base}}/{{user}}", undefined, "/guest"],
  ["@user := {{base}}\n@user = ab\nGET {{base}}/{{user}}", undefined, "/ab"],
  ["# @prompt user\nGET {{base}}/{{user}}", undefined, "/asked"],
];

test.each(OVERRIDDEN)("a private value is overridden: %j, %j", async (text, value, sent) => {
  const files = { [PRIVATE]: '{"dev": {"user": "a-long-private-user-1"}}' };
  const lab = clientIn(files, recorder.base, { ask: async () => "asked" });
  await lab.useEnv("dev");
  if (value !== undefined) lab.setVar("user", value);
  expect(lab.check(text)).toEqual([]);
  await lab.send(text);
  expect(recorder.take().map(({ line }) => decodeURI(line))).toEqual([`GET ${sent}`]);
  const asked = sent === "/asked" ? [] : [expect.stringContaining("cannot be masked")];
  expect(lab.secrets.takeRemarks()).toEqual(asked);
  expect(() => lab.setVar("user", "ab", { secret: true })).toThrow("Cannot keep the variable");
});
