import { describe, expect, test } from "vitest";
import { quoteWord } from "../../lib/curl/mod.ts";
import { parseRequests, renderRequest, startsAsRequest } from "../../lib/request/mod.ts";

function requestOf(words: readonly string[], values = {}) {
  // With an option it is a command whatever the URL is.
  const [draft] = parseRequests(["http", "--ignore-stdin", ...words].map(quoteWord).join(" "));
  if (draft === undefined) throw new Error("There is no request");
  const { method, url, headers, body } = renderRequest(draft, values);
  return { method, url, headers: Object.fromEntries(headers), body };
}

const JSON_HEADERS = {
  Accept: "application/json, */*;q=0.5",
  "Content-Type": "application/json",
};

const FORM = "application/x-www-form-urlencoded; charset=utf-8";

describe("a command of HTTPie", () => {
  test.each([
    [":8787/users", "http://localhost:8787/users"],
    [":/users", "http://localhost/users"],
    [":", "http://localhost"],
    ["example.org", "http://example.org"],
    ["://example.org/a", "http://example.org/a"],
    ["https://example.org/[1-2]", "https://example.org/[1-2]"],
    ["{{base}}/users", "http://b/users"],
  ])("the URL %s is %s", (written, url) => {
    expect(requestOf([written], { base: "http://b" })).toEqual({
      method: "GET",
      url,
      headers: {},
      body: undefined,
    });
  });

  test.each<[words: string[], wanted: object]>([
    [
      [":8787/users", "name=Ada", "age:=3"],
      { method: "POST", body: '{"name": "Ada", "age": 3}', headers: JSON_HEADERS },
    ],
    [
      ["PUT", "a.test", 'a:=[1.50, {"b": null}]'],
      { method: "PUT", body: '{"a": [1.50, {"b": null}]}' },
    ],
    [["patch", "a.test", "a=1"], { method: "PATCH", body: '{"a": "1"}' }],
    [
      ["a.test", "X-A:b c", "Empty;", "q==a b&c", "Accept:text/plain"],
      {
        method: "GET",
        url: "http://a.test?q=a+b%26c",
        headers: { "X-A": "b c", Empty: "", Accept: "text/plain" },
      },
    ],
    [["a.test", "a\\:b=c", "d\\=e=f=g"], { body: '{"a:b": "c", "d=e": "f=g"}' }],
    [
      ["a.test", "t={{who}}", "n:={{age}}", 's=a "{{who}}"'],
      {
        body: '{"t": "A \\"B\\"", "n": 3, "s": "a \\"A \\"B\\"\\""}',
      },
    ],
    [
      ["-f", "a.test", "name=Ada L", "b==1"],
      {
        method: "POST",
        url: "http://a.test?b=1",
        body: "name=Ada+L",
        headers: { "Content-Type": FORM },
      },
    ],
    [
      ["-f", "a.test", "n=@note.txt"],
      {
        body: { pieces: ["n=", { path: "note.txt", interpolated: false, change: "encoded" }] },
      },
    ],
    [
      ["a.test", "n=@note.txt", "m:=@more.json"],
      {
        body: {
          pieces: [
            '{"n": "',
            { path: "note.txt", interpolated: false, change: "json" },
            '", "m": ',
            { path: "more.json", interpolated: false },
            "}",
          ],
        },
      },
    ],
    [
      ["a.test", "user[name]=Ada", "user[tags][]=a", "user[tags][]=b", "user[age]:=3", "l[2]=x"],
      { body: '{"user": {"name": "Ada", "tags": ["a", "b"], "age": 3}, "l": [null, null, "x"]}' },
    ],
    [["a.test", "[]=1", "[1][a]:=2"], { body: '["1", {"a": 2}]' }],
    [
      ["a.test", "e\\[x\\]=1", "m[\\0]=2", "m[a]={{who}}"],
      {
        body: '{"e[x]": "1", "m": {"0": "2", "a": "A \\"B\\""}}',
      },
    ],
    [["a.test", "a=1", "b=2", "a=3"], { body: '{"a": "3", "b": "2"}' }],
    [["--json", "a.test"], { method: "GET", body: undefined, headers: JSON_HEADERS }],
    [["a.test", "--raw", '{"a": 1}'], { method: "POST", body: '{"a": 1}', headers: JSON_HEADERS }],
    [["--form", "a.test"], { method: "GET", headers: { "Content-Type": FORM } }],
    [["--multipart", "a.test", "f@x.webp"], { method: "POST" }],
    [
      ["a.test", "@data.json"],
      {
        method: "POST",
        body: { path: "data.json", interpolated: false },
        headers: { "Content-Type": "application/json" },
      },
    ],
    [["-a", "ada:pw", "a.test"], { headers: { Authorization: "Basic YWRhOnB3" } }],
    [["-A", "bearer", "-a", "tok", "a.test"], { headers: { Authorization: "Bearer tok" } }],
    [["a.test", "--raw", "plain"], { method: "POST", body: "plain" }],
  ])("%j", (words, wanted) => {
    expect(requestOf(words, { who: 'A "B"', age: 3 })).toMatchObject(wanted);
  });

  test("files of a form are parts", () => {
    const { body, headers } = requestOf(["a.test", "n=1", "f@a.png;type=image/png"]);
    expect(headers["Content-Type"]).toMatch(/^multipart\/form-data; boundary=/);
    const { pieces } = body as { pieces: readonly unknown[] };
    expect(pieces[0]).toContain('name="n"\r\n\r\n1\r\n');
    expect(pieces[0]).toContain('filename="a.png"\r\nContent-Type: image/png');
    expect(pieces[1]).toEqual({ path: "a.png", interpolated: false });
  });

  test.each([
    [[], "No URL is given"],
    [["a.test", "word"], '"word" is not a request item'],
    [["a.test", "a:={x"], 'The value of "a" is not JSON'],
    [["a.test", "a[=1"], 'The name "a[" is not nested as HTTPie nests'],
    [["a.test", "a=1", "a[b]=1"], '"a[b]" needs an object, where another item has none'],
    [["a.test", "a[]=1", "a[b]=1"], '"a[b]" needs an object'],
    [["a.test", "[]=1", "b=1"], '"b" needs an object'],
    [["a.test", "a[999999999]=1"], "The index 999999999 is not possible"],
    [["a.test", "a[-1]=1"], "The index -1 is not possible"],
    [["a.test", "--raw", "x", "a=1"], "--raw is the whole body"],
    [["-f", "a.test", "a:=[1]"], 'The value of "a" is no text for a form'],
    [["a.test", "a:@f"], '"a:@" is not supported'],
    [["--session", "a", "a.test"], 'The option "--session" of HTTPie is not supported'],
    [["a.test", "-a"], 'The option "-a" has no value'],
    [["-A", "ntlm", "-a", "a:b", "a.test"], 'The authentication "ntlm" is not supported'],
  ])("%j: %s", (words, message) => {
    expect(() => requestOf(words)).toThrow(message);
  });

  test.each([
    ["http :8787/users name=Ada", true],
    ["https -f POST example.org a=1", true],
    ["http -a ada:pw :8787/", true],
    ["http 'http://h/p?a=1' b==2", true],
    ["http {{base}}/users", true],
    ["http delete localhost/users", true],
    ["http in example.org", false],
    ["http = 1", false],
    ["http.get(url)", false],
    ["http - port", false],
    ["http ? a : b", false],
    ["https", false],
  ])("%s is a request: %s", (text, isRequest) => {
    expect(startsAsRequest(text)).toBe(isRequest);
  });
});
