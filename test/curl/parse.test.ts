import { describe, expect, test } from "vitest";
import {
  checkText,
  parseRequests,
  type RenderedRequest,
  RequestSyntaxError,
  startsAsRequest,
} from "../../lib/mod.ts";
import { renderRequest } from "../../lib/request/mod.ts";

type Rendered = Omit<RenderedRequest, "added" | "warnings"> & { readonly marks: readonly string[] };

function read(text: string, variables: Readonly<Record<string, string>> = {}): Rendered {
  const drafts = parseRequests(text);
  expect(drafts).toHaveLength(1);
  const [draft] = drafts;
  if (draft === undefined) throw new Error("There is no request");
  const { added, warnings, ...rendered } = renderRequest(draft, new Map(Object.entries(variables)));
  expect(warnings).toEqual([]);
  const marks = draft.annotations.map(({ key, value }) => `${key} ${value}`.trim());
  return { ...rendered, marks };
}

function faultsOf(text: string): readonly string[] {
  try {
    parseRequests(text);
  } catch (error) {
    if (error instanceof RequestSyntaxError) {
      return error.faults.map(({ message, line, column }) => `${line}:${column} ${message}`);
    }
    throw error;
  }
  return [];
}

const FORM = ["Content-Type", "application/x-www-form-urlencoded"];

describe("curl commands as requests", () => {
  test.each<[string, Partial<Rendered>]>([
    ["curl https://a.test/x", { method: "GET", url: "https://a.test/x", headers: [] }],
    ["curl a.test", { url: "http://a.test" }],
    ["curl a.test?ids[]=1", { url: "http://a.test?ids[]=1" }],
    ["$ curl -sSL 'https://a.test/?q=1&r=2'", { url: "https://a.test/?q=1&r=2", marks: [] }],
    ["curl -XDELETE https://a.test", { method: "DELETE", marks: ["no-redirect"] }],
    ["curl -I https://a.test", { method: "HEAD" }],
    [
      "curl https://a.test -d a=1 --data 'b=2 3' --data-raw @c",
      { method: "POST", body: "a=1&b=2 3&@c", headers: [FORM] as never },
    ],
    [
      "curl -G https://a.test/?z=0 -d a=1 --data-urlencode 'q=a b+ü*'",
      { method: "GET", url: "https://a.test/?z=0&a=1&q=a+b%2B%C3%BC%2A", body: undefined },
    ],
    [
      `curl https://a.test --json '{"a":1}' --json ''`,
      {
        body: '{"a":1}',
        headers: [
          ["Content-Type", "application/json"],
          ["Accept", "application/json"],
        ],
      },
    ],
    [
      "curl https://a.test -H 'X-A: 1' -H 'X-E;' -H 'Accept:' -A ua -e ref -b 'x=1' -b y=2 -r 0-9",
      {
        headers: [
          ["X-A", "1"],
          ["X-E", ""],
          ["User-Agent", "ua"],
          ["Referer", "ref"],
          ["Range", "bytes=0-9"],
          ["Cookie", "x=1;y=2"],
        ],
      },
    ],
    ["curl https://a.test -u ada:lüv", { headers: [["Authorization", "Basic YWRhOmzDvHY="]] }],
    [
      "curl https://a.test -H 'Content-Type: text/x' -d $'a\\nb\\x41\\u00fc\\''",
      { body: "a\nbAü'" },
    ],
    ["curl \\\n  -X PUT \\\n  https://a.test \\\n  -d 'two\nlines'\n", { body: "two\nlines" }],
    ['curl https://a.test -d "a\\"b\\\\c\\\nd \'e\'"', { body: "a\"b\\cd 'e'" }],
    [
      "curl https://a.test -T up.bin",
      { method: "PUT", body: { path: "up.bin", interpolated: false } },
    ],
    ["curl https://a.test --data-binary @f.bin", { body: { path: "f.bin", interpolated: false } }],
    [
      "curl https://a.test -d @f.txt",
      { body: { pieces: [{ path: "f.txt", interpolated: false, change: "unbroken" }] } },
    ],
    [
      "curl https://a.test -d a=1 -d @f.txt --data-urlencode n@g -d '< no file'",
      {
        body: {
          pieces: [
            "a=1&",
            { path: "f.txt", interpolated: false, change: "unbroken" },
            "&n=",
            { path: "g", interpolated: false, change: "encoded" },
            "&< no file",
          ],
        },
        headers: [FORM] as never,
      },
    ],
    ["curl https://a.test --json @f.json", { body: { path: "f.json", interpolated: false } }],
    ["curl https://a.test/a/b.zip -O", { saveTo: { path: "b.zip", replace: true } }],
    ["curl https://a.test -o out.txt", { saveTo: { path: "out.txt", replace: true } }],
    [
      "curl -L https://a.test -b in.txt -b '' -b more.txt -c out.txt",
      { marks: ["cookie-file in.txt", "cookie-file more.txt", "cookie-jar out.txt"] },
    ],
    ["curl https://a.test -m 2.5 --retry 3 -L", { marks: ["timeout 2.5 s", "retry 3"] }],
    ["curl -g 'https://a.test/[1-2]{a}'", { url: "https://a.test/[1-2]{a}" }],
    ["curl 'http://[::1]:80/'", { url: "http://[::1]:80/" }],
    ["printf 'a\\101%%\\n{\\173b}}' | curl a.test -d @-", { body: "aA%{{b}}" }],
    ["printf %s 'YQ0K' | base64 -d | curl a.test --data-binary @- -H 'A: 1'", { body: "a\r\n" }],
    ["$ printf 'a b' | curl a.test --data-urlencode n@-", { body: "n=a+b" }],
    ["# @name login\ncurl https://a.test # a comment", { name: "login" }],
  ])("%s", (text, wanted) => {
    expect(startsAsRequest(text)).toBe(true);
    expect(read(text)).toMatchObject(wanted);
  });

  test("a body is sent unchanged, even if a request text would interpret it", () => {
    const body = "a=1&\n&b=2\n### c\n< file.txt\n>> x\n\n";
    expect(read(`curl https://a.test -d '${body}'`).body).toBe(body);
  });

  test("placeholders are rendered, and encoded where curl encodes", () => {
    const text = `curl '{{base}}/u' -H 'X: {{token}}' --data-urlencode 'q={{token}}' -d '{{token}}'`;
    const { url, headers, body } = read(text, { base: "https://a.test", token: "t k" });
    expect([url, headers[0], body]).toEqual(["https://a.test/u", ["X", "t k"], "q=t%20k&t k"]);
  });

  test("form fields become multipart text, with the paths of files", () => {
    const { method, headers, body } = read(
      `curl https://a.test -F 'a="x;y"' -F 'n"=é' --form-string 's=@;b'`,
    );
    expect(method).toBe("POST");
    const boundary = /boundary=(.+)$/.exec(headers[0]?.[1] ?? "")?.[1];
    const part = (name: string, text: string): string =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    expect(body).toBe(
      `${part("a", "x;y")}${part("n%22", "é")}${part("s", "@;b")}--${boundary}--\r\n`,
    );
    const value = 'a"\r\nX-Added: 1';
    const named = read("curl https://a.test -F '{{v}}=1' -F 'f=x;type={{v}};filename={{v}}.txt'", {
      v: value,
    });
    const escaped = "a%22%0D%0AX-Added: 1";
    expect(named.body).toContain(`; name="${escaped}"\r\n\r\n1\r\n`);
    expect(named.body).toContain(
      `; name="f"; filename="${escaped}.txt"\r\nContent-Type: ${escaped}\r\n\r\nx\r\n`,
    );
    const file = read("curl https://a.test -F 'f=@dir/a.png;type=image/png' -F 't=<note.txt'");
    const { pieces } = file.body as { pieces: readonly unknown[] };
    expect(pieces.filter((piece) => typeof piece === "object")).toEqual([
      { path: "dir/a.png", interpolated: false },
      { path: "note.txt", interpolated: false },
    ]);
    expect(pieces[0]).toContain('name="f"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n');
    expect(pieces[2]).toMatch(/name="t"\r\n\r\n$/);
  });

  test("commands that browsers copy for bash and for cmd mean the same", () => {
    const bash = `curl 'https://a.test/x?a=%20b&c=d' \\
  -H 'accept: */*' \\
  -H 'cookie: s="1"; t=2' \\
  -H 'sec-ch-ua: "Not)A;Brand";v="8"' \\
  --data-raw $'{"a":"it\\'s \\u0021","n":[1,\\n2]}' \\
  --compressed ;`;
    const cmd = `curl ^"https://a.test/x?a=^%^20b^&c=d^" ^
  -H ^"accept: */*^" ^
  -H ^"cookie: s=^\\^"1^\\^"; t=2^" ^
  -H ^"sec-ch-ua: ^\\^"Not)A;Brand^\\^";v=^\\^"8^\\^"^" ^
  --data-raw ^"^{^\\^"a^\\^":^\\^"it's ^!^\\^",^\\^"n^\\^":^[1,^

2^]^}^" ^
  --compressed`;
    const { marks: _, ...fromBash } = read(bash);
    expect(fromBash).toEqual({
      method: "POST",
      url: "https://a.test/x?a=%20b&c=d",
      headers: [
        ["accept", "*/*"],
        ["cookie", 's="1"; t=2'],
        ["sec-ch-ua", '"Not)A;Brand";v="8"'],
        FORM,
      ],
      body: '{"a":"it\'s !","n":[1,\n2]}',
    });
    expect(read(cmd)).toMatchObject(fromBash);
    expect(read(cmd.replaceAll("\n", "\r\n"))).toMatchObject(fromBash);
  });

  test("commands can be mixed with requests and variable lines", () => {
    const drafts = parseRequests(
      "@a = 1\ncurl https://a.test/1\n\n###\nGET https://a.test/2\n\n### three\ncurl https://a.test/3 \\\n -X POST\ncurl https://a.test/4",
    );
    expect(drafts.map(({ method, title }) => `${method} ${title ?? ""}`.trim())).toEqual([
      "GET",
      "GET",
      "POST three",
      "GET",
    ]);
  });

  test.each<[string, readonly string[]]>([
    ["curl", ["1:1 Expected a request line"]],
    ["curl -s -S", ["1:1 The command has no URL"]],
    ["curl https://a.test --insecur", ['1:21 Unknown curl option "--insecur"']],
    [
      "curl https://a.test --ntlm --resolve a.test:443:127.0.0.1",
      ['1:21 The option "--ntlm" is not supported', '1:28 The option "--resolve" is not supported'],
    ],
    [
      "curl https://a.test -x socks5h://p:1",
      ['1:24 The proxy "socks5h://p:1" is not an HTTP proxy'],
    ],
    ["curl https://a.test -x '{{proxy}}'", ['1:24 "{{proxy}}" cannot contain a placeholder']],
    ["curl https://a.test --cert c.p12 --cert-type P12", ['1:46 Certificates of the type "P12"']],
    ["curl https://a.test --aws-sigv4 osc -u a:b", ['1:33 The signature "osc" is not supported']],
    ["curl https://a.test --max-redirs few", ['1:34 "few" is not a number']],
    ["curl https://a.test -H", ['1:21 The option "-H" has no value']],
    ["curl https://a.test -H bad", ['1:24 "bad" is not a header']],
    ["curl https://a.test -H 'X-A;b'", ['1:24 "X-A;b" is not a header']],
    ["curl https://a.test -H Host:", ['1:24 The header "Host" cannot be left out']],
    ["curl https://a.test/$'\\xe9'", ["1:6 The value has bytes that are not UTF-8"]],
    ["curl https://a.test -H $'A: \\xe9'", ["1:24 The value has bytes that are not UTF-8"]],
    ["curl https://a.test -d @$'\\xe9'", ["1:24 The value has bytes that are not UTF-8"]],
    ["curl https://a.test -F $'a=@\\xe9'", ["1:24 The value has bytes that are not UTF-8"]],
    ["curl https://a.test -b $'a=\\xe9'", ["1:24 The value has bytes that are not UTF-8"]],
    ["curl https://a.test -G -d $'\\xe9'", ["1:1 The value has bytes that are not UTF-8"]],
    ["curl https://a.test | jq .", ['1:21 The text after "|" needs a shell']],
    ["curl https://a.test > out", ['1:21 The text after ">" needs a shell']],
    ["curl https://a.test?a=1&b=2", ['1:24 The text after "&" needs a shell']],
    ['curl "https://a.test/$ID"', ['1:22 A shell would insert the value of "$ID"']],
    ["curl https://a.test -d `date`", ['1:24 A shell would run "`date`"']],
    ["curl https://a.test -d 'open", ["1:24 The quote ' is not closed"]],
    ["curl https://a.test https://b.test", ['1:21 The command has a second URL "https://b.test"']],
    [
      "curl 'https://a.test/[1-3]'",
      ['1:6 curl reads "[1-3]" in the URL as a pattern for several requests'],
    ],
    ["curl https://a.test -d a -F b=c", ["1:1 The command has several kinds of bodies"]],
    [
      "curl https://a.test -G -F b=c",
      ["1:1 -G puts the data of -d into the URL, and no other body"],
    ],
    ["curl https://a.test -I -d a", ["1:1 A HEAD request cannot have a body"]],
    ["curl https://a.test -G -d @f.txt", ['1:1 The file "f.txt" cannot be in a URL as it is']],
    ["printf '%s' | curl https://a.test -d @-", ["1:1 The text of printf cannot be read"]],
    ["printf a | curl https://a.test -d @-", ["1:1 Expected a request line"]],
    ["curl https://a.test -d @-", ["1:24 Reading the body from standard input is not supported"]],
    ["curl https://a.test -F 'a=b;c'", ['1:24 curl would send only part of the field "a"']],
    ["curl https://a.test -C -", ["1:1 -C continues a file, and the command names none"]],
    ["curl https://a.test -O -C 100", ["1:27 Continuing a file at a given byte is not supported"]],
    ["curl https://a.test -m soon", ['1:24 "soon" is not a number']],
    [
      "GET https://a.test\n\n###\ncurl https://a.test --next https://b.test",
      [
        '4:21 The option "--next" is not supported',
        '4:28 The command has a second URL "https://b.test"',
      ],
    ],
    ["curl 'https://a.test/{{a..b}}'", ["1:1 "]],
  ])("reports the faults of %s", (text, wanted) => {
    const found = faultsOf(text);
    expect(found).toHaveLength(wanted.length);
    for (const [index, message] of wanted.entries()) expect(found[index]).toContain(message);
  });

  test.each<[options: string, connection: unknown]>([
    ["-k", { insecure: true }],
    ["-x p", { proxy: "http://p:1080" }],
    ["-x https://p", { proxy: "https://p:443" }],
    ["--proxy http://ada:pw@p:3128", { proxy: "http://ada:pw@p:3128" }],
    ["-x p:1 -U 'ada:p@ ss'", { proxy: "http://ada:p%40%20ss@p:1" }],
    ["-x '' --noproxy '*'", { proxy: false, noProxy: "*" }],
    ["--cacert ca.pem --cert-type PEM", { ca: "ca.pem" }],
    ["--cert me.pem", { clientCertificate: { cert: "me.pem", key: "me.pem" } }],
    [
      "-E 'C:\\me.pem:pass' --key me.key",
      { clientCertificate: { cert: "C:\\me.pem", key: "me.key", passphrase: "pass" } },
    ],
    [
      "-E 'a\\:b.pem' --key k --pass p",
      { clientCertificate: { cert: "a:b.pem", key: "k", passphrase: "p" } },
    ],
  ])("%s becomes a connection", (options, connection) => {
    const { marks } = read(`curl -L https://a.test ${options}`);
    expect(marks).toHaveLength(1);
    expect(JSON.parse((marks[0] ?? "").replace("connection ", ""))).toEqual(connection);
  });

  test.each([
    ["--digest -u ada:secret", "Digest ada secret"],
    ["--digest -u 'ada:a b:c'", "Digest ada a b:c"],
    ["--digest -u ada", "Digest ada:"],
    ["--digest --basic -u ada:b", "Basic YWRhOmI="],
    ["--aws-sigv4 aws:amz:eu-west-1:s3 -u id:key", "AWS id key region:eu-west-1 service:s3"],
    ["--aws-sigv4 aws:amz -u id:key", "AWS id key"],
    ["--digest -u '{{user}}:{{pass}}'", "Digest u1 p 1"],
  ])("%s becomes an Authorization line", (options, value) => {
    const variables = { user: "u1", pass: "p 1" };
    const { headers } = read(`curl https://a.test ${options}`, variables);
    expect(headers).toEqual([["Authorization", value]]);
  });

  test("--max-redirs limits the redirects that are followed", () => {
    expect(read("curl -L https://a.test --max-redirs 3").marks).toEqual(["max-redirects 3"]);
    expect(read("curl -L https://a.test --max-redirs -1").marks).toEqual(["max-redirects 1000"]);
  });

  test("a check reports the faults of a command at its position", () => {
    const text = "# a comment\n\ncurl https://a.test -d '{{nope}}' -H 'X: {{gone}}'";
    expect(
      checkText(text, new Map()).map(({ line, column, code }) => [line, column, code]),
    ).toEqual([
      [3, 1, "name"],
      [3, 1, "name"],
    ]);
  });

  test.each(["curl = 3", "curl(url)", "curl", "curl + 1", "curlew 'x'", "const curl = 1"])(
    "%s is no command",
    (text) => expect(startsAsRequest(text)).toBe(false),
  );
});
