import { describe, expect, test } from "vitest";
import { checkText, parseEntries, renderRequest } from "../../lib/request/mod.ts";

const GET = "GET http://a.test/x";
const POST = "POST http://a.test/x";
const JSON_POST = `${POST}\nContent-Type: application/json\n\n`;
const TEXT_POST = `${POST}\nContent-Type: text/plain\n\n`;
const RULER = "# ======\n# Next\n# ======";
const ANSWER = 'HTTP/1.1 200 - OK\ncontent-type: application/json\n\n{\n  "a": 1\n}';

const TYPES = { json: "application/json", markdown: "text/markdown" };

/** The first request as it is sent, and the names of the variable lines. */
function read(text: string) {
  const entries = parseEntries(text);
  const [request] = entries.filter((entry) => entry.kind === "request");
  if (request === undefined) throw new Error("There is no request");
  const names = entries.flatMap((entry) => (entry.kind === "assignment" ? [entry.name] : []));
  return { ...renderRequest(request, { x: "1", ...TYPES }), names };
}

describe("what follows the headers of a request without a body is not sent", () => {
  test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])("%s", (method) => {
    const head = `${method} http://a.test/x`;
    for (const rest of [
      "",
      "\n \n\t\n",
      RULER,
      "// next",
      "/*\n a note\n*/",
      "?? status == 200",
      "> {% x() %}",
      "{{\nx()\n}}",
      "<> 2026-01-01T101010.200.json",
      ANSWER,
      `${ANSWER}\n\n# more`,
      `?? status == 200\n?? body contains x\n\n${RULER}`,
    ]) {
      expect(read(`${head}\n\n${rest}`).body, rest).toBeUndefined();
      expect(read(`${head}\nAccept: */*\n\n${rest}\n\n###\n`).body, rest).toBeUndefined();
    }
    expect(read(`${head}\n\n@a = 1\n# about b\n@b = {{x}}`)).toMatchObject({
      body: undefined,
      names: ["a", "b"],
      warnings: [],
    });
  });

  test("the value of a placeholder as its Content-Type decides", () => {
    expect(read(`${POST}\nContent-Type: {{json}}\n\n${RULER}`).body).toBeUndefined();
    expect(read(`${POST}\nContent-Type: {{markdown}}\n\n${RULER}`).body).toBe(RULER);
    expect(read(`${GET}\nContent-Type: {{markdown}}\n\n${RULER}`).body).toBeUndefined();
  });

  test("nor does a missing blank line before it", () => {
    expect(read(`${GET}\n${ANSWER}`).body).toBeUndefined();
    expect(read(`${GET}\n<> answer.200.json`).body).toBeUndefined();
    expect(read(`${POST}\nA: 1\n>> answer.json`)).toMatchObject({
      saveTo: { path: "answer.json" },
    });
  });
});

describe("what follows a body is not sent", () => {
  test.each<[text: string, body: string]>([
    [`${JSON_POST}{"a": 1}\n\n${RULER}`, '{"a": 1}'],
    [`${JSON_POST}{"a": 1}\n\n?? status == 200\n${RULER}`, '{"a": 1}'],
    [`${JSON_POST}{"a": 1}\n\n${ANSWER}`, '{"a": 1}'],
    [`${JSON_POST}{"a": 1}\n\n/*\n a note\n*/`, '{"a": 1}'],
    [`${JSON_POST}{"a": 1}\n\n{{\nx()\n}}\n/*\n a note\n*/`, '{"a": 1}'],
    [`${POST}\n\n{"a": 1}\n\n${RULER}`, '{"a": 1}'],
    [`${POST}\n\na\n\n${RULER}`, "a"],
    [`${POST}\n\n${RULER}\n\na`, "a"],
    [`${POST}\n\n<a/>\n#note`, "<a/>"],
    [`${POST}\nContent-Type: application/xml\n\n<a/>\n\n${RULER}`, "<a/>"],
    [`${POST}\nContent-Type: {{json}}\n\n[1]\n\n${RULER}`, "[1]"],
    [`${TEXT_POST}a\n\n${ANSWER}`, "a"],
    [`${TEXT_POST}a\n\n?? status == 200\n\n${RULER}`, "a"],
    [
      `${POST}\nContent-Type: application/x-www-form-urlencoded\n\na=1\n#&b=2\n&c=3\n// d`,
      "a=1&c=3",
    ],
    [
      `${POST}\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name="a"\n#Content-Type: text/plain\n\n1\n--b--\n\n${RULER}`,
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
    ],
    [
      "GRAPHQL http://a.test\n\nquery {\n  # users\n  a\n}\n\n# more",
      '{"query": "query {\\n  # users\\n  a\\n}"}',
    ],
  ])("%j is sent as %j", (text, body) => {
    const { body: sent, warnings } = read(text);
    expect(sent).toBe(body);
    expect(warnings.filter((warning) => !warning.startsWith("Not run"))).toEqual([]);
  });

  test("variable lines after it set variables", () => {
    const text = `${JSON_POST}{"a": 1}\n\n# the answer\n@a = {{x}}\n\n@b.c = 2\n`;
    expect(read(text)).toMatchObject({ body: '{"a": 1}', names: ["a", "b"], warnings: [] });
    expect(read(`${TEXT_POST}a\n\n@b = 1`)).toMatchObject({ body: "a", names: ["b"] });
  });

  test("comments around a file are not sent", () => {
    const text = `${POST}\nContent-Type: application/octet-stream\n\n< ./a.bin\n\n${RULER}`;
    expect(read(text)).toMatchObject({ body: { path: "./a.bin" }, warnings: [] });
    expect(read(`${POST}\n\n# a picture\n< ./a.png`)).toMatchObject({ body: { path: "./a.png" } });
  });

  test("a comment above a file of a part is not sent", () => {
    const part = '--b\nContent-Disposition: form-data; name="a"\n\n// a picture\n< ./a.png\n--b--';
    const { body } = read(`${POST}\nContent-Type: multipart/form-data; boundary=b\n\n${part}`);
    expect(JSON.stringify(body)).not.toContain("picture");
  });
});

describe("a line that belongs to the body is sent", () => {
  test.each<[type: string, body: string]>([
    ["text/markdown", "# Only a heading"],
    ["text/markdown; charset=utf-8", "---\n# front: matter\n---\n\n# Heading\n\n- item\n# Last"],
    ["text/plain", "# not a comment\n// nor this"],
    ["text/plain", "line\n# not a comment\nline"],
    ["application/yaml", "# about\na: 1\n# more\nb: 2"],
    ["application/x-sh", "#!/bin/sh\necho 1"],
    ["text/css", "@charset 'utf-8';\n@media print { a { b: c } }"],
    ["text/javascript", "// strict\nf();\n/* end */"],
    ["text/plain", "see\n@b = 1\nmore"],
    ["message/http", "GET / HTTP/1.1\nHost: a.test"],
    [
      "multipart/mixed; boundary=b",
      "--b\nContent-Type: application/http\n\nGET /x HTTP/1.1\n\n--b--\n",
    ],
  ])("%s: %j", (type, body) => {
    const { body: sent, warnings } = read(`${POST}\nContent-Type: ${type}\n\n${body}`);
    expect(String(sent).replaceAll("\r\n", "\n")).toBe(body);
    expect(warnings.filter((warning) => !warning.startsWith("A variable line"))).toEqual([]);
  });
});

describe("a line that was probably not meant for the body is sent with a warning", () => {
  test.each<[text: string, line: number, message: string]>([
    [`${TEXT_POST}{"a": 1}\n\n${POST}\n\n{"b": 2}`, 6, "A second request line"],
    [`${TEXT_POST}a\n\nDELETE /x HTTP/1.1`, 6, "A second request line"],
    [`${POST}\n\nAccept: application/json\n{}`, 3, "A header"],
    [`${POST}\n\nX-Api-Key: a`, 3, "A header"],
    [`${POST}\n\n@x = 9\nstill {{x}}`, 3, "A variable line"],
    [`${POST}\n\na=1\n@b=2`, 4, "A variable line"],
    [`${POST}\n\na\n# b\nc`, 4, "A line like a comment"],
    [`${TEXT_POST}a\n\n${RULER}`, 6, "A line like a comment"],
  ])("%j", (text, line, message) => {
    const faults = checkText(text, { x: "1" }).filter(({ code }) => code === "body");
    expect(faults).toMatchObject([{ line, column: 1, severity: "warning" }]);
    expect(faults[0]?.message).toContain(`${message} is sent as a part of the body: "`);
    const { body, warnings } = read(text);
    expect(body).toContain(text.split("\n")[line - 1]?.replace("{{x}}", "1"));
    expect(warnings.join("\n")).toContain(message);
  });

  test.each(["note: a", "X: 1, Y: 2"])("a line of another text is no header: %s", (line) => {
    const { warnings } = read(`${TEXT_POST}${line}`);
    expect(warnings).toEqual([]);
  });

  test("words are no request line", () => {
    expect(read(`${POST}\n\na\n\nLIST items\nUPDATE x`).warnings).toEqual([]);
  });
});

test("faults after a line that is left out keep their positions", () => {
  const text = `${JSON_POST}{\n  // one\n  "a": {{x}},\n# two\n?? status == 200\n  "b": 1,,\n}`;
  const faults = checkText(text, { x: "1" }).filter(({ code }) => code === "json");
  expect(faults).toMatchObject([{ line: 9, column: 10 }]);
});
