import typescript from "typescript";
import { describe, expect, test } from "vitest";
import { splitEntries } from "../../kernel/repl/entry/entries.ts";
import { EntryReader } from "../../kernel/repl/entry/mod.ts";
import type { Compiler } from "../../kernel/session/compiler/mod.ts";
import { createCellSyntax } from "../../kernel/session/compiler/mod.ts";

const syntax = createCellSyntax(typescript as Compiler);
const ask = async (code: string) => syntax.isComplete(code).status;

const MULTIPART = `POST http://h/
Content-Type: multipart/form-data; boundary=b

--b
Content-Disposition: form-data; name="a"

GET http://h/inner
--b--`;

describe("splitEntries", () => {
  test.each<[what: string, entries: readonly string[], between?: string]>([
    ["statements", ["const a = 1", "const b = 2", "a + b"]],
    ["statements apart", ["const a = 1", "a"], "\n\n\n"],
    ["a function, a loop", ["function f() {\n\n\n  return 1\n}", "for (;;) {\n  break\n}", "f()"]],
    [
      "lines that go on",
      ["[1]\n  .map((n) => n)\n  .at(0)", "if (a) {\n}\nelse {\n}", "a\n? b\n: c"],
    ],
    ["an operator, and a sign", ["a\n+ b", "-c", "++d"]],
    ["a member without blanks", ["a\n.b()", ".vars", ".5 + 1"]],
    ["a template", ["client.send(`\nGET http://h/\n\n###\nGET http://h/2\n`)", "1"]],
    ["a comment above", ["// why\nconst a = 1", "# heading\nGET http://h/"]],
    ["requests", ["GET http://h/1", "GET http://h/2", "DELETE {{base}}/x"]],
    [
      "requests and statements",
      ["GET http://h/1", "client.last.json", "POST http://h/\n\n{}", "1"],
    ],
    ["headers", ["GET http://h/\nAccept: a/b\n# c\nX: 1", "GET http://h/2\n?a=1\n&b=2"]],
    ["paths", ["@base = http://h", "/users/1", "/users\nAccept: text/csv", "GET http://h/"]],
    ["a body of paths", ["POST http://h/\n\n/a/b\n/a/c"]],
    ["an indented target", ["GET http://h/\n  users", "  GET http://h/2"]],
    ["variables", ["@a = 1\n@b = 2\nGET http://h/{{a}}", "const c = 3"]],
    ["variables alone", ["@a = 1", "const c = 3"]],
    [
      "a JSON body",
      ['POST http://h/\n\n{\n  "a": [\n    {}\n  ]\n}', "client.last", "GET http://h/"],
    ],
    ["rows of JSON", ['POST http://h/\n\n{"a": 1}\n{"a": 2}', "1 + 1"]],
    ["a body without a blank line", ['POST http://h/\n{\n  "a": 1\n}', "1 + 1"]],
    ["no body", ["POST http://h/", "GET http://h/"]],
    ["a text", ["POST http://h/\n\nhello\nGET home early", "GET http://h/"], "\n\n"],
    ["a text with paragraphs", ["POST http://h/\n\nhello you\n\nand more of it", "f()"], "\n\n"],
    ["XML", ["POST http://h/\n\n<a>\n\n<b/>\n</a>", "f()"], "\n\n"],
    ["GraphQL", ["GRAPHQL http://h/\n\nquery {\n a\n}\n\n{}", "f()"], "\n\n"],
    [
      "messages",
      ["WEBSOCKET ws://h/\nA: b\n\nf()", "GET http://h/", "GET wss://h/\n\nf()"],
      "\n\n",
    ],
    [
      "messages apart",
      ['WS ws://h/\n\n{"a": 1}\n=== wait-for-server\nhello\n\n===\n\nbye', "f()"],
      "\n\n",
    ],
    ["no messages", ["WEBSOCKET ws://h/", "f()", "WEBSOCKET ws://h/\nA: b", "GET http://h/"]],
    ["multipart", [MULTIPART, "f()"], "\n\n"],
    ["handlers", ["GET http://h/\n\n> {%\n\n\nclient.log(1)\n%}", "f()"]],
    ["curl", ["curl -X POST \\\n  http://h/ -d 'a\nb'", "curl http://h/", "f()"]],
    ["a WebSocket in a query", ["GET http://h/?u=ws://x", "f()"], "\n\n"],
    [
      "HTTPie",
      [
        "http :1/a n=Ada b:=1 c=d",
        "http -f http://h/ \\\n a=1",
        "POST http://h/\n\n{}",
        "https h.test a=1 b=2",
        "f()",
      ],
    ],
    [
      "HTTPie below a text",
      ["POST http://h/\n\nhello\nhttp is a word", "http :1/a n=Ada b:=1", "GET http://h/"],
      "\n\n",
    ],
    ["cells", ["%%ts\nconst a = 1\n\nconst b = 2", "%%http\nGET http://h/\n\nx"]],
    ["settings", ["%strict on", "const a = 1", "%env dev\nGET http://h/"]],
    ["imports", ["%import a.yaml -o b.http\nGET http://h/", "%import a.yaml"]],
    ["help and leaving", ["client?", "1", "exit"]],
  ])("%s", async (_what, entries, between = "\n") => {
    const found = await splitEntries(entries.join(between), ask);
    expect(found.map(({ text }) => text.trim())).toEqual(entries.map((text) => text.trim()));
    expect(found.map(({ isLast }) => isLast)).toEqual(
      entries.map((_, at) => at === entries.length - 1),
    );
  });

  test("separators end entries, and give requests their titles", async () => {
    const text = "###\nconst a = (\n### first\nGET http://h/\n\n###\n\n1 + 1\n%%ts\n2\n###\n";
    const entries = await splitEntries(text, ask);
    expect(entries.map(({ text, line }) => [line, text])).toEqual([
      [2, "const a = ("],
      [3, "### first\nGET http://h/"],
      [8, "1 + 1"],
      [9, "%%ts\n2"],
    ]);
  });

  test.each([
    ["CSV in a template", `const a = \`\n${"a,b,c\n".repeat(50_000)}\``],
    ["JSON in a body", `POST http://h/\n\n[\n${'{"a": [1]},\n'.repeat(50_000)}{}]`],
    ["text in a body", `POST http://h/\n\n${"a,b,c\n".repeat(50_000)}`],
    ["rows of JSON", `POST http://h/\n\n${'{"a": [1]}\n'.repeat(50_000)}`],
  ])("%s takes time in proportion to its length", async (_what, text) => {
    expect(await splitEntries(`${text}\n\n1 + 1`, ask)).toHaveLength(2);
  });
});

describe("EntryReader", () => {
  test("gives an entry as soon as it is complete, and waits for the rest of another", async () => {
    let give = (_piece: string | undefined): void => undefined;
    const source = (): Promise<string | undefined> =>
      new Promise((resolve) => {
        give = resolve;
      });
    const reader = new EntryReader(source, ask);
    const next = async (...pieces: readonly (string | undefined)[]) => {
      const found = reader.next();
      for (const piece of pieces) {
        await new Promise((resolve) => setTimeout(resolve));
        give(piece);
      }
      return (await found)?.text;
    };
    expect(await next("1 + ", "1\n")).toBe("1 + 1");
    expect(await next("GET http://h/\n", "Accept: a/b\n\n")).toBe("GET http://h/\nAccept: a/b");
    expect(await next('POST http://h/\n\n{"a":\r\n', "1}\r\n")).toBe('POST http://h/\n\n{"a":\n1}');
    expect(await next("GET http://h/\r", "\nAccept: a/b\r", "\n\r\n")).toBe(
      "GET http://h/\nAccept: a/b",
    );
    expect(await next("last", undefined)).toBe("last");
    expect(await next()).toBeUndefined();
  });
});
