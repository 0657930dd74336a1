import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient, UnresolvedPlaceholderError } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

function open(): Client {
  const lab = createClient();
  lab.setVar("base", recorder.base);
  return lab;
}

const LOGIN = "# @name login\nPOST {{base}}/login\n\n###\n";

/** Texts that run, in the style of each tool, and what the server receives; `N` is the number of the login. */
const RUNNING: readonly (readonly [title: string, text: string, lines: readonly string[]])[] = [
  [
    "REST Client: the token of a login at the top of the file",
    `@token = {{login.response.body.token}}\n\n###\n${LOGIN}GET {{base}}/me?t={{token}}`,
    ["POST /login", "GET /me?t=token-number-N"],
  ],
  [
    "REST Client: a line of a line that waits",
    `@token = {{login.response.body.$.token}}\n@auth = Bearer {{token}}\n${LOGIN}GET {{base}}/me?t={{auth}}`,
    ["POST /login", "GET /me?t=Bearer%20token-number-N"],
  ],
  [
    "REST Client: a line that uses one below it",
    "@url = {{base}}/{{folder}}\n@folder = users\nGET {{url}}/1",
    ["GET /users/1"],
  ],
  [
    "httpYac: the token by its short path, in JSON",
    `@session = {"token": "{{login.token}}", "n": 1.0}\n${LOGIN}GET {{base}}/me?t={{session.token}}&n={{session.n}}`,
    ["POST /login", "GET /me?t=token-number-N&n=1.0"],
  ],
  [
    "httpYac: a reference that sends the login before",
    `@token = {{login.token}}\n# @ref login\nGET {{base}}/me?t={{token}}\n\n###\n${LOGIN.replace("\n\n###\n", "")}`,
    ["POST /login", "GET /me?t=token-number-N", "POST /login"],
  ],
  [
    "JetBrains: a line in the place, whose variable is set below",
    "@host = {{scheme}}://{{address}}\n@scheme = http\n### first\nGET {{base}}/a\n###\n@address = a.test\nGET {{base}}/b?h={{host}}",
    ["GET /a", "GET /b?h=http://a.test"],
  ],
  [
    "kulala: a line that fails spoils nothing that does not use it",
    "@broken = {{nobody}}\n@fine = yes\nGET {{base}}/{{fine}}",
    ["GET /yes"],
  ],
  [
    "rest.nvim: a property of a variable that waits",
    `@Users.token = {{login.token}}\n${LOGIN}GET {{base}}/me?t={{Users.token}}`,
    ["POST /login", "GET /me?t=token-number-N"],
  ],
  [
    "httpYac: a lazy line uses what is set below it",
    "@n = 1\n@url := {{base}}/{{n}}\n@n = 2\nGET {{url}}",
    ["GET /2"],
  ],
  [
    "httpYac: a lazy line has the token of each login",
    `@token := {{login.token}}\n${LOGIN}GET {{base}}/me?t={{token}}\n###\n${LOGIN}GET {{base}}/me?t={{token}}`,
    ["POST /login", "GET /me?t=token-number-N", "POST /login", "GET /me?t=token-number-N"],
  ],
  [
    "httpYac: a lazy line has one value",
    "@n = 1\n@n := {{n}}2\nGET {{base}}/{{n}}\n###\n@n := {{n}}3\nGET {{base}}/{{n}}/{{n}}",
    ["GET /12", "GET /123/123"],
  ],
  [
    "a line in the terms of the one before it",
    "@n = 1\n@n = {{n}}2\n@n = {{n}}3\nGET {{base}}/{{n}}",
    ["GET /123"],
  ],
  [
    "a line that is replaced before anything uses it",
    "@x = {{nobody}}\n@x = 1\nGET {{base}}/{{x}}",
    ["GET /1"],
  ],
];

test.each(RUNNING)("%s", async (_title, text, lines) => {
  const lab = open();
  expect(lab.check(text).filter(({ severity }) => severity === "error")).toEqual([]);
  await lab.sendAll(text);
  const count = explore(lab.responses.login?.json)?.count;
  const received = recorder
    .take()
    .map(({ line }) => line.replace(/token-number-\d+/, "token-number-N"));
  expect(received).toEqual(lines);
  if (count !== undefined)
    expect(explore(lab.responses.login?.json).token).toBe(`token-number-${count}`);
});

/** Texts that cannot be sent, and the fault at the use. */
const FAILING: readonly (readonly [text: string, line: number, fault: string])[] = [
  [
    "@token = {{login.response.body.token}}\nGET {{base}}/{{token}}",
    2,
    'Cannot resolve "{{token}}": line 1 sets it, but cannot resolve "{{login.response.body.token}}": there is no variable "login"',
  ],
  [
    `@token = {{login.token}}\nGET {{base}}/{{token}}\n\n###\n${LOGIN}GET {{base}}`,
    2,
    'Cannot resolve "{{token}}": line 1 sets it, but cannot resolve "{{login.token}}": the request "login" has not been sent yet',
  ],
  [
    "\n@a = {{nobody}}\n@b = {{a}}/x\n@c = {{b}}\nGET {{base}}/{{c}}",
    5,
    'Cannot resolve "{{c}}": line 2 sets it, but cannot resolve "{{nobody}}": there is no variable "nobody"',
  ],
  [
    "@a = {{b}}\n@b = {{a}}\nGET {{base}}/{{b}}",
    3,
    'Cannot resolve "{{b}}": line 2 sets it in terms of itself',
  ],
  [
    '@user = {"name": "Ada"}\n@name = {{user.nam}}\nGET {{base}}\nX: {{name}}',
    4,
    'Cannot resolve "{{name}}": line 2 sets it, but cannot resolve "{{user.nam}}": "user" has no property "nam"',
  ],
  [
    "@id = 1\n@id = {{nobody}}\nGET {{base}}/{{id}}",
    3,
    'Cannot resolve "{{id}}": line 2 sets it, but cannot resolve "{{nobody}}"',
  ],
];

test.each(FAILING)("%j fails at the use, which names the line", async (text, line, fault) => {
  for (const run of ["check", "send", "render"] as const) {
    const lab = open();
    const thrown = await attempt(lab, run, text);
    expect(thrown.length).toBe(1);
    expect(thrown[0]?.message).toContain(fault);
    expect(thrown[0]?.line).toBe(line);
    expect(recorder.take()).toEqual([]);
  }
});

async function attempt(
  lab: Client,
  run: "check" | "send" | "render",
  text: string,
): Promise<readonly { readonly message: string; readonly line: number }[]> {
  if (run === "check") return lab.check(text);
  try {
    if (run === "send") await lab.sendAll(text);
    else lab.render(text);
  } catch (error) {
    if (error instanceof UnresolvedPlaceholderError) return error.faults;
    throw error;
  }
  return [];
}

describe("in a session", () => {
  test("a line of an earlier cell gets its value, and the newest, from a login of a later one", async () => {
    const lab = open();
    await lab.sendAll("@token = {{login.response.body.token}}\n@auth = Bearer {{token}}");
    expect(lab.hasVar("token")).toBe(false);
    await lab.sendAll(LOGIN);
    const first = explore(lab.last.json).token;
    expect([lab.getVar("token"), lab.getVar("auth")]).toEqual([first, `Bearer ${first}`]);
    await lab.sendAll(LOGIN);
    expect(explore(lab.last.json).token).not.toBe(first);
    expect(lab.getVar("auth")).toBe(`Bearer ${explore(lab.last.json).token}`);
    expect(lab.origin("token")).toEqual({ kind: "line", secret: true });
    expect(lab.secrets.mask(`x ${first} y ${explore(lab.last.json).token}`)).not.toContain(
      "token-number",
    );
  });

  test("setVar and deleteVar take the place of a line that waits", async () => {
    const lab = open();
    await lab.sendAll("@token = {{login.token}}\n@other = {{login.token}}");
    lab.setVar("token", "mine");
    lab.deleteVar("other");
    await lab.sendAll(LOGIN);
    expect(lab.getVar("token")).toBe("mine");
    expect(lab.getVar("other")).toBeUndefined();
  });

  test("many lines that fail, each by way of those before it, take little time", () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `@a${n + 1} = {{a${n}}}{{a${n}}}`);
    const text = `${lines.join("\n")}\nGET {{base}}/{{a3000}}`;
    const faults = open().check(text);
    expect(faults.filter(({ severity }) => severity === "error").length).toBe(1);
  });
});
