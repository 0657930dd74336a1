import { showPart, showTable } from "../../lib/display/mod.ts";
import { TemplateSyntaxError } from "../../lib/interpolation/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { parsedExchange, STATUS_CLASSES, sampleExchange } from "./sample.ts";

const { request } = sampleExchange("");
const multipart = { headers: new Headers({ "content-type": "multipart/form-data; boundary=b" }) };
const BYTES = new Uint8Array([0, 1, 254, 255]);

function faulty(): unknown {
  try {
    return createClient().render("GET http://h.test/{{usre.id}}\nA: {{no}}");
  } catch (error) {
    return error;
  }
}

/** One value for each view there is. */
export const EVERY_VIEW: Readonly<Record<string, unknown>> = {
  "a table": parsedExchange([{ id: 1, name: "Ada", price: "$5", at: "2026-11-20T13:14:03Z" }]),
  "a wide and long table": parsedExchange(
    Array.from({ length: 90 }, () =>
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, i])),
    ),
  ),
  "keys and values": parsedExchange({ a: { b: [{ c: 1 }] }, d: [1, 2], e: [{ f: [[1]] }] }),
  "a list": parsedExchange([1, "x", { a: [2] }]),
  "a scalar": parsedExchange("twelve"),
  "an answer with a name": parsedExchange([{ id: 1 }], { request: { ...request, name: "users" } }),
  "broken JSON": sampleExchange('{"a": 1,\n'),
  "JSON Lines": sampleExchange('{"a":1}\n{"b":2}\nno\n', "application/x-ndjson"),
  "an event stream": sampleExchange("id: 1\ndata: {}\n\n", "text/event-stream"),
  CSV: sampleExchange("a,b\n1,x\n", "text/csv"),
  TSV: sampleExchange("a\tb\n1\tx\n", "text/tab-separated-values"),
  XML: sampleExchange('<a href="x">\n  <!-- y --><b>&amp;</b>\n</a>', "application/xml"),
  HTML: sampleExchange('<a href="x">\n  <!-- y -->\n</a>', "text/html"),
  Markdown: sampleExchange("# A\n\n* b\n", "text/markdown"),
  text: sampleExchange("one\n  two\n", "text/plain"),
  "long text": sampleExchange("line\n".repeat(9_000), "text/plain"),
  "a form": sampleExchange("a=1&a=2&b=%C3%BC", "application/x-www-form-urlencoded"),
  "a multipart body": sampleExchange(
    '--b\r\nContent-Disposition: form-data; name="n"\r\n\r\nv\r\n--b--\r\n',
    "multipart/form-data",
    multipart,
  ),
  "a picture": sampleExchange(BYTES, "image/png"),
  "a drawing": sampleExchange("<svg/>", "image/svg+xml"),
  "a sound": sampleExchange(BYTES, "audio/wav"),
  "a film": sampleExchange(BYTES, "video/mp4"),
  "a document": sampleExchange(BYTES, "application/pdf"),
  bytes: sampleExchange(BYTES, "application/zip"),
  nothing: sampleExchange("", "text/plain"),
  "nothing to HEAD": sampleExchange("", "", { request: { ...request, method: "HEAD" } }),
  "bodies, redirects and warnings": sampleExchange("", "", {
    request: { ...request, body: "a=1", writtenUrl: "http://{{x}}/" },
    warnings: ["This looks wrong"],
    redirects: [
      {
        method: "GET",
        url: "http://a/1",
        status: 302,
        statusText: "Found",
        statusClass: "Redirection",
        location: "/2",
      },
    ],
  }),
  "what is cut": sampleExchange('[{"a":1},{"a"', "application/json", { cut: true }),
  "several answers": STATUS_CLASSES.map((statusClass) => sampleExchange("", "", { statusClass })),
  "an error": new TypeError("no", { cause: new Error("inner") }),
  "an error with faults": faulty(),
  "another error with a fault": new TemplateSyntaxError("{{a..b}}", [
    { message: "Bad", hint: "Try", line: 1, column: 4, span: { start: 4, end: 5 } },
  ]),
  "a value": { list: [1, 2], map: new Map([["k", 1n]]), when: new Date(0) },
  "bytes of a program": BYTES,
  "a table that was asked for": showTable([{ id: 2 }, { id: 1, a: { b: 1 } }], { sort: "id" }),
  "the request": showPart(sampleExchange("x", "text/plain"), "request"),
  "the headers": showPart(sampleExchange("x", "text/plain"), "headers"),
  "a page in a frame": showPart(sampleExchange("<h1>A</h1>", "text/html"), "html-preview"),
};
