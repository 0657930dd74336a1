import { afterAll, beforeAll, expect, test } from "vitest";
import { clientIn, FILE, type Files, PRIVATE } from "../support/environment-files.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

function headers(of: object, more: object = {}): object {
  return { $kulalaDefaultHeaders: of, ...more };
}

/** Files, a request after its request line, and the header `x` that arrives. */
const SENT: readonly (readonly [
  title: string,
  files: Files,
  text: string,
  x: string | undefined,
])[] = [
  ["of $shared", { [FILE]: JSON.stringify({ $shared: headers({ x: "s" }), dev: {} }) }, "", "s"],
  [
    "of $kulalaShared",
    { [FILE]: JSON.stringify({ $kulalaShared: headers({ x: "{{v}}" }, { v: "k" }), dev: {} }) },
    "",
    "k",
  ],
  [
    "the older name",
    { [FILE]: JSON.stringify({ $shared: { $default_headers: { x: "o" } }, dev: {} }) },
    "",
    "o",
  ],
  [
    "of the environment",
    { [FILE]: JSON.stringify({ $shared: headers({ X: "s" }), dev: headers({ x: "d" }) }) },
    "",
    "d",
  ],
  [
    "of another one",
    { [FILE]: JSON.stringify({ dev: {}, prod: headers({ x: "p" }) }) },
    "",
    undefined,
  ],
  [
    "a private file",
    {
      [FILE]: JSON.stringify({ dev: headers({ x: "d" }) }),
      [PRIVATE]: JSON.stringify({ dev: headers({ x: "p" }) }),
    },
    "",
    "p",
  ],
  [
    "the nearest folder",
    {
      [FILE]: JSON.stringify({ dev: headers({ x: "far" }) }),
      "/repo/api/http-client.env.json": JSON.stringify({ dev: headers({ x: "near" }) }),
    },
    "",
    "near",
  ],
  [
    "a written one goes before",
    { [FILE]: JSON.stringify({ dev: headers({ x: "d" }) }) },
    "X: own",
    "own",
  ],
  [
    "the values of the moment",
    { [FILE]: JSON.stringify({ dev: headers({ x: "{{later}}-{{v}}" }, { v: "1" }) }) },
    "",
    "set-1",
  ],
  [
    "a number, a boolean",
    { [FILE]: JSON.stringify({ dev: headers({ x: 1.5, y: true }) }) },
    "",
    "1.5",
  ],
  [
    "braces of others",
    { [FILE]: JSON.stringify({ dev: headers({ x: "\\{{v}} {{1}}" }) }) },
    "",
    "{{v}} {{1}}",
  ],
];

test.each(SENT)("%s", async (_title, files, text, x) => {
  const lab = clientIn(files, recorder.base);
  await lab.useEnv("dev");
  lab.setVar("later", "set");
  const request = `GET {{base}}/\n${text}`;
  expect(lab.check(request)).toEqual([]);
  await lab.send(request);
  const [{ headers: sent = {} } = {}] = recorder.take();
  expect(sent["x"] ?? sent["X"]).toBe(x);
  expect([...lab.vars.keys()].filter((name) => name.startsWith("$"))).toEqual([]);
});

test("those of a client go before, and are asked for each time", async () => {
  const files = { [FILE]: JSON.stringify({ dev: headers({ x: "d", y: "{{n}}" }) }) };
  const lab = clientIn(files, recorder.base, { headers: { X: "client" } });
  await lab.useEnv("dev");
  for (const n of [1, 2]) {
    lab.setVar("n", n);
    await lab.send("GET {{base}}/");
  }
  await lab.useEnv();
  await lab.extend({ headers: { y: "own" } }).send("GET {{base}}/");
  const sent = recorder.take().map((one) => [one.headers["X"], one.headers["y"]]);
  expect(sent).toEqual([
    ["client", "1"],
    ["client", "2"],
    ["client", "own"],
  ]);
});

/** Members of `dev`, a text, and what is said of it. */
test.each([
  [headers({ x: "{{nobody}}" }), "GET {{base}}/", "{{nobody}}"],
  [headers({ x: "{{a}}" }, { a: "{{nobody}}" }), "GET {{base}}/", "{{nobody}}"],
  [headers({ x: "{{nobody}}" }), "GET {{base}}/\nX: own", undefined],
  [headers({ x: "{{nobody}}" }), "@nobody = 1\nGET {{base}}/", undefined],
  [
    headers({ x: "{{login.token}}" }),
    "# @name login\nGET {{base}}/\nX: none\n\n###\nGET {{base}}/",
    undefined,
  ],
])("check and run agree: %j, %j", async (members, text, said) => {
  const lab = clientIn({ [FILE]: JSON.stringify({ dev: members }) }, recorder.base);
  await lab.useEnv("dev");
  const faults = lab.check(text).map(({ message }) => message);
  expect(faults).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
  const sending = lab.sendAll(text);
  if (said === undefined) await sending;
  else await expect(sending).rejects.toThrow(said);
  expect(recorder.take().length > 0).toBe(said === undefined);
});

test("the values of a private file are masked", async () => {
  const files = {
    [PRIVATE]: JSON.stringify({ dev: headers({ "X-Anything": "hidden-in-private" }) }),
  };
  const lab = clientIn(files, recorder.base);
  await lab.useEnv("dev");
  expect(String(await lab.send("GET {{base}}/"))).not.toContain("hidden-in");
  expect(recorder.take()[0]?.headers["X-Anything"]).toBe("hidden-in-private");
  expect(lab.secrets.mask("a hidden-in-private")).not.toContain("hidden-in");
});

/** Members of `dev`, and why the environment cannot be used. */
test.each([
  [
    '{"$kulalaDefaultHeaders": ["x"]}',
    '"$kulalaDefaultHeaders" of /repo/http-client.env.json:2: it is not an object',
  ],
  [
    '{"$default_headers": {"x": null}}',
    '"$default_headers" of /repo/http-client.env.json:2: the value of "x" is no text',
  ],
  ['{"$default_headers": {"x": ["y"]}}', 'the value of "x" is no text'],
  ['{"$default_headers": {"a b": "c"}}', '"a b" is no name of a header'],
  ['{"$default_headers": {"x": "{{a b}}"}}', 'Cannot parse "{{a b}}"'],
])("%s is refused", async (members, said) => {
  const lab = clientIn({ [FILE]: `{"dev":\n${members}}` }, recorder.base);
  await expect(lab.useEnv("dev")).rejects.toThrow(said);
});
