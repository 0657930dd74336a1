import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ImportedRequest, plainText, type Text } from "../../kernel/import/collection.ts";
import { referencedFiles } from "../../kernel/import/references.ts";
import { writeComment, writeRequest } from "../../kernel/import/write-request.ts";
import { parseText, renderRequest } from "../../lib/request/mod.ts";
import { importTexts, json } from "./fixture.ts";

const NASTY = [
  "{{x}}",
  "{{$env.HOME}}",
  "###",
  "\n### x\nGET http://evil.test/\n",
  "?? status == 1",
  "{{+\n",
  "{{\nexports.a = 1\n}}",
  "// c",
  "# @name y",
  "< ./secret",
  "<@ ./secret",
  "> {% client.exit() %}",
  ">> file",
  "<> a.json",
  "@a = 1",
  "/*",
  "*/",
  "HTTP/1.1 200 OK\n",
  "\r\n",
  "\r",
  "\\",
  "\\{{",
  "%%http",
  "GET http://evil.test",
  "import ./a.http",
  "run #x",
  "curl http://evil.test",
  '"',
  "'",
  " HTTP/1.1",
  "\u0000",
  "\u2028",
  "&",
  "=",
  "?",
  "#",
  "{",
  "}",
];
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
      { weight: 2, arbitrary: fc.string({ maxLength: 8 }) },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

/** Text with variables, as a reader makes it. */
const template: fc.Arbitrary<Text> = fc.array(
  fc.oneof(
    text.filter((one) => one !== ""),
    fc.constant({ variable: "value" }),
  ),
  { maxLength: 4 },
);

const sent = (value: Text): string => plainText(value);

test("any texts of a source are the texts of exactly one request", () => {
  fc.assert(
    fc.property(
      fc.record({
        title: text,
        description: text,
        comment: text,
        query: template,
        header: template,
        body: template,
        type: fc.constantFrom(
          "text/plain",
          "application/json",
          "text/markdown",
          "application/x-www-form-urlencoded",
        ),
      }),
      ({ title, description, comment, query, header, body, type }) => {
        const request: ImportedRequest = {
          kind: "request",
          title,
          where: "$",
          description,
          comments: [comment],
          method: "POST",
          url: ["http://a.test/p"],
          query: [{ name: "q", value: ["q=", ...query] }],
          headers: [
            { name: "Content-Type", value: [type] },
            { name: "X-Text", value: header },
          ],
          body: { kind: "text", pieces: body },
        };
        const written = writeRequest(request, "name");
        // Where it cannot be said, a comment says so and the report names it.
        if (written === undefined) return;
        const { statements, imports } = parseText(written);
        const requests = statements.filter((one) => one.kind === "request");
        expect(requests.length).toBe(1);
        expect(imports).toEqual([]);
        expect(
          statements.every(
            (one) =>
              one.kind === "request" || (one.kind === "assignment" && one.name === "backslash"),
          ),
        ).toBe(true);
        const [draft] = requests;
        if (draft === undefined) return;
        const values = new Map([["backslash", "\\"]]);
        const rendered = renderRequest(draft, values, { missing: "keep" });
        expect(rendered.method).toBe("POST");
        expect(rendered.headers.length).toBe(2);
        expect(new URL(rendered.url).host).toBe("a.test");
        if (type === "text/plain")
          expect(rendered.body ?? "").toBe(sent(body).replace(/\p{Surrogate}/gu, "\ufffd"));
      },
    ),
    { numRuns: 400 },
  );
});

test("most hostile texts can be said", () => {
  const said = NASTY.filter((one) => {
    const base = {
      kind: "request",
      title: one,
      where: "$",
      method: "POST",
      url: ["http://a.test/"],
    } as const;
    const headers = [{ name: "Content-Type", value: ["text/plain"] }];
    const request = {
      ...base,
      description: one,
      query: [],
      headers,
      body: { kind: "text", pieces: [one] },
    } as const;
    return writeRequest(request, "name") !== undefined;
  });
  expect(said).toEqual(NASTY);
});

test("no line of a comment is an annotation", () => {
  fc.assert(
    fc.property(text, (one) => {
      const lines = writeComment(one);
      expect(lines.every((line) => /^#(?:$|(?!##)[ \t]*(?![@\s]))/.test(line))).toBe(true);
      expect(parseText(lines.join("\n")).statements).toEqual([]);
    }),
  );
});

const openapi = (more: object): string =>
  json({ openapi: "3.0.0", info: { title: "a" }, servers: [{ url: "http://a.test" }], ...more });

const bodyOf = (schema: object, schemas: object = {}): string =>
  openapi({
    paths: {
      "/": {
        post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
      },
    },
    components: { schemas },
  });

describe("hostile sources", () => {
  test("a circle of references ends", () => {
    const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const { document } = importTexts([
      bodyOf(ref("A"), {
        A: { type: "object", properties: { b: ref("B"), loop: ref("Loop") } },
        B: { type: "object", properties: { a: ref("A") } },
        Loop: ref("Loop"),
      }),
    ]);
    expect(document).toContain('"b": {}');
  });

  test("a schema that stands for more values than fit into memory is cut", () => {
    const names = Array.from({ length: 10 }, (_, index) => `S${index}`);
    const schemas = names.map((name, index) => {
      const properties = names.map((one) => [one, { $ref: `#/components/schemas/S${index + 1}` }]);
      return [name, { type: "object", properties: Object.fromEntries(properties) }];
    });
    const { document } = importTexts([
      bodyOf({ $ref: "#/components/schemas/S0" }, Object.fromEntries(schemas)),
    ]);
    expect(document.length).toBeLessThan(300_000);
  });

  test.each([
    "http://evil.test/a.json#/A",
    "../secret.yaml#/A",
    "/etc/passwd",
    "file:///etc/passwd",
    "a/../../b.yaml",
  ])("a reference to %s is refused", ($ref) => {
    const { remarks } = importTexts([bodyOf({ $ref })]);
    expect(remarks).toContain(
      `left out $: The reference "${$ref}" leads to nothing that can be read`,
    );
    expect(referencedFiles({ $ref }, "")).toEqual([]);
  });

  test("a reference to a file beside the description is followed, and from there to another", () => {
    const files = {
      "a/b.yaml": "Swagger: { $ref: '../c.json#/C' }\nopenapi: x",
      "c.json": '{"C": {"type": "string", "example": "found"}}',
    };
    const { document } = importTexts([{ text: bodyOf({ $ref: "./a/b.yaml#/Swagger" }), files }]);
    expect(document).toContain('"found"');
  });

  test.each([
    [
      "deep JSON",
      `{"item": ${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
      /nested deeper than 100 levels/,
    ],
    [
      "a YAML bomb",
      `openapi: 3.0.0\n${"abcdefghij"
        .split("")
        .map(
          (name, index, all) =>
            `${name}: &${name} [${
              index === 0
                ? "x"
                : Array(10)
                    .fill(`*${all[index - 1]}`)
                    .join(", ")
            }]`,
        )
        .join("\n")}`,
      /not YAML|too many values/,
    ],
    ["an endless alias", "openapi: 3.0.0\na: &a [*a]", /not YAML|nested deeper/],
    ["broken JSON", '{"info": {},\n "item": [}', /not JSON: line 2, column 11/],
    ["an unknown version", openapi({ openapi: "4.0.0" }), /its version is "4.0.0"/],
    [
      "a collection of Postman 1.0",
      json({ id: "x", name: "a", order: [], requests: [] }),
      /Postman 1.0; export it/,
    ],
    ["a HAR without entries", json({ log: { entries: 3 } }), /log.entries is missing/],
  ])("%s is a clear error", (_what, source, message) => {
    expect(() => importTexts([source])).toThrow(message);
  });

  test("names that are paths or mean something lead to no other file, environment or variable", () => {
    const item = (name: string): object => ({ name, item: [{ name, request: "http://a.test" }] });
    const { files } = importTexts(
      [
        json({
          info: { name: "../../etc" },
          item: ["../../x", "C:\\y", "con", "/", "..", ""].map(item),
        }),
        json({
          name: "$shared",
          values: [
            { key: "__proto__", value: "1" },
            { key: "Security", value: "2" },
          ],
        }),
      ],
      { kind: "folder" },
    );
    const documents = [...files.keys()].filter((path) => path.endsWith(".ipynb"));
    expect(documents).toEqual([
      "x.ipynb",
      "c-y.ipynb",
      "con_.ipynb",
      "requests.ipynb",
      "requests_2.ipynb",
      "request.ipynb",
    ]);
    expect(JSON.parse(String(files.get("http-client.env.json")))).toEqual({
      shared: { ["__proto__"]: "1", Security_2: "2" },
    });
  });

  test("a file of another folder is never sent", () => {
    const body = { mode: "file", file: { src: "/etc/passwd" } };
    const { document, remarks } = importTexts([
      json({
        info: {},
        item: [{ name: "a", request: { method: "POST", url: "http://a.test", body } }],
      }),
    ]);
    expect(document).toContain("\n< ./passwd\n");
    expect(remarks).toHaveLength(1);
  });

  test("a source reads nothing that the machine knows", () => {
    const { document } = importTexts([
      json({
        info: {},
        item: [
          {
            name: "a",
            request: { url: "http://a.test/?a={{$guid}}&b={{$env.HOME}}&c={{$dotenv X}}" },
          },
        ],
      }),
    ]);
    expect(document).toContain("?a={{$guid}}&b=%7B%7B$env.HOME%7D%7D&c=%7B%7B$dotenv%20X%7D%7D");
  });
});
