import { afterAll, beforeAll, expect, test } from "vitest";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { brief, importTexts, sendAll } from "./fixture.ts";

let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

/** A workspace as Postman 3.0 keeps it beside the code. */
const FILES: Readonly<Record<string, string>> = {
  "postman/collections/Shop/.resources/definition.yaml": `$kind: collection
name: The shop
description: Items and orders
variables:
  - key: version
    value: v1
auth:
  type: bearer
  credentials:
    - key: token
      value: "{{token}}"
scripts:
  - type: http:afterResponse
    code: console.log(1)
`,
  "postman/collections/Shop/Second.request.yaml": `$kind: http-request
order: 2000
method: POST
url: "{{base}}/{{version}}/items/:id?all=1"
pathVariables:
  - { key: id, value: "7" }
queryParams:
  - { key: all, value: "1" }
  - { key: off, value: "1", disabled: true }
headers:
  X-Map: "yes"
body:
  type: json
  content: |-
    {"a": 1}
scripts:
  - type: afterResponse
    language: text/javascript
    code: |-
      pm.test("ok", function () { pm.response.to.have.status(200); });
`,
  "postman/collections/Shop/First.request.yaml": `$kind: http-request
name: The first
order: 1000
method: POST
url: "{{base}}/form"
auth: { type: noauth }
body:
  type: urlencoded
  content:
    - { key: a b, value: c }
    - { key: off, value: d, disabled: true }
`,
  "postman/collections/Shop/.resources/First.resources/examples/ok.example.yaml": `$kind: http-example
response:
  statusCode: 201
  statusText: Created
  headers:
    - { key: X-A, value: "1" }
  body: { type: json, content: "{}" }
`,
  "postman/collections/Shop/Inner/.resources/definition.yaml": "$kind: collection\norder: 1500\n",
  "postman/collections/Shop/Inner/Query.request.yaml": `$kind: http-request
method: POST
url: "{{base}}/graphql"
auth: { type: basic, credentials: { username: ada, password: secret } }
body: { type: graphql, content: { query: "{ a }" } }
`,
  "postman/environments/Local.environment.yaml": `name: Local
values:
  - { key: base, value: http://127.0.0.1, enabled: true }
  - { key: token, value: t-1, type: secret }
`,
  "postman/globals/workspace.globals.yaml": "values:\n  - { key: everywhere, value: x }\n",
};

test("a workspace of Postman 3.0 arrives with its order, folders, credentials and environments", async () => {
  const imported = importTexts([{ text: "", files: FILES }]);
  const { document, remarks, files } = imported;
  expect(document).toMatch(/^# The shop\n# Items and orders\n#\n# {5}console\.log\(1\)\n/);
  expect(document).toContain("?? status == 200");
  expect(remarks).toEqual([
    "left out postman/collections/Shop.event: The scripts of a folder, which run with each of its requests",
  ]);
  expect(JSON.parse(String(files.get("http-client.env.json")))).toMatchObject({
    $shared: { everywhere: "x", version: "v1" },
    Local: { base: "http://127.0.0.1" },
  });
  const arrived = await sendAll(imported, recorder, { base: recorder.base }, "Local");
  expect(arrived.map(brief)).toEqual([
    "POST /form\nContent-Type: application/x-www-form-urlencoded\nAccept: */*\n\na+b=c",
    'POST /graphql\nContent-Type: application/json\nAuthorization: Basic YWRhOnNlY3JldA==\nAccept: */*\n\n{"query": "{ a }"}',
    'POST /v1/items/7?all=1\nContent-Type: application/json\nX-Map: yes\nAuthorization: Bearer t-1\nAccept: */*\n\n{"a": 1}',
  ]);
});

test("its saved responses become outputs", () => {
  const { document } = importTexts([{ text: "", files: FILES }], { kind: "ipynb" });
  const { cells } = JSON.parse(document);
  const outputs = cells.flatMap((cell: { outputs?: readonly unknown[] }) => cell.outputs ?? []);
  expect(JSON.stringify(outputs)).toContain("201 Created");
});
