import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseIpynb } from "../../kernel/run/read-document.ts";
import { kindOfCell } from "../../kernel/session/mod.ts";

// A module of browsers, without types.
const PATH = "../../kernel/jupyter/install/front-ends/request-mode.js";
const { readCell, requestMode } = (await import(PATH)) as {
  readCell(text: string): string;
  requestMode: {
    startState(): object;
    blankLine(state: object): void;
    token(stream: Stream, state: object): string | null;
  };
};

/** The part of CodeMirror's StringStream that the mode uses. */
class Stream {
  readonly #line: string;
  start = 0;
  at = 0;
  constructor(line: string) {
    this.#line = line;
  }
  sol(): boolean {
    return this.at === 0;
  }
  eol(): boolean {
    return this.at >= this.#line.length;
  }
  next(): string | undefined {
    return this.#line[this.at++];
  }
  eat(character: string): boolean {
    const isNext = this.#line[this.at] === character;
    if (isNext) this.at += 1;
    return isNext;
  }
  eatSpace(): boolean {
    return this.match(/^\s+/) !== null;
  }
  match(pattern: RegExp, consume = true): RegExpMatchArray | null {
    const found = this.#line.slice(this.at).match(pattern);
    if (found !== null && consume) this.at += found[0].length;
    return found;
  }
  current(): string {
    return this.#line.slice(this.start, this.at);
  }
}

/** The highlighted words of a request with their styles. */
function highlight(text: string): readonly string[] {
  const state = requestMode.startState();
  const words: string[] = [];
  for (const line of text.split("\n")) {
    if (line === "") requestMode.blankLine(state);
    const stream = new Stream(line);
    for (let calls = 0; !stream.eol(); calls += 1) {
      // A mode that does not advance hangs a browser.
      expect(calls).toBeLessThan(line.length + 5);
      stream.start = stream.at;
      const style = requestMode.token(stream, state);
      if (style !== null) words.push(`${style} ${stream.current()}`);
    }
  }
  return words;
}

describe("a cell is highlighted as what it is", () => {
  const shipped = readdirSync("notebooks")
    .filter((name) => name.endsWith(".ipynb"))
    .flatMap((name) => parseIpynb(readFileSync(`notebooks/${name}`, "utf8"), name).cells)
    .filter(({ type }) => type === "code")
    .map(({ source }) => source);
  const written = [
    ...[
      "GET /users",
      "?? status == 200",
      "GET {{base}}/a",
      "get http://a.test",
      "PURGE /x HTTP/1.1",
      "POST a.test:80/b",
    ],
    ...[
      "https://a.test/b",
      "{{base}}/users",
      "localhost:8080/a",
      "### Title",
      "@base = http://a.test",
    ],
    ...[
      "# comment\n// another\n\nDELETE /a",
      "%env test\nGET /a",
      "%%http\nanything",
      "curl -X GET http://a",
    ],
    ...["import ./a.http", "run #login", "< {% client.log(1) %}", "LIST / HTTP/1.1", "QUERY *"],
    ...[
      "const a = 1",
      "GET",
      "GET = 3",
      "GET / 2",
      "LIST /= 2",
      "TOTAL / count",
      "PUT as never",
      "a /b/.c",
    ],
    ...[
      "// comment\nclient.last",
      "%strict on\nconst a = 1",
      "@decorated class A {}",
      "label: 1",
      "{ a: 1 }",
    ],
    ...[
      "import fs from 'node:fs'",
      "delete user.name",
      "`GET /a`",
      "COPY(a, b)",
      "trace /x/.test(a)",
    ],
  ];
  test.each([...written, ...shipped])("%j", (cell) => {
    const isRequest = ["request", "assertions"].includes(kindOfCell(cell).kind);
    expect(readCell(cell) === "request").toBe(isRequest);
  });
});

test.each([
  [
    "# @name all\n# why\nGET {{base}}/users?a=1 HTTP/1.1\nAccept: text/plain\nX-Id: a{{id}}",
    [
      "meta # @name",
      "string all",
      "comment # why",
      "keyword GET",
      "string-2 {{base}}",
      "string /users?a=1",
    ],
    ["meta HTTP/1.1", "attribute Accept", "string text/plain"],
    ["attribute X-Id", "string a", "string-2 {{id}}"],
  ],
  [
    'POST /a\n  ?b=1\nA: b\n\n{\n  "a": ["x{{b}}", -1.5, true],\n  "c": {{d}}\n}\n### Next\nPUT /e',
    ["keyword POST", "string /a", "string ?b=1", "attribute A", "string b"],
    ['property "a"', 'string "x', "string-2 {{b}}", 'string "', "number -1.5", "atom true"],
    ['property "c"', "string-2 {{d}}", "header ### Next", "keyword PUT", "string /e"],
  ],
  [
    '%env test\n@a = {{b}} c\nPOST /a\n\nplain "text" {{d}}\n< ./file.json',
    ["meta %env test", "def @a", "string-2 {{b}}", "string c", "keyword POST", "string /a"],
    ["string-2 {{d}}", "link < ./file.json"],
  ],
  [
    "?? status == 200\nGET /a\n?? header x == {{b}}\n\n{}\n\n?? body a == {{c}}",
    ["keyword ??", "keyword GET", "string /a", "keyword ??", "string-2 {{b}}", "keyword ??"],
    ["string-2 {{c}}"],
  ],
])("a request is highlighted: %j", (text, ...expected) => {
  const trimmed = highlight(text).map((word) => word.replace(/\s+/g, " ").trim());
  expect(trimmed).toEqual(expected.flat());
});
