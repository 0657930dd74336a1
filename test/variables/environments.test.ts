import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EnvironmentError } from "../../lib/mod.ts";
import { clientIn, type Files } from "../support/environment-files.ts";
import { explore } from "../support/explore.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

const inFolders = (files: Files) => clientIn(files, recorder.base);

const PUBLIC = "/repo/api/http-client.env.json";
const ABOVE = "/repo/http-client.env.json";
const SETTINGS = "/repo/.vscode/settings.json";

/** Files, the environment that is chosen, and what `{{base}}/{{v}}` is sent as. */
const SENT: readonly (readonly [
  title: string,
  files: Files,
  environment: string | undefined,
  path: string,
])[] = [
  ["a file in the folder", { [PUBLIC]: '{"dev": {"v": "near"}}' }, "dev", "/near"],
  ["a file above it", { [ABOVE]: '{"dev": {"v": "far"}}' }, "dev", "/far"],
  [
    "the nearer of two files",
    { [PUBLIC]: '{"dev": {"v": "near"}}', [ABOVE]: '{"dev": {"v": "far"}}' },
    "dev",
    "/near",
  ],
  [
    "each name from the nearest file that has it",
    { [PUBLIC]: '{"dev": {"w": "near"}}', [ABOVE]: '{"dev": {"v": "{{w}}-far"}}' },
    "dev",
    "/near-far",
  ],
  [
    "a private file above a public one",
    {
      [PUBLIC]: '{"dev": {"w": 1}}',
      "/repo/http-client.private.env.json": '{"dev": {"v": "private-value"}}',
    },
    "dev",
    "/private-value",
  ],
  [
    "a number of a login as it is written in the private file",
    {
      [PUBLIC]:
        '{"dev": {"v": "{{Security.Auth.a.Timeout}}", "Security": {"Auth": {"a": {"Timeout": 1.0}}}}}',
      "/repo/api/http-client.private.env.json":
        '{"dev": {"Security": {"Auth": {"a": {"Timeout": 2.0}}}}}',
    },
    "dev",
    "/2.0",
  ],
  [".env above the folder", { "/repo/.env": "v=dotenv" }, undefined, "/dotenv"],
  [
    ".env of the folder, for the names that it has",
    { "/repo/.env": "v=far\nw=x", "/repo/api/.env": "v=near-{{w}}" },
    undefined,
    "/near-x",
  ],
  ["JetBrains' older name", { "/repo/rest-client.env.json": '{"dev": {"v": 1}}' }, "dev", "/1"],
  [
    "the newer name goes before the older one",
    {
      "/repo/rest-client.private.env.json": '{"dev": {"v": "older"}}',
      [ABOVE]: '{"dev": {"v": "newer"}}',
    },
    "dev",
    "/newer",
  ],
  [
    "the settings of httpYac",
    { "/repo/.httpyac.json": '{"log": {}, "environments": {"$shared": {"v": "yac"}}}' },
    undefined,
    "/yac",
  ],
  [
    "other settings of httpYac",
    { "/repo/.httpyac.json": '{"log": {', [ABOVE]: '{"dev": {"v": "far"}}' },
    "dev",
    "/far",
  ],
  ["the folder env", { "/repo/env/.env": "v=inside" }, undefined, "/inside"],
  ["a file NAME.env", { "/repo/.env": "v=all", "/repo/env/dev.env": "v=dev" }, "dev", "/dev"],
  [".env.NAME above the folder", { "/repo/.env.dev": "v=named" }, "dev", "/named"],
  [
    "$schema and comments",
    {
      [PUBLIC]: `// The servers
{
  "$schema": "https://example.com/schema.json",
  /* of the team:
     "v": "no" */
  "dev": { // mine
    "v": "http://not-a-comment", // "v": "no",
  },
}`,
    },
    "dev",
    "/http://not-a-comment",
  ],
  [
    "commas before braces, several lines, a byte order mark",
    { [PUBLIC]: '\uFEFF{\r\n"dev": {"list": [1, 2,], "v": "x",\r\n},\r\n}\r\n' },
    "dev",
    "/x",
  ],
  ["commas that are repeated", { [PUBLIC]: '{"dev": {,"w": "a",,\n"v": "b"}}' }, "dev", "/b"],
  ["a number as it is written", { [PUBLIC]: '{"dev": {"v": 1.10}}' }, "dev", "/1.10"],
  ["null", { [PUBLIC]: '{"dev": {"v": null}}' }, "dev", "/null"],
  [
    "a value that cannot be read, beside one that can",
    { [PUBLIC]: '{"dev": {"a": http://x, "b": 01,\n"c": \'d\',\n"e": undefined,\n"v": "ok"}}' },
    "dev",
    "/ok",
  ],
  [
    "a placeholder that has no value, beside one that has",
    { [PUBLIC]: '{"dev": {"a": "{{nobody}}", "b": "{{c.}}", "v": "ok"}}' },
    "dev",
    "/ok",
  ],
  [
    "an empty file and one above it",
    { [PUBLIC]: "", [ABOVE]: '{"dev": {"v": "far"}}' },
    "dev",
    "/far",
  ],
  [
    "an environment whose name is no name of a file",
    { [ABOVE]: '{"eth:main/1, 中文，": {"v": "1rpc"}}' },
    "eth:main/1, 中文，",
    "/1rpc",
  ],
  [
    "REST Client: settings of VS Code",
    {
      [SETTINGS]: `{
  // of the editor
  "files.exclude": { "**/.git": true },
  "rest-client.environmentVariables": {
    "$shared": { "version": "v1", "v": "shared" },
    "local": { "version": "v2", "v": "{{$shared version}}" },
  },
}`,
    },
    "local",
    "/v1",
  ],
  [
    "REST Client: $shared alone, in a request",
    {
      [SETTINGS]:
        '{"rest-client.environmentVariables": {"$shared": {"v": "{{$shared w}}", "w": "s"}}}',
    },
    undefined,
    "/s",
  ],
  [
    "REST Client: settings go after a file of the same folder",
    {
      [SETTINGS]: '{"rest-client.environmentVariables": {"dev": {"v": "settings"}}}',
      [ABOVE]: '{"dev": {"v": "file"}}',
    },
    "dev",
    "/file",
  ],
  [
    "settings that are broken, and not about requests",
    { [SETTINGS]: '{"editor.tabSize": ', [ABOVE]: '{"dev": {"v": "file"}}' },
    "dev",
    "/file",
  ],
];

test.each(SENT)("%s", async (_title, files, environment, path) => {
  const lab = inFolders(files);
  await lab.useEnv(environment);
  expect(lab.check("GET {{base}}/{{v}}")).toEqual([]);
  expect(lab.render("GET http://localhost/{{v}}").url).toBe(`http://localhost${path}`);
  await lab.send("GET {{base}}/{{v}}");
  expect(recorder.take().map(({ line }) => line)).toEqual([`GET ${path}`]);
});

/** Files, and what is said about `{{v}}`, with the hint. */
const SAID: readonly (readonly [
  title: string,
  files: Files,
  environment: string | undefined,
  said: string,
])[] = [
  [
    "the environments of a file, where none is chosen",
    { [PUBLIC]: '{"dev": {"w": 1}, "prod": {"v": 1}}' },
    undefined,
    'there is no variable "v". Environments in http-client.env.json: "dev", "prod"; choose one with --env prod (in a cell: %env prod)',
  ],
  [
    "the only environment",
    { [ABOVE]: '{"$shared": {}, "dev": {"v": 1}}' },
    undefined,
    'there is no variable "v". The only environment in /repo/http-client.env.json is "dev"; choose it with --env dev (in a cell: %env dev)',
  ],
  [
    "environments of several files",
    {
      [SETTINGS]: '{"rest-client.environmentVariables": {"a b": {"v": 1}}}',
      [PUBLIC]: '{"dev": {}}',
    },
    undefined,
    'Environments in http-client.env.json, /repo/.vscode/settings.json: "dev", "a b"; choose one with --env "a b"',
  ],
  [
    "another environment that has it",
    { [PUBLIC]: '{"dev": {"w": 1}, "prod": {"v": 1}}' },
    "dev",
    'there is no variable "v". The environment in use is "dev"; "prod" has it',
  ],
  [
    "a near name, where no environment has it",
    { [PUBLIC]: '{"$shared": {"vv": 1}, "dev": {"w": 1}}' },
    undefined,
    'there is no variable "v". Did you mean "vv"?',
  ],
  [
    "a value that cannot be read, with its line",
    { [PUBLIC]: '{\n"dev": {\n  "v": http://x\n}}' },
    "dev",
    "http-client.env.json:3 sets it, but its value is not valid JSON",
  ],
  [
    "a value without its value",
    { [ABOVE]: '{"dev": {\n"v": }}' },
    "dev",
    "/repo/http-client.env.json:2 sets it, but its value is missing",
  ],
  [
    "a backslash in a path of Windows",
    { [PUBLIC]: '{"dev": {"v": "C:\\data, x", "w": 1}}' },
    "dev",
    'http-client.env.json:1 sets it, but a "\\" in its value has to be written as "\\\\"',
  ],
  [
    "a value whose placeholder has no value",
    { [PUBLIC]: '{"dev": {\n"w": "{{nobody}}",\n"v": "{{w}}/x"}}' },
    "dev",
    'http-client.env.json:2 sets it, but cannot resolve "{{nobody}}": there is no variable "nobody"',
  ],
  [
    "values that refer to each other",
    { [PUBLIC]: '{"dev": {\n"w": "{{v}}",\n"v": "{{w}}"}}' },
    "dev",
    "http-client.env.json:3 sets it in terms of itself",
  ],
  ...["[1\n2]", '["a"\n"b"]', "[{}\n{}]", "1x", "http://a\n", "[1,,2]", '"a\n'].map(
    (text): (typeof SAID)[number] => [
      `a value ${JSON.stringify(text)}`,
      { [PUBLIC]: `{"dev": {\n"v": ${text}, "w": 1}}` },
      "dev",
      "http-client.env.json:2 sets it, but its value is",
    ],
  ),
  [
    "a date that is not one",
    { "/repo/restlab.env.json": '{"dev": {\n\n"v": {"$date": "soon"}}}' },
    "dev",
    '/repo/restlab.env.json:3 sets it, but "$date" is not a date: "soon"',
  ],
];

test.each(SAID)("is said: %s", async (_title, files, environment, said) => {
  const lab = inFolders(files);
  await lab.useEnv(environment);
  const [fault, ...others] = lab.check("GET {{base}}/{{v}}");
  expect(others).toEqual([]);
  expect(`${fault?.message}. ${fault?.hint}`).toContain(said);
  const thrown = await lab.send("GET {{base}}/{{v}}").catch((error: Error) => error.message);
  expect(String(thrown).replace(/ \(line 1, column \d+\)/, "")).toContain(said);
  expect(() => lab.render("GET {{base}}/{{v}}")).toThrow(String(thrown));
  expect(recorder.take()).toEqual([]);
});

/** Texts of a file, and what is said about them. */
const BROKEN: readonly (readonly [text: string, said: string])[] = [
  ['{"dev": {"v": 1}\n"prod": {}}', 'a "," is missing in line 1, before line 2'],
  ['{"dev": {"a": 1\n\n"v": 2}}', 'a "," is missing in line 1, before line 3'],
  ['{"dev": {"a": "b" "v": 2}}', 'a "," is missing in line 1'],
  ['{"dev": {\n"a": 1 "v": 2}}', 'a "," is missing in line 2'],
  ['{"dev": {"v": {"a": 1\n"b": 2}}}', 'a "," is missing in line 1, before line 2'],
  ['{"dev": {"v": {"a": {"x": true}\n"b": 2}}}', 'a "," is missing in line 1, before line 2'],
  ['{"dev": {"a": {}\n"v": 2}}', 'a "," is missing in line 1, before line 2'],
  ['{"dev": {"a": []\n"v": 2}}', 'a "," is missing in line 1, before line 2'],
  ['{"dev": {"a": 1 // c\n"v": 2}}', 'a "," is missing in line 1, before line 2'],
  ['{"prod": {"a": 1 "b": 2}, "dev": {}}', 'a "," is missing in line 1'],
  ['{"$schema": "x" "dev": {}}', 'a "," is missing in line 1'],
  ['{"dev": {"v": 1 2}}', 'a "," is missing in line 1'],
  ['{"dev": {"a": 3; "v": 2}}', 'a "," is missing in line 1'],
  ['{"dev": {"a": 1,\n"v" 2}}', 'a ":" is missing in line 2'],
  ['{"dev": {"a" = 2}}', 'a ":" is missing in line 1'],
  ['{"dev": {\nv: 2}}', 'a name in double quotes is missing before ":" in line 2'],
  ['{dev: {"v": 2}}', 'a name in double quotes is missing before ":" in line 1'],
  ["{\"dev\": {\n'v': 2}}", 'a name in double quotes is missing before ":" in line 2'],
  ['{"dev": {"v": 2}}\nx', "something follows its last brace in line 2"],
  ['{"dev": {"v": 2}}\n}', "something follows its last brace in line 2"],
  ['{"dev": {"v": 2}}\n\n{"prod": {}}', "something follows its last brace in line 3"],
  ['{"dev": {"v": 2}},', "something follows its last brace in line 1"],
  ['{"dev": {"v": 2}} "x"', "something follows its last brace in line 1"],
  ['{"dev": {\n"v": "abc}}', 'a "}" is missing in line 2'],
  ['{"dev": {\n"v: 2}}', 'a ":" is missing in line 2'],
  ['{"dev": {"v": [1}}', 'a "]" is missing in line 1'],
  ['{"dev": {"v": {"a": 1]}}', 'a "}" is missing in line 1'],
  ['x\n{"dev": {}}', "it is not a JSON object of environments"],
];

const STAGES = Array.from({ length: 40 }, (_, at) => `stage${at}`);

describe("an environment cannot be used:", () => {
  test.each([
    [
      "no file in the folders",
      {},
      'Cannot use the environment "dev": none of its files (env/.env.dev, .env.dev, env/dev.env, dev.env, .vscode/settings.json, .httpyac.json, httpyac.config.json, rest-client.env.json, rest-client.private.env.json, http-client.env.json, http-client.private.env.json, restlab.env.json, restlab.private.env.json) exists in "/repo/api/", "/repo/"',
    ],
    [
      "no such environment",
      { [ABOVE]: '{"dec": {}}' },
      'the files define dec. Did you mean "dec"?',
    ],
    [
      "one of many",
      { [ABOVE]: JSON.stringify(Object.fromEntries(["dec", ...STAGES].map((name) => [name, {}]))) },
      'the files define 41, among them dec. Did you mean "dec"?',
    ],
    [
      "none that is near, of many",
      { [ABOVE]: JSON.stringify(Object.fromEntries(STAGES.map((name) => [name, {}]))) },
      "the files define 40, among them stage0, stage1, stage2, stage3, stage4",
    ],
    [
      "a text",
      { [ABOVE]: '{"dev": "x"}' },
      '"dev" of /repo/http-client.env.json is not an object (line 1)',
    ],
    [
      "a list",
      { [PUBLIC]: '{\n"dev": [{"name": "x", "value": "1"}]}' },
      '"dev" of http-client.env.json is not an object (line 2). Write {"dev": {"name": "value"}}',
    ],
    [
      "a number beside an object",
      { [PUBLIC]: '{"dev": 1}', [ABOVE]: '{"dev": {}}' },
      '"dev" of http-client.env.json is not an object',
    ],
    [
      "null",
      { [PUBLIC]: '{"dev": null, "prod": {}}' },
      '"dev" of http-client.env.json is not an object',
    ],
    [
      "a list that all share",
      { [PUBLIC]: '{"$shared": [], "dev": {}}' },
      '"$shared" of http-client.env.json is not an object',
    ],
    ...BROKEN.map(
      ([text, said]) =>
        [
          JSON.stringify(text),
          { [PUBLIC]: text },
          `Cannot use "http-client.env.json": ${said}`,
        ] as const,
    ),
    ["braces that are missing", { [ABOVE]: '{"dev": {\n"v": 1' }, "is missing in line 2"],
    [
      "a comment without an end",
      { [ABOVE]: '{"dev": {\n/* "v": 1}}' },
      "a comment does not end in line 2",
    ],
    ["no text", { [ABOVE]: "\0GITCRYPT\0x\n{" }, "it is not a JSON object of environments"],
    ["a list", { [ABOVE]: "[]" }, "it is not a JSON object of environments"],
    [
      "settings about requests that are broken",
      { [SETTINGS]: '{"rest-client.environmentVariables": {"dev": {"v": 1}' },
      'Cannot use "/repo/.vscode/settings.json"',
    ],
    [
      "a list that is nested too deeply",
      { [ABOVE]: `{"dev": {"v": ${"[".repeat(9000)}` },
      "too deeply",
    ],
  ] as const)("%s", async (_title, files, message) => {
    const use = inFolders(files).useEnv("dev");
    await expect(use).rejects.toThrow(message);
    await expect(use).rejects.toBeInstanceOf(EnvironmentError);
  });
});

test("a value of an environment may name an answer, and a variable that is set later", async () => {
  const lab = inFolders({
    [PUBLIC]: '{"dev": {"url": "{{host}}/{{login.count}}", "host": "{{scheme}}://a.test"}}',
  });
  await lab.useEnv("dev");
  expect(lab.getVar("url")).toBeUndefined();
  lab.setVar("scheme", "http");
  await lab.send("# @name login\nGET {{base}}/login");
  expect(lab.getVar("url")).toBe(`http://a.test/${explore(lab.last.json).count}`);
  expect(lab.origin("url")).toEqual({
    kind: "environment",
    file: "http-client.env.json",
    environment: "dev",
    secret: false,
  });
  recorder.take();
});

test("a late value of a private file is masked", async () => {
  const lab = inFolders({
    "/repo/http-client.private.env.json": '{"dev": {"box": "{{part}}-of-a-password"}}',
  });
  await lab.useEnv("dev");
  lab.setVar("part", "first");
  expect(lab.render("GET http://localhost/{{box}}").url).toBe(
    "http://localhost/first-of-a-password",
  );
  expect(lab.secrets.mask("x first-of-a-password")).toBe("x {{box}}");
});
