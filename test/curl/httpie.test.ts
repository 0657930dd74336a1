import { describe, expect, test } from "vitest";
import { HttpieError, httpieToCurl, quoteWord } from "../../lib/curl/mod.ts";
import { parseRequests, renderRequest } from "../../lib/request/mod.ts";

const FILES: Readonly<Record<string, string>> = {
  "note.txt": 'a "b"\n{{not}}',
  "more.json": '{"deep": {"er": 1}, "t": "{{{not}}"}\n',
  "bad.json": "{oops",
};

async function requestOf(words: readonly string[], values = {}) {
  const read = async (path: string): Promise<string> => FILES[path] ?? "";
  const given = await httpieToCurl(words, "http", read);
  const [draft] = parseRequests(["curl", "-s", ...given].map(quoteWord).join(" "));
  if (draft === undefined) throw new Error("There is no request");
  const { method, url, headers, body } = renderRequest(draft, values);
  return { method, url, headers: Object.fromEntries(headers), body };
}

const JSON_HEADERS = {
  Accept: "application/json, */*;q=0.5",
  "Content-Type": "application/json",
};

describe("httpieToCurl", () => {
  test.each([
    [":8787/users", "http://localhost:8787/users"],
    [":/users", "http://localhost/users"],
    [":", "http://localhost"],
    ["example.org", "http://example.org"],
    ["://example.org/a", "http://example.org/a"],
    ["https://example.org/[1-2]", "https://example.org/[1-2]"],
    ["{{base}}/users", "http://b/users"],
  ])("the URL %s is %s", async (written, url) => {
    expect(await requestOf([written], { base: "http://b" })).toEqual({
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
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      },
    ],
    [
      ["-f", "a.test", "n=@note.txt"],
      {
        body: { pieces: ["n=", { path: "note.txt", interpolated: false, change: "encoded" }] },
      },
    ],
    [["a.test", "n=@note.txt"], { body: '{"n": "a \\"b\\"\\n\\u007b{not}}"}' }],
    [
      ["a.test", "n:=@more.json"],
      { body: '{"n": {"deep": {"er": 1}, "t": "\\u007b\\u007b{not}}"}}' },
    ],
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
  ])("%j", async (words, wanted) => {
    expect(await requestOf(words, { who: 'A "B"', age: 3 })).toMatchObject(wanted);
  });

  test("files of a form are parts", async () => {
    const { body, headers } = await requestOf(["a.test", "n=1", "f@a.png;type=image/png"]);
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
    [["a.test", "a:=@bad.json"], 'The file "bad.json" is not JSON'],
    [["a.test", "a[b]=1"], "write a:='{…}'"],
    [["a.test", "a:@f"], '"a:@f" is not supported'],
    [["--session", "a", "a.test"], 'The option "--session" of HTTPie is not supported'],
    [["a.test", "-a"], 'The option "-a" has no value'],
    [["-A", "ntlm", "-a", "a:b", "a.test"], 'The authentication "ntlm" is not supported'],
  ])("%j: %s", async (words, message) => {
    await expect(requestOf(words)).rejects.toThrow(HttpieError);
    await expect(requestOf(words)).rejects.toThrow(message);
  });
});
