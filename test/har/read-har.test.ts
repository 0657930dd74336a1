import { describe, expect, test } from "vitest";
import { HarError, readHar } from "../../lib/mod.ts";
import { measureGrowth } from "../linear/growth.ts";

const request = { method: "GET", url: "http://api.test/" };
const response = { status: 200, headers: [], content: { text: "hi" } };
const har = (...entries: readonly unknown[]): string => JSON.stringify({ log: { entries } });
const withContent = (content: unknown): string =>
  har({ request, response: { ...response, content } });

describe("readHar", () => {
  test.for([
    ["{", "it is not JSON: line 1, column 2: it ends unexpectedly"],
    ["[1,", "it is not JSON: line 1, column "],
    [
      '{\n  "log": {\n    "entries": [}]\n  }\n}',
      'it is not JSON: line 3, column 17: expected a value, found "}"',
    ],
    ["", "it is not JSON: line 1, column "],
    ["[]", "the document: it is an array; an object is needed"],
    ["null", "the document: it is null; an object is needed"],
    ["{}", "log: it is missing"],
    ['{"log": 7}', "log: it is a number; an object is needed"],
    ['{"log": {}}', "log.entries: it is missing"],
    ['{"log": {"entries": {}}}', "log.entries: it is an object; an array is needed"],
    [har(7), "log.entries[0]: it is a number; an object is needed"],
    [har({}), "log.entries[0].request: it is missing"],
    [har({ request }), "log.entries[0].response: it is missing"],
    [
      har({ request: { method: "GET", url: 7 }, response }),
      "log.entries[0].request.url: it is a number; a string is needed",
    ],
    [har({ request: { url: "x" }, response }), "log.entries[0].request.method: it is missing"],
    [
      har({ request, response }, { request, response: { status: "200" } }),
      "log.entries[1].response.status: it is a string; a number is needed",
    ],
    [
      har({ request, response: { status: 20.5 } }),
      "log.entries[0].response.status: 20.5 is not a status",
    ],
    [
      har({ request, response: { status: 200, headers: [{ name: "a" }] } }),
      "log.entries[0].response.headers[0].value: it is missing",
    ],
    [
      withContent({ text: "hi", encoding: "gzip" }),
      'log.entries[0].response.content.encoding: "gzip" is unknown',
    ],
    [
      withContent({ text: "h!", encoding: "base64" }),
      "log.entries[0].response.content.text: it is not base64",
    ],
    [
      withContent({ text: "aaaaa", encoding: "base64" }),
      "log.entries[0].response.content.text: it is not base64",
    ],
    [
      withContent({ text: ["hi"] }),
      "log.entries[0].response.content.text: it is an array; a string is needed",
    ],
    [
      har({ request: { ...request, postData: "a" }, response }),
      "log.entries[0].request.postData: it is a string; an object is needed",
    ],
    [
      har({ request, response, _webSocketMessages: [{ type: "in", data: "" }] }),
      '_webSocketMessages[0].type: "in" is neither "send" nor "receive"',
    ],
    [`{"log":{"__proto__":{"entries":[]}}}`, "log.entries: it is missing"],
  ] as const)("says where %s is at fault", ([text, message]) => {
    let thrown: unknown;
    try {
      readHar(text, "bad.har");
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(HarError);
    expect(String(thrown)).toContain('Cannot read "bad.har": ');
    expect(String(thrown)).toContain(message);
  });

  test("reads deeply nested and large files in linear time", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const [entry] = readHar(
      `{"log":{"_deep":${deep},"entries":[{"request":{"method":"GET","url":"http://a/"},"response":{"status":200}}]}}`,
    ).entries;
    expect(entry?.response.status).toBe(200);
    const read = (text: string): unknown => readHar(withContent({ text, encoding: "base64" }));
    expect(measureGrowth(read, (length) => "a".repeat(length), 1_000_000)).toBeUndefined();
    expect(read("a".repeat(1_000_000))).toMatchObject({ entries: [{}] });
  });

  test("reads what Chrome writes: pseudo-headers, joined cookies, sizes of -1", () => {
    const [entry] = readHar(
      `\uFEFF${har({
        _fromCache: "disk",
        _resourceType: "fetch",
        request: {
          ...request,
          httpVersion: "http/2.0",
          headers: [{ name: ":authority", value: "api.test" }],
          bodySize: 0,
        },
        response: {
          status: 200,
          statusText: "",
          httpVersion: "http/2.0",
          headers: [
            { name: ":status", value: "200" },
            { name: "content-encoding", value: "br" },
            { name: "set-cookie", value: "a=1; Path=/\nb=2" },
          ],
          content: { size: 2, mimeType: "text/plain", compression: -1, text: "hi" },
          _transferSize: -1,
          _error: null,
        },
      })}`,
    ).entries;
    expect(entry?.body).toEqual({ kind: "none" });
    expect(entry?.response.headers).toEqual([
      ["content-encoding", "br"],
      ["set-cookie", "a=1; Path=/"],
      ["set-cookie", "b=2"],
    ]);
  });

  test.for([
    [{ method: "GET", bodySize: -1 }, { kind: "none" }],
    [{ method: "POST", bodySize: -1 }, { kind: "unknown" }],
    [{ method: "POST", bodySize: 7 }, { kind: "unknown" }],
    [{ method: "POST", bodySize: 0 }, { kind: "none" }],
    [
      { method: "POST", postData: { mimeType: "a/b", text: "x" } },
      { kind: "text", text: "x", contentType: "a/b" },
    ],
    [
      { method: "POST", postData: { text: "AAE=", _encoding: "base64" } },
      { kind: "base64", text: "AAE=", contentType: "" },
    ],
    [
      {
        method: "POST",
        postData: { mimeType: "", params: [{ name: "a b", value: "1" }, { name: "c" }] },
      },
      { kind: "text", text: "a+b=1&c=", contentType: "" },
    ],
    [
      { method: "POST", postData: { mimeType: "", text: "", comment: "not kept" } },
      { kind: "unknown" },
    ],
  ] as const)("reads the body of %j", ([more, body]) => {
    const { entries } = readHar(har({ request: { ...request, ...more }, response }));
    expect(entries[0]?.body).toEqual(body);
  });
});
