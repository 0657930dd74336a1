import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../../lib/display/markdown.ts";
import { renderBundle, viewExchange } from "../../lib/display/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { textOfHtml } from "./judge.ts";
import { PROGRAM_VALUES, User } from "./program-values.ts";
import { parsedExchange } from "./sample.ts";

const cyclic: Record<string, unknown> = { a: 1 };
cyclic["self"] = cyclic;

const markdownOf = (value: unknown): string | undefined => renderBundle(value)["text/markdown"];
/** The text of a value as a member of an object, in Markdown and HTML. */
function memberOf(value: unknown): { markdown: string; html: string } {
  const bundle = renderBundle({ it: value, last: 1 });
  const markdown = /- \*\*it\*\*:(.*)\n- \*\*last/s.exec(bundle["text/markdown"] ?? "")?.[1];
  return { markdown: (markdown ?? "").replace(/^ |`/g, ""), html: bundle["text/html"] ?? "" };
}

describe("a value that JSON has no form for", () => {
  it.each([
    ["a pattern", /a+/gi, "/a+/gi"],
    ["a negative zero", -0, "-0"],
    ["a function", Math.max, "[Function: max]"],
    [
      "a function without a name",
      (
        () => () =>
          1
      )(),
      "[Function: (anonymous)]",
    ],
    ["a class", User, "[class User]"],
    ["bytes", Buffer.from("hi"), "<Buffer 68 69>"],
    ["a typed array", new Uint8Array([1, 255]), "<Uint8Array 01 ff>"],
    ["an error", new RangeError("too far"), "[RangeError: too far]"],
    ["a URL", new URL("http://h/a"), "http://h/a"],
    ["a promise", Promise.resolve(1), "Promise"],
    ["a Set", new Set([1, "a"]), 'Set(2) [1,"a"]'],
    ["a Map", new Map([["k", -0]]), 'Map(1) {"k":-0}'],
    ["a list", [/x/, -0, Math.max], "[/x/,-0,[Function: max]]"],
  ])("is written as a console writes it: %s", (_, value, text) => {
    const { markdown, html } = memberOf(value);
    expect(markdown).toBe(text);
    expect(
      html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"'),
    ).toContain(`>${text}<`);
  });

  it("names its class, alone and as a member", () => {
    const ada = new User("Ada");
    expect(markdownOf(ada)).toBe("User\n\n- **name**: Ada");
    expect(memberOf(ada).html).toMatch(/<summary[^>]*>User, 1 key<\/summary>/);
    expect(markdownOf([{ who: ada }])).toContain('| `User {"name":"Ada"}` |');
    expect(markdownOf(new Map([["k", 1]]))).toBe("Map(1)\n\n- **k**: 1");
  });

  it("shows all keys of a map, also those that are written alike", () => {
    const map = new Map<unknown, number>([
      ["1", 10],
      [1, 11],
      ["a", 12],
      [{}, 13],
      [{}, 14],
    ]);
    const lines = String(markdownOf(map)).split("\n").slice(2);
    expect(lines.map((line) => line.replaceAll(/[^\w"{} :]/g, "")).sort()).toEqual(
      [' "1": 10', " 1: 11", " a: 12", " {}: 13", ' "{} ": 14'].sort(),
    );
  });

  it("stops at a cycle", () => {
    expect(markdownOf(cyclic)).toBe("- **a**: 1\n- **self**: `[Circular]`");
    expect(markdownOf([{ cyclic }])).toContain('`{"a":1,"self":[Circular]}`');
    // The same object twice is not a cycle.
    const twice = { n: { deep: [cyclic] } };
    expect(markdownOf({ one: twice, two: twice })).not.toMatch(/two\*\*: `?\[Circular/);
  });

  it("hides bytes that contain a secret", () => {
    const secrets = createSecretStore();
    secrets.learn({ kind: "value", value: { password: "Byte-s3cret" } }, "person");
    const bundle = renderBundle({ bytes: Buffer.from("Byte-s3cret") }, { secrets: [secrets] });
    expect(bundle["text/markdown"]).toBe("- **bytes**: `<Buffer of 11 bytes>`");
  });
});

describe("a short list", () => {
  it.each([[[1, 2, 3]], [["a", "b"]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]], [[-0, /x/, null]]])(
    "is one line of text: %j",
    (list) => {
      const bundle = renderBundle(list, { inspect });
      expect(Object.keys(bundle)).toEqual(["text/plain"]);
      expect(bundle["text/plain"]).toBe(inspect(list, { compact: true }));
      expect(bundle["text/plain"]).not.toContain("\n");
    },
  );

  it("keeps its lines in the body of an answer, where each has a path", () => {
    expect(toMarkdown(viewExchange(parsedExchange([1, 2])))).toContain("- **0**: 1\n- **1**: 2");
  });
});

describe("values of a program", () => {
  it.each(PROGRAM_VALUES)("look the same as in plain text: %s", (_, value, text) => {
    expect(renderBundle(value)["text/plain"]).toContain(withBlanks(text));
  });
});

/** Plain text has room for blanks, at which a terminal breaks it. */
function withBlanks(text: string): string {
  return text.replaceAll('":', '": ').replace(/,(?! )/g, ", ");
}

describe("a value within a value", () => {
  const headers = new Headers({ a: "1", Authorization: "Bearer hush-hush-42" });
  const fields = new FormData();
  fields.append("a", "x");
  fields.append("a", "y");

  it.each<[string, object, string, unknown]>([
    [
      "headers",
      headers,
      'Headers {"a":"1","authorization":"Bearer •••"}',
      { a: "1", authorization: "Bearer •••" },
    ],
    [
      "parameters",
      new URLSearchParams("a=1&a=2"),
      'URLSearchParams {"a":"1","a":"2"}',
      { a: ["1", "2"] },
    ],
    ["a form", fields, 'FormData {"a":"x","a":"y"}', { a: ["x", "y"] }],
    ["a Map", new Map([["k", 1]]), 'Map(1) {"k":1}', { k: 1 }],
    ["a Set", new Set([1, "a"]), 'Set(2) [1,"a"]', [1, "a"]],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"],
    ["an error", new RangeError("too far"), "[RangeError: too far]", "[RangeError: too far]"],
  ])("has its content in every form: %s", (_, value, text, json) => {
    const bundle = renderBundle({ it: value, last: 1 });
    const { markdown, html } = memberOf(value);
    expect(markdown).toBe(text);
    expect(textOfHtml(html)).toContain(text);
    expect(bundle["text/plain"]).toContain(withBlanks(text));
    expect(bundle["application/json"]).toEqual({ it: json, last: 1 });
    const console = renderBundle({ it: value }, { inspect })["text/plain"];
    expect(console).not.toContain("hush-hush");
  });

  it("that is undefined is shown, and a row that lacks the key has nothing", () => {
    expect(markdownOf({ a: undefined })).toBe("- **a**: undefined");
    expect(markdownOf([{ a: undefined }, {}])).toContain("| undefined |\n|  |");
  });

  it("that is an error has no frame of ours, and those of the user", () => {
    const error = new Error("broken");
    error.stack = `Error: broken\n    at mine (cell 1:1:2)\n    at ours (${import.meta.url.replace("test/display/value.test.ts", "lib/mod.ts")}:1:2)`;
    const text = renderBundle({ error, next: 1 }, { inspect })["text/plain"];
    expect(text).toMatch(/at mine \(cell 1:1:2\),\n {2}next: 1/);
    expect(text).not.toContain("ours");
  });

  it("keeps the scheme of a credential under the name of its header", () => {
    const store = createSecretStore();
    const value = [{ Authorization: "Bearer hush-hush-42", password: "Basic hush-hush-43" }];
    const bundle = renderBundle(value, { inspect, secrets: [store] });
    for (const form of ["text/plain", "text/markdown", "text/html"] as const) {
      expect(bundle[form]).toContain("Bearer •••");
      expect(bundle[form]).not.toMatch(/hush|Basic/);
    }
  });
});

describe("one record", () => {
  const wide = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`column${at}`, at]));

  it("of many columns, or of long ones, is keys and values", () => {
    expect(markdownOf([wide])).toContain("- **0**:\n  - **column0**: 0\n");
    expect(markdownOf([{ a: "x".repeat(60), b: "y".repeat(60) }])).toContain("  - **a**: x");
    expect(markdownOf([{ a: 1 }])).toContain("| a |");
    expect(markdownOf([wide, wide])).toContain("| column0 |");
  });
});
