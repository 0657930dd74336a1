import { describe, expect, it } from "vitest";
import { renderBundle, showPart } from "../../lib/display/mod.ts";
import type { Exchange } from "../../lib/exchange/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { sampleExchange } from "./sample.ts";

const FORMS = ["text/plain", "text/markdown", "text/html"] as const;

const LONG = "x".repeat(300);
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const GZIP = bytes("1f8b0800000000000003ab564a54b232ac050022ae1b5607000000");
const PNG = bytes("89504e470d0a1a0a0000000d4948445200000001");

/** An exchange whose Content-Type is complete. */
function answer(
  type: string,
  body: string | Uint8Array,
  secrets: Exchange["secrets"] = [],
): Exchange {
  const essence = type.split(";")[0] ?? "";
  const headers = new Headers(type === "" ? [] : [["content-type", type]]);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  let json: unknown;
  try {
    json = text.trim() === "" ? undefined : JSON.parse(text);
  } catch (error) {
    return Object.defineProperty(
      sampleExchange(body, essence, { headers, text, secrets }),
      "json",
      {
        get: () => {
          throw error;
        },
      },
    );
  }
  return sampleExchange(body, essence, { headers, text, json, secrets });
}

/** What all forms contain, by the type and the body. */
const SHOWN: readonly (readonly [
  type: string,
  body: string | Uint8Array,
  shown: readonly string[],
])[] = [
  // No event, or something beside them
  ["text/event-stream", "Unauthorized: no token", ["no token", "The body has no event"]],
  ["text/event-stream", '{"error":"overloaded"}', ["overloaded", "The body has no event"]],
  ["text/event-stream", "<!doctype html><h1>Bad gateway", ["Bad gateway"]],
  [
    "text/event-stream",
    'data: {"a":1}\n\ndata: {"b":"crashed"}',
    ["crashed", "ends within an event"],
  ],
  [
    "text/event-stream",
    'data: 1\n\n{"error":"late"}\n\ndata: 2\n\n',
    ["late", "belong to no event"],
  ],
  ["text/event-stream", "data: one\r\rdata: two\r\r", ["one", "two", "2 events"]],
  // Text of types that are none
  ["image/jpeg", '{"error":"no such image"}', ["no such image", "The body is text"]],
  ["audio/mpeg", "unknown voice", ["unknown voice", "The body is text"]],
  ["video/mp4", "<html><p>gone</p></html>", ["gone"]],
  ["application/pdf", '{"error":"no such report"}', ["no such report"]],
  // Text of types that nobody lists
  ...[
    ...[
      "application/jwt",
      "application/vnd.github.v3.diff",
      "message/http",
      "application/csp-report",
    ],
    ...[
      "application/octet-stream",
      "application/x-pem-file",
      "application/foo",
      "chemical/x-pdb",
      "",
    ],
  ].map((type) => [type, `${LONG}\nTHE-END`, ["THE-END"]] as const),
  ["application/x-amz-json-1.1", `{"Id":"${LONG}","Note":"THE-END"}`, ["Note", "THE-END"]],
  ["application/dns-json", `{"Status":0,"Note":"THE-END"}`, ["Note", "THE-END"]],
  ["application/json-rpc", `{"jsonrpc":"2.0","Note":"THE-END"}`, ["Note", "THE-END"]],
  ["application/octet-stream", `{"Note":"THE-END"}`, ["Note", "although its Content-Type is"]],
  ["text/plain", `[{"Note":"THE-END"}]`, ["1 row", "although its Content-Type is text/plain"]],
  ["", `{"Note":"THE-END"}`, ["Note", "although it has no Content-Type"]],
  ["application/octet-stream", '{"a":1}\n{"a":2}\n', ["2 rows"]],
  ["application/octet-stream", "id;name\n1;Ada\n2;Ben\n", ["shown as text/csv", "2 rows"]],
  ["", "id\tname\n1\tAda\n2\tBen", ["shown as text/csv", "2 rows"]],
  ["", "Dear Ada, hello\nDear Ben, hello\nDear Cem, hello", ["Dear Cem, hello"]],
  ["text/plain", "id,name\n1,Ada\n2,Ben\n", ["2,Ben"]],
  ["application/csv", "id,name\n1,Ada\n", ["1 row"]],
  ["text/plain", "ID3 tags are explained here", ["ID3 tags are explained here"]],
  ["application/octet-stream", "[INFO] started\n[INFO] done", ["[INFO] done"]],
  // Bytes of types of text
  ["application/json", GZIP, ["gzip", "The body is not text", "no Content-Encoding names gzip"]],
  ["text/plain", PNG, ["PNG", "The body is not text"]],
  ["application/octet-stream", bytes("504b030414000000786c2f776f726b"), ["Excel (xlsx)"]],
  ["application/foo", bytes("0001020304"), ["Binary body: application/foo, 5 bytes"]],
  // Multipart
  ["multipart/mixed; boundary=zzz", '{"error":"rejected"}', ["rejected", "does not occur in it"]],
  ["multipart/mixed", "--x\r\n\r\nhello\r\n--x--", ["hello", "has no boundary"]],
  [
    "multipart/mixed; boundary=x",
    latin("--x\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\ncaf\u00e9\r\n--x--"),
    ["café", "4 bytes"],
  ],
  [
    "multipart/form-data; boundary=x",
    latin(
      `--x\r\nContent-Disposition: form-data; name=field; filename*=utf-8''caf%C3%A9.bin\r\n\r\n${"\u0080\u0000\u00ff\n".repeat(250)}\r\n--x--`,
    ),
    ["field", "café.bin", "1.0 kB", "binary"],
  ],
  [
    "multipart/mixed; boundary=x",
    "--x\r\nContent-ID: one\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n\r\n--x--",
    ["204 No Content", "Content-ID: one"],
  ],
  [
    "multipart/mixed; boundary=x",
    "--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n--y\r\n\r\ninner\r\n--y--\r\n--x--",
    ["multipart/alternative", "inner", "1 part"],
  ],
  // JSON
  [
    "application/json",
    '{"a":{"t":"one","t":"two"},"b":[{"x":1},{"x":1,"\\u0078":2}]}',
    ["$.a.t, $.b[1].x"],
  ],
  ["application/json", '[{"a":1},{"a":2}]', ["2 rows"]],
  ["application/json", '{"a":1}\n{"a":2}', ["Warning", "but several", "2 rows"]],
  ["application/json", '{"a":1}{"a":2}{"a', ["Warning", "2 rows"]],
  ["application/json", "  \n", ["contains only blanks: 3 bytes"]],
  ["application/json", "[{}]", ["1 row without keys"]],
  ["application/json", '[{"a":1},null,{"a":2}]', ["null", "3 rows"]],
  ["application/json", "[null,null]", ["null"]],
  ["application/json", '{"":1," ":2,"a":3}', ['""', '" "']],
  ["application/json", '[{"a ":1,"a":2}]', ['"a "']],
  ["application/x-ndjson", '{"a":1}\noops\n{"a":2}\n{"a', ["2 rows", "line 2, 4", "oops"]],
  // CSV
  ["text/csv", "id,name\r1,Ada\r2,Ben\r", ["2 rows"]],
  ["text/csv", "id\tname\n1\tAda\n", ["name", "1 row"]],
  ["text/csv", "sep=;\nid;name\n1;A,b\n", ["A,b", "1 row"]],
  ["text/csv; header=absent", "1,Ada\n2,Ben\n", ["Ada", "2 rows"]],
  ["text/csv", 'a,b\n1,"x\n2,y\n', ["in record 2 is not closed"]],
];

/** The text of a form as a reader sees it. */
function seen(exchange: Exchange, form: (typeof FORMS)[number]): string {
  const text = String(renderBundle(exchange)[form]);
  if (form !== "text/html") return text.replace(/\\([\\[\]*_<>()#.-])/g, "$1");
  return text
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#34|quot);/g, '"')
    .replace(/&#0?39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&amp;/g, "&");
}

describe("a body is shown as what it is", () => {
  it.each(SHOWN.map(([type, body, shown]) => ({ type, body, shown })))(
    "$type $body",
    ({ type, body, shown }) => {
      const exchange = answer(type, body);
      for (const form of FORMS) {
        const text = seen(exchange, form);
        for (const part of shown) {
          // Only HTML and plain text mark what warns.
          if (part === "Warning" && form !== "text/plain") continue;
          expect(text, form).toContain(part);
        }
      }
      const isText = typeof body === "string";
      if (isText) expect(seen(exchange, "text/plain")).not.toContain("Binary body");
    },
  );

  it("is hidden or masked if it contains a secret, and says so", () => {
    const secrets = createSecretStore();
    secrets.learn({ kind: "value", value: { password: "Byte-s3cret" } }, "person");
    const shown = (body: string | Uint8Array): string =>
      seen(answer("application/foo", body, [secrets]), "text/plain");
    expect(shown(latin("\0Byte-s3cret"))).toMatch(/it is hidden because it contains a secret$/);
    expect(shown("has Byte-s3cret inside")).toMatch(/has ••• inside/);
  });

  it("reports a fault behind what is shown of a long body, and what was not checked", () => {
    const row = `{"a":1,"b":"${"x".repeat(49)}"},`;
    const wrong = answer("application/json", `[${row.repeat(20_000)}{"a":undefined}]`);
    expect(seen(wrong, "text/plain")).toMatch(/^Warning: .*JSON/m);
    const fine = answer("application/json", `[${row.repeat(20_000)}{"a":1}]`);
    expect(seen(fine, "text/plain")).not.toContain("Warning");
    const long = answer("application/json", `[${row.repeat(100_000)}{"a":1}]`);
    expect(seen(long, "text/plain")).toContain("what is not shown was counted, not checked");
  });

  it("parses JSON and tables on demand, whatever the type", () => {
    const exchange = answer("text/plain", '[{"a":1,"b":2},{"a":3}]');
    for (const part of ["json", "table"] as const) {
      expect(String(showPart(exchange, part))).toMatch(/^a +b/m);
    }
    expect(String(showPart(answer("text/html", '"5"'), "json"))).toBe('"5"');
  });

  it("indents JSON of each type of JSON as its source", () => {
    for (const type of ["text/json", "application/problem+json", "application/x-amz-json-1.1"]) {
      expect(String(showPart(answer(type, '{"a":1}'), "body"))).toBe('{\n  "a": 1\n}');
    }
  });

  it("shows a JSON text as one, whatever its size", () => {
    const text = JSON.stringify(`a\n"b" ${"y".repeat(1_200_000)}`);
    expect(seen(answer("application/json", text), "text/plain")).toContain('"a\\n\\"b\\" yyy');
  });
});
