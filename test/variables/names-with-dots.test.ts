import { afterAll, beforeAll, expect, test } from "vitest";
import { clientIn, dev, FILE, type Files } from "../support/environment-files.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

/** Files, lines above the request, the end of its URL, and what arrives. */
const SENT: readonly (readonly [files: Files, lines: string, path: string, sent: string])[] = [
  [dev({ "api.host": "h" }), "", "{{api.host}}", "h"],
  [dev({ "api.host": "h" }), "", "{{ api.host }}", "h"],
  [dev({ "api.host": "a b" }), "", "{{%api.host}}", "a%20b"],
  [dev({ "api.host": "h", api: { host: "m", port: 1 } }), "", "{{api.host}}:{{api.port}}", "h:1"],
  [dev({ "api.host": "h", api: { host: "m" } }), "", '{{api["host"]}}', "m"],
  [dev({ "api.host": "h", api: "x" }), "", "{{api}}/{{api.host}}", "x/h"],
  [
    dev({ "api.host": { path: "p", list: [1, 2] } }),
    "",
    "{{api.host.path}}{{api.host.list[1]}}",
    "p2",
  ],
  [dev({ "api.host": { path: "p" }, "api.host.path": "q" }), "", "{{api.host.path}}", "q"],
  [
    dev({ "a.b.c": "abc", "a.b": { d: "ab" }, a: { e: "a" } }),
    "",
    "{{a.b.c}}{{a.b.d}}{{a.e}}",
    "abcaba",
  ],
  [dev({ "api.2": "two", "api.v-1": "v" }), "", "{{api.2}}{{api.v-1}}", "twov"],
  [dev({ host: "h", "api.url": "{{host}}/u", v: "{{api.url}}/v" }), "", "{{v}}", "h/u/v"],
  [dev({ "api.o": { u: "{{api.host}}" }, "api.host": "h" }), "", "{{api.o.u}}", "h"],
  [{ ...dev({}), "/repo/.env": "api.host=h" }, "", "{{api.host}}/{{$dotenv api.host}}", "h/h"],
  [{ [FILE]: '{"$shared": {"api.host": "h"}, "dev": {}}' }, "", "{{$shared api.host}}", "h"],
  [dev({ "api.host": "h" }), "@api.host = line", "{{api.host}}", "line"],
  [dev({ "api.host": { a: 1 } }), "@api.host.b = 2", "{{api.host.a}}{{api.host.b}}", "12"],
  [dev({ "api.host": "h" }), "@api.port = 1", "{{api.host}}{{api.port}}", "h1"],
  [dev({}), "@api.host = line", "{{api.host}}{{api}}", 'line{"host":"line"}'],
  [dev({ "2fa": "1" }), "", "x{{1,2}}{{2}}{{2.x}}", "x{{1,2}}{{2}}{{2.x}}"],
];

test.each(SENT)("%j %s %s", async (files, lines, path, sent) => {
  const lab = clientIn(files, recorder.base);
  await lab.useEnv("dev");
  const text = `${lines}\nPOST {{base}}/${lines === "" ? "" : "x"}\n\n${path}`;
  expect(lab.check(text)).toEqual([]);
  expect(lab.render(text).body).toBe(sent.replace('{"host":"line"}', '{\n  "host": "line"\n}'));
  await lab.send(text);
  expect(
    recorder.take().map(({ body }) => body.replaceAll(/\n */g, "").replace(": ", ":")),
  ).toEqual([sent]);
});

test("setVar, getVar, origin and deleteVar know such names", async () => {
  const lab = clientIn(dev({ "api.host": "file" }), recorder.base);
  await lab.useEnv("dev");
  expect(lab.getVar("api.host")).toBe("file");
  lab.setVar("api.host", "set");
  expect(lab.render("GET http://localhost/{{api.host}}").url).toBe("http://localhost/set");
  expect(lab.origin("api.host")).toEqual({ kind: "set", secret: false });
  lab.deleteVar("api.host");
  expect(lab.getVar("api.host")).toBe("file");
  expect(() => lab.setVar("api.other", 1)).toThrow("no placeholder could name it");
  for (const name of ["2fa", "a.", ".a", "a..b", "a b", "a.b c", "$a"]) {
    expect(() => lab.setVar(name, 1)).toThrow("no placeholder could name it");
  }
});

test("the name of a request may have dots", async () => {
  const lab = clientIn(dev({}), recorder.base);
  await lab.useEnv("dev");
  const text = `# @name api.login
GET {{base}}/login

###
GET {{base}}/{{api.login.response.status}}/{{api.login.count}}`;
  expect(lab.check(text)).toEqual([]);
  await lab.sendAll(text);
  expect(recorder.take()[1]?.line).toMatch(/^GET \/200\/\d+$/);
  const [fault] = lab.check("GET {{base}}/{{api.logim.count}}");
  expect(fault?.hint).toContain('"api.login"');
  const other = clientIn(dev({ "to.ken": "{{api.login.count}}" }), recorder.base);
  await other.useEnv("dev");
  expect(other.check(`${text}/{{to.ken}}`)).toEqual([]);
  await other.sendAll(`${text}/{{to.ken}}`);
  expect(recorder.take()[1]?.line).toMatch(/^GET \/200\/(\d+)\/\1$/);
});

test("a title with dots hides no member", async () => {
  const lab = clientIn(dev({ users: { list: "m" } }), recorder.base);
  await lab.useEnv("dev");
  await lab.sendAll("### users.list\nGET {{base}}/1\n\n###\nGET {{base}}/{{users.list}}");
  expect(recorder.take().map(({ line }) => line)).toEqual(["GET /1", "GET /m"]);
});

test("a blank in a name is a fault that says what to write", () => {
  const [fault] = clientIn({}, recorder.base).check(
    "# @name my login\nGET {{base}}\n\n###\nGET {{base}}/{{my login.id}}",
  );
  expect(fault).toMatchObject({ line: 5, hint: expect.stringContaining('"# @name my_name"') });
});

/** Files, and the warnings about their names. */
const WARNED: readonly (readonly [files: Files, warnings: readonly string[]])[] = [
  [
    { [FILE]: '{"dev": {"ok": 1,\n"2fa": "123456"}}' },
    [
      '/repo/http-client.env.json:2: No placeholder can name the variable "2fa": a name is a letter or _, then letters, digits, _ and -. Rename it, for example to "_2fa"',
    ],
  ],
  [
    { [FILE]: '{"$shared": {"2fa": "123456"}, "dev": {}}' },
    [
      '/repo/http-client.env.json:1: No placeholder can name the variable "2fa": a name is a letter or _, then letters, digits, _ and -. Rename it, for example to "_2fa", or write {{$shared 2fa}}',
    ],
  ],
  [
    { "/repo/.env": "2fa=1\n", ...dev({}) },
    [
      '/repo/.env:1: No placeholder can name the variable "2fa": a name is a letter or _, then letters, digits, _ and -. Rename it, for example to "_2fa", or write {{$dotenv 2fa}}',
    ],
  ],
  [dev({ "my var": 1 }), [expect.stringContaining('"my_var"')]],
  [dev({ "a..b": 1 }), [expect.stringContaining('"a..b"')]],
  [dev({ "api.host": 1, $settings: 1 }), []],
];

test.each(WARNED)("%j is remarked upon", async (files, warnings) => {
  const lab = clientIn(files, recorder.base);
  expect((await lab.useEnv("dev")).warnings).toEqual(warnings);
});
