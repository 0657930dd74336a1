import { describe, expect, test } from "vitest";
import { importTexts } from "./fixture.ts";

const TEXTS: readonly string[] = [
  "GET http://a.test/\n",
  "# only a comment\n\n@base = http://a.test\n\n### one\nGET {{base}}/1\n\n###\n\n\n### two\r\nGET {{base}}/2\r\n\r\n",
  "\uFEFF###\n###\n{{\n  exports.a = 1;\n}}\nGET http://a.test\n###",
  "### a\nPOST http://a.test\nContent-Type: text/plain\n\n<> x.json\n\n\n\n### b\n# text\n",
  "/* ### no */\nGET http://a.test\n?? status == 200\n### c\ncurl http://a.test \\\n  -d '{{x}}'",
];

describe(".http to notebook to .http", () => {
  test.each(TEXTS)("is the same file: %j", (text) => {
    const notebook = importTexts([{ name: "a.http", text }], { kind: "ipynb" });
    const back = importTexts([{ name: "a.ipynb", text: notebook.document }]);
    expect(back.document).toBe(text);
  });
});

test("Markdown becomes comments, and TypeScript is left out", () => {
  const cell = (cell_type: string, source: string): object => ({ cell_type, source, metadata: {} });
  const cells = [
    cell("markdown", "# Title\n@name evil\nGET http://evil.test/"),
    cell("code", "GET http://a.test/"),
    cell("code", "const a = 1;"),
  ];
  const text = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
  const { document, remarks } = importTexts([{ name: "a.ipynb", text }]);
  expect(document).toBe(
    "# # Title\n# \\@name evil\n# GET http://evil.test/\n\n###\nGET http://a.test/\n",
  );
  expect(remarks).toEqual([
    "left out cell 3: A file of requests cannot contain this cell of TypeScript",
  ]);
});
