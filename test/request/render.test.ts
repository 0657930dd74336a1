import { describe, expect, test } from "vitest";
import type { Value } from "../../lib/interpolation/mod.ts";
import {
  InvalidHeaderError,
  parseRequests,
  type RenderedRequest,
  type RenderRequestOptions,
  RequestSyntaxError,
  renderRequest,
} from "../../lib/request/mod.ts";
import { thrownBy } from "./thrown.ts";

type Values = Readonly<Record<string, Value>>;

function render(
  text: string,
  values: Values = {},
  options?: RenderRequestOptions,
): RenderedRequest {
  const [draft] = parseRequests(text);
  if (draft === undefined) throw new Error("The text holds no request");
  return renderRequest(draft, values, options);
}

describe("renderRequest replaces words that stand for a method", () => {
  test("SSE becomes GET with Accept: text/event-stream", () => {
    const { method, headers, added } = render("SSE http://a.test/events");
    expect([method, headers, added]).toEqual([
      "GET",
      [["Accept", "text/event-stream"]],
      ["Accept"],
    ]);
    const written = render("SSE http://a.test/events\naccept: text/plain");
    expect([written.headers, written.added]).toEqual([[["accept", "text/plain"]], []]);
  });
});

test.each<[value: string, certificate: object | undefined]>([
  ["cert: ./c.pem key: ./k.pem", { cert: "./c.pem", key: "./k.pem" }],
  ["cert: ./c.pem passphrase: {{word}}", { cert: "./c.pem", key: "./c.pem", passphrase: "x" }],
  ["pfx: ./c.p12 passphrase: x", { pfx: "./c.p12", passphrase: "x" }],
  ["Subject=Ada", undefined],
  ["{{stolen}}", undefined],
])("X-ClientCert: %s is not sent if it names a certificate", (value, certificate) => {
  const text = `GET https://a.test\nX-ClientCert: ${value}`;
  const { headers, clientCertificate } = render(text, { word: "x", stolen: "pfx: /etc/key" });
  expect(clientCertificate).toEqual(certificate);
  expect(headers.length).toBe(certificate === undefined ? 1 : 0);
});

test("a GET of a URL for WebSockets opens one", () => {
  const { method, messages } = render("GET {{base}}/x\n\nhello", { base: "wss://a.test" });
  expect([method, messages]).toEqual(["WEBSOCKET", [{ kind: "send", text: "hello" }]]);
});

describe("renderRequest completes a target without a scheme", () => {
  test("with the Host header, or else the variable host", () => {
    const text = "GET /x\nHost: b.test";
    expect(render(text, { host: "http://a.test" }).url).toBe("https://b.test/x");
    expect(() => render("GET /x", { host: "" })).toThrow("has no host");
    expect(() => render("GET /x", { host: 5 })).toThrow("has no host");
  });

  const CASES: [target: string, url: string, values?: Values][] = [
    ["/x?y=1", "http://localhost:1/x?y=1", { host: "http://localhost:1" }],
    ["/{{x}}", "https://a.test/v1/z", { host: "a.test/v1/", x: "z" }],
    ["{{path}}", "http://localhost/p", { host: "localhost", path: "/p" }],
    ["?a=b c", "https://a.test/?a=b c", { host: "a.test" }],
    ["localhost", "http://localhost"],
    ["localhost:8080/x", "http://localhost:8080/x"],
    ["LocalHost/x", "http://LocalHost/x"],
    ["localhost?x=1", "http://localhost?x=1"],
    ["api.localhost:3000", "http://api.localhost:3000"],
    ["127.0.0.1/x", "http://127.0.0.1/x"],
    ["127.1.2.3:80", "http://127.1.2.3:80"],
    ["[::1]:8080/x", "http://[::1]:8080/x"],
    ["[0:0:0:0:0:0:0:1]/x", "http://[0:0:0:0:0:0:0:1]/x"],
    ["me:pw@localhost/x", "http://me:pw@localhost/x"],
    ["128.0.0.1/x", "https://128.0.0.1/x"],
    ["[::2]/x", "https://[::2]/x"],
    ["a.test", "https://a.test"],
    ["a.test:8080/x?y=localhost", "https://a.test:8080/x?y=localhost"],
    ["notlocalhost.test/x", "https://notlocalhost.test/x"],
    ["api:8080/x", "http://api:8080/x"],
    ["api/x", "http://api/x"],
    ["192.168.1.20:5000/x", "http://192.168.1.20:5000/x"],
    ["10.0.0.1", "http://10.0.0.1"],
    ["172.16.0.1/x", "http://172.16.0.1/x"],
    ["172.32.0.1/x", "https://172.32.0.1/x"],
    ["192.168.1/x", "https://192.168.1/x"],
    ["192.168.1.20.a.test/x", "https://192.168.1.20.a.test/x"],
    ["localhost:443/x", "https://localhost:443/x"],
    ["192.168.1.20:8443/x", "https://192.168.1.20:8443/x"],
    ["localhost.a.test/x", "https://localhost.a.test/x"],
    ["127.0.0.1.a.test/x", "https://127.0.0.1.a.test/x"],
    ["a.test/http://b.test", "https://a.test/http://b.test"],
    ["//a.test/x", "https://a.test/x"],
    ["HTTP://a.test", "HTTP://a.test"],
    ["wss://a.test", "wss://a.test"],
    ["{{base}}/x", "http://a.test/x", { base: "http://a.test" }],
    ["{{base}}/x", "https://a.test/x", { base: "a.test" }],
    [":8787/x?a", "http://localhost:8787/x?a", {}],
    [":8787", "http://localhost:8787", {}],
    ["/x", "http://a.test/v1/x", { base: "http://a.test/v1/" }],
    ["/x", "https://b.test/x", { base: "http://a.test", host: "b.test" }],
    ["{{base}}/x", "http://localhost:1/x", { base: "localhost:1" }],
    ["{{s}}://a.test/x", "ftp://a.test/x", { s: "ftp" }],
    ["{{h}}:{{p}}/x", "http://localhost:81/x", { h: "localhost", p: 81 }],
  ];

  test.each(CASES)("%j becomes %j", (target, url, values) => {
    expect(render(`GET ${target}`, values).url).toBe(url);
  });

  test.each([
    ["/x?y=1", "a.test", "https://a.test/x?y=1"],
    ["/x", "localhost:8080", "http://localhost:8080/x"],
    ["/x", "http://a.test", "http://a.test/x"],
    ["/x", "http://a.test/", "http://a.test/x"],
    ["/x", "{{host}}", "https://b.test/x"],
    ["{{path}}", "a.test", "https://a.test/p"],
    ["?x=1", "a.test", "https://a.test/?x=1"],
    ["http://b.test/x", "a.test", "http://b.test/x"],
  ])("%j with the Host header %j becomes %j", (target, host, url) => {
    const rendered = render(`GET ${target}\nhost: ${host}`, { host: "b.test", path: "/p" });
    expect(rendered.url).toBe(url);
    expect(rendered.headers[0]?.[0]).toBe("host");
  });

  test.each([
    ["GET /x", {}, '"/x": it has no host'],
    ["GET /x\nHost:", {}, "it has no host"],
    ["GET {{base}}/x", { base: "" }, '"/x": it has no host'],
    ["GET {{base}}", { base: " " }, "it is empty"],
  ])("%j with %j throws an error with advice", (text, values, message) => {
    const error = thrownBy(() => render(text, values));
    expect(error).toBeInstanceOf(RequestSyntaxError);
    expect(error.message).toContain(message);
    expect(error.message).toContain("Write an absolute URL");
    expect(error.faults).toMatchObject([{ line: 1, column: 5 }]);
  });
});

describe("renderRequest renders headers", () => {
  test("in order, with repeats and letter case, and with trimmed values", () => {
    const { headers } = render("GET a.test\nB: {{x}}\nA: 1\nb:\t2", { x: " \t1 2\t " });
    expect(headers).toEqual([
      ["B", "1 2"],
      ["A", "1"],
      ["b", "2"],
    ]);
  });

  test.each([
    ["\n", "a line feed"],
    ["\r\nX-Evil: 1", "a carriage return"],
    ["a\0", "a NUL character"],
    ["trailing\n", "a line feed"],
  ])("but refuses %j and names every such header", (value, what) => {
    const text = "GET a.test\nX-One: {{v}}\nX-Good: 1\nX-Two: <{{v}}>";
    const error = thrownBy(() => render(text, { v: value }));
    expect(error).toBeInstanceOf(InvalidHeaderError);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.name).toBe("InvalidHeaderError");
    expect(error.source).toBe(text);
    expect(error.faults.map(({ line, column }) => [line, column])).toEqual([
      [2, 1],
      [4, 1],
    ]);
    expect(error.message).toContain(`"X-One": its value contains ${what}`);
    expect(error.message).toContain('"X-Two"');
  });
});

describe("renderRequest distinguishes JSON from other text", () => {
  const CASES: [what: string, text: string, body: string, added: string[], values?: Values][] = [
    ["by its first character", '\n{"a": "{{v}}"}', '{"a": "x\\"y"}', ["Content-Type"]],
    ["by a bracket", '\n\n  ["{{v}}"]', '  ["x\\"y"]', ["Content-Type"]],
    ["by the value it begins with", "\n{{o}}", '{\n  "a": 1\n}', ["Content-Type"], { o: { a: 1 } }],
    ["by the text it begins with", '\n{{o}} "{{v}}"', 'x "x"y"', [], { o: "x" }],
    ["by its content type", 'content-type: application/JSON; a=b\n\n"{{v}}"', '"x\\"y"', []],
    ["by a suffix", 'Content-Type: application/problem+json\n\n"{{v}}"', '"x\\"y"', []],
    [
      "by a content type from a value",
      'Content-Type: {{t}}\n\n"{{v}}"',
      '"x\\"y"',
      [],
      { t: "a/b+json" },
    ],
    [
      "not by another content type",
      'Content-Type: text/plain\n\n{"a": "{{v}}"}',
      '{"a": "x"y"}',
      [],
    ],
    ["not by JSON in a parameter", 'Content-Type: a/b; c=application/json\n\n"{{v}}"', '"x"y"', []],
    ["not without a bracket", '\n"{{v}}"', '"x"y"', []],
  ];

  test.each(CASES)("%s", (_, rest, body, added, values = {}) => {
    const rendered = render(`POST a.test\n${rest}`, { v: 'x"y', ...values });
    expect(rendered.body).toBe(body);
    expect(rendered.added).toEqual(added);
    const types = rendered.headers.filter(([name]) => added.includes(name));
    expect(types).toEqual(added.map((name) => [name, "application/json"]));
  });

  test("optional properties are absent if they have no value", () => {
    expect(render("GET a.test")).toEqual({
      method: "GET",
      url: "https://a.test",
      headers: [],
      added: [],
      body: undefined,
      warnings: [],
    });
  });

  test("a file is not read", () => {
    const rendered = render("# @name up\nPOST a.test\n\n<@latin1 ./{{f}}", { f: "a.json" });
    expect(rendered.name).toBe("up");
    expect(rendered.body).toEqual({ path: "./a.json", interpolated: true, encoding: "latin1" });
    expect(rendered.added).toEqual([]);
  });
});

describe("renderRequest reports placeholders without a value", () => {
  const text = "POST {{base}}/{{one}}\nA: {{two}}\n\n{{three}} {{four}}";

  test("with the position of each", () => {
    const error = thrownBy(() => render(text, { base: "a.test" }));
    expect(error.name).toBe("UnresolvedPlaceholderError");
    expect(error.faults.map(({ line, column }) => [line, column])).toEqual([
      [1, 15],
      [2, 4],
      [4, 1],
      [4, 11],
    ]);
  });

  test("in the path of a file as well", () => {
    const error = thrownBy(() => render("POST a.test/{{a}}\n\n< {{b}}"));
    expect(error.faults.length).toBe(2);
  });

  test("or keeps them with missing: keep", () => {
    const rendered = render(text, {}, { missing: "keep" });
    expect(rendered.url).toBe("{{base}}/{{one}}");
    expect(rendered.headers[0]).toEqual(["A", "{{two}}"]);
    expect(rendered.body).toBe("{{three}} {{four}}");
  });

  test("and adds a scheme before one that is not at the beginning", () => {
    expect(render("GET a.test/{{x}}", {}, { missing: "keep" }).url).toBe("https://a.test/{{x}}");
  });
});
