import { describe, expect, test } from "vitest";
import { readRows } from "../../../kernel/run/data-rows.ts";

function read(path: string, text: string | Uint8Array) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return readRows(path, { readFile: async () => bytes });
}

describe("readRows", () => {
  test("columns of CSV are text, whatever they look like", async () => {
    const text = '\ufeffid,name , note\r\n007,"Lovelace, Ada","says ""hi"""\r\n2.10,Bob,\r\n\r\n';
    expect(await read("users.csv", text)).toEqual([
      { id: "007", name: "Lovelace, Ada", note: 'says "hi"' },
      { id: "2.10", name: "Bob", note: "" },
    ]);
  });

  test("a quoted line break, semicolons and a single column", async () => {
    expect(await read("a.CSV", 'id;text\n1;"a\nb"\n')).toEqual([{ id: "1", text: "a\nb" }]);
    expect(await read("a.csv", "id\n1\n2\n")).toEqual([{ id: "1" }, { id: "2" }]);
  });

  test("values of JSON have their types, and numbers all digits", async () => {
    const [row] = await read("a.json", '[{"id": 12345678901234567890, "tags": ["a"], "on": true}]');
    expect(row).toEqual({ id: 12345678901234567890n, tags: ["a"], on: true });
    expect(await read("a.jsonl", '{"id": 1}\r\n\n{"id": null}\n')).toEqual([
      { id: 1 },
      { id: null },
    ]);
  });

  test.each([
    ["a.xlsx", "", "its name does not end in .csv, .json or .jsonl"],
    ["a.constructor", "", "its name does not end in .csv, .json or .jsonl"],
    ["a.csv", "", "it has no rows"],
    ["a.csv", "id,name\n", "it has no rows"],
    ["a.csv", "id,name\n1,a\n2\n", "row 2 has 1 fields, and there are 2 columns"],
    ["a.csv", "id,name\n1,a,b\n", "row 1 has 3 fields, and there are 2 columns"],
    ["a.csv", 'id,name\n1,"a\n', "row 1: Quoted field unterminated"],
    ["a.csv", "id,id\n1,2\n", 'two columns are called "id"'],
    ["a.csv", "user id,name\n1,2\n", 'row 1: "user id" cannot be the name of a variable'],
    ["a.json", "{}", "it is not a JSON array"],
    ["a.json", "[1]", "row 1 is not an object"],
    ["a.json", "[{]", 'it is not valid JSON at line 1, column 3: near "[{]"'],
    ["a.json", '[{"id": 1', "it is not valid JSON at line 1, column 10: the text ends there"],
    ["a.jsonl", '{"id": 1}\n{"id": }\n', 'it is not valid JSON at line 2, column 8: near "'],
    ["a.csv", new Uint8Array([0x69, 0x0a, 0xff]), "it is not UTF-8 text"],
  ] as const)("%s %j: %s", async (path, text, message) => {
    const error = await read(path, text).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: "DocumentError" });
    expect((error as Error).message).toContain(`Reading "${path}" failed: `);
    expect((error as Error).message).toContain(message);
  });
});
