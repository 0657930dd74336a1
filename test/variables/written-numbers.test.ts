import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseVariableValue } from "../../kernel/session/mod.ts";
import { createClient, type Value } from "../../lib/mod.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

/** How a number is written, and what code sees of it. */
const NUMBERS: readonly (readonly [written: string, seen: Value])[] = [
  ["1.0", 1],
  ["1.10", 1.1],
  ["100.50", 100.5],
  ["1e3", 1000],
  ["1E+3", 1000],
  ["-0", -0],
  ["0.10", 0.1],
  ["42", 42],
  ["9007199254740993", 9007199254740993n],
  ["1e400", expect.objectContaining({ isLosslessNumber: true })],
  // What JSON does not read as a number is a text.
  ["007", "007"],
  [".5", ".5"],
  ["+1", "+1"],
  ["1_000", "1_000"],
  ["0x1F", "0x1F"],
];

const request = (base: string): string => `POST ${base}/v{{v}}?v={{v}}
X-Version: {{v}}
Content-Type: application/json

{"number": {{v}}, "text": "{{v}}"}`;

describe.each(NUMBERS)("the number %s", (written, seen) => {
  const expected = {
    line: `POST /v${written}?v=${written}`,
    headers: expect.objectContaining({ "X-Version": written }),
    body: `{"number": ${written}, "text": "${written}"}`,
  };

  test("of a variable line is sent as it is written", async () => {
    const lab = createClient();
    await lab.sendAll(`@v = ${written}\n${request(recorder.base)}`);
    expect(recorder.take()).toEqual([expected]);
    expect(lab.getVar("v")).toEqual(seen);
    expect(lab.vars.get("v")).toEqual(seen);
  });

  test("of another line, of a structure and of --var is sent as it is written", async () => {
    const lab = createClient();
    await lab.sendAll(`@w = ${written}\n@v = {{w}}\n${request(recorder.base)}`);
    lab.setVar("v", parseVariableValue(written));
    await lab.sendAll(request(recorder.base));
    expect(recorder.take()).toEqual([expected, expected]);
  });
});

const READABLE = NUMBERS.slice(0, 10);

test.each(READABLE)("%s in a structure keeps its text, alone and as a whole", async (written) => {
  const lab = createClient();
  await lab.sendAll(`@page = {"a": [${written}], "b": ${written}}
POST ${recorder.base}/{{page.b}}

{{page.a}}`);
  expect(recorder.take()).toEqual([
    expect.objectContaining({ line: `POST /${written}`, body: `[\n  ${written}\n]` }),
  ]);
});

test.each(READABLE)("%s is saved and loaded with its text", async (written) => {
  let file = "";
  const lab = createClient({
    writeFile: async (_path, text) => {
      file = text;
    },
    readFile: async () => new TextEncoder().encode(file),
  });
  lab.setVar("v", parseVariableValue(written));
  await lab.save();
  lab.clearVars();
  await lab.load();
  expect(lab.render("GET http://localhost/{{v}}").url).toBe(`http://localhost/${written}`);
});

describe("a variable that is null", () => {
  test.each([
    ["@v = null\n", "null"],
    ["@w = null\n@v = {{w}}\n", "null"],
    ['@w = {"none": null}\n@v = {{w.none}}\n', "null"],
  ])("%j", async (lines, text) => {
    const lab = createClient();
    const source = `${lines}POST ${recorder.base}/{{v}}\nX-V: {{v}}\n\n{"v": {{v}}}`;
    expect(lab.check(source)).toEqual([]);
    expect(lab.render(source).body).toBe(`{"v": ${text}}`);
    await lab.sendAll(source);
    expect(recorder.take()).toEqual([
      expect.objectContaining({
        line: `POST /${text}`,
        headers: expect.objectContaining({ "X-V": text }),
        body: `{"v": ${text}}`,
      }),
    ]);
    expect(lab.getVar("v")).toBeNull();
  });

  test("of setVar and of an environment", async () => {
    const lab = createClient({
      readFile: async (path) => {
        if (path === "http-client.env.json") {
          return new TextEncoder().encode('{"dev": {"none": null, "all": "{{none}}"}}');
        }
        throw Object.assign(new Error("absent"), { code: "ENOENT" });
      },
    });
    lab.setVar("v", null);
    await lab.useEnv("dev");
    expect(lab.render("GET http://localhost/{{v}}/{{none}}/{{all}}").url).toBe(
      "http://localhost/null/null/null",
    );
  });
});
