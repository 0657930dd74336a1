import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Generated, Scope, Value } from "../../lib/interpolation/mod.ts";
import { type CheckOptions, checkText } from "../../lib/request/mod.ts";

const variables = { base: "http://a.test", id: 7, user: { name: "Ada" } };

function found(text: string, options: CheckOptions = {}): readonly string[] {
  return checkText(text, variables, options).map(
    ({ line, column, code, message }) => `${line}:${column} ${code} ${message}`,
  );
}

describe("checkText", () => {
  test.each<[title: string, text: string, faults: readonly string[]]>([
    ["nothing in a good text", "@n = 3\nGET {{base}}/{{n}}/{{user.name}}\nAccept: a/b", []],
    [
      "nothing of a host that an answer will give",
      "# @name conf\nGET {{base}}\n\n###\n@host = {{conf.host}}\nGET /users",
      [],
    ],
    [
      "the line of a host that nothing gives",
      "@host = {{nowhere}}\nGET /users",
      [
        '2:5 url Cannot render the URL "/users", which @host completes: line 1 sets it, but cannot resolve "{{nowhere}}": there is no variable "nowhere"',
      ],
    ],
    ["nothing in a text without requests", "# a remark", []],
    [
      "assertions that pass for more than is meant",
      `GET {{base}}\n?? body id not exists\n?? body id exists\n?? body $.a[*].id > 0\n?? body $.a[*].id each > 0
?? body $.a[*].id[] isArray\n?? body $.a.*.id == 1\n?? body $.a[?@.id > 1].id == 2\n?? body $..id == 1`,
      [
        '2:1 syntax "not exists" passes for 0, false, null and an empty text as well, as in httpYac',
        '4:1 syntax Only the first value of "$.a[*].id" is tested',
        '7:1 syntax Only the first value of "$.a.*.id" is tested',
      ],
    ],
    [
      "every unknown name, with near ones",
      "GET {{base}}/{{idd}}\nX-A: {{user.nam}}",
      [
        '1:14 name Cannot resolve "{{idd}}": there is no variable "idd"',
        '2:6 name Cannot resolve "{{user.nam}}": "user" has no property "nam"',
      ],
    ],
    [
      "syntax and what is wrong in the rest of the text",
      "GTE {{base}}\n\n###\nGET {{nobody}}/x",
      [
        '1:1 syntax Unknown method "GTE"',
        '4:5 name Cannot resolve "{{nobody}}": there is no variable "nobody"',
      ],
    ],
    [
      "a broken placeholder once",
      "GET {{base}}/{{a b}}",
      ['1:18 syntax Cannot parse "{{a b}}": expected ".", "[" or "}}", found "b"'],
    ],
    [
      "an encoding that is not supported",
      "POST {{base}}\n\n<@klingon ./a.txt\n\n###\nPOST {{base}}\n\n<@windows1252 ./a.txt",
      ['3:1 file The encoding "klingon" of the file "./a.txt" is not supported'],
    ],
    ["nothing in JSON on a GET", 'GET {{base}}/x\n\n{"a": 1}', []],
    ["nothing in a typed body on a GET", "GET {{base}}/x\nContent-Type: text/plain\n\nhello", []],
    [
      "text after a GET",
      "GET {{base}}/x\n\nhello\nworld",
      [
        '3:1 body This text is sent as the body of the GET request: give it a Content-Type if it is one, or put a line "###" before it',
      ],
    ],
    ["nothing in a body on a HEAD", "HEAD {{base}}\n\n{}", []],
    [
      "a field on a line of its own without an ampersand",
      "POST {{base}}\nContent-Type: application/x-www-form-urlencoded\n\na=1 &\nb=2\n  c=3\n&d=4",
      [
        "6:3 body Line 3 of the form belongs to the value above it: begin it with & if it is another field",
      ],
    ],
    [
      "a path without a host",
      "@base =\nGET /x",
      ['2:5 url Cannot render the URL "/x": it has no host'],
    ],
    ["nothing in a path below base", "GET /x", []],
    ["nothing in a path with a host", "GET /x\nHost: a.test", []],
    ["nothing in a host without a scheme", "GET a.test/x", []],
    [
      "a broken scheme",
      "GET http:/a.test",
      ['1:5 url The scheme of the URL is malformed: "http:/a.test"'],
    ],
    [
      "a scheme that fetch has not",
      "GET ftp://a",
      ['1:5 url The scheme "ftp" is not supported: "ftp://a"'],
    ],
    ...["http:", "http//a.test/", "ht!tp://a.test/", "://a.test/", "1http://a.test/"].map(
      (url): [string, string, readonly string[]] => [
        `a broken scheme: ${url}`,
        `GET ${url}`,
        [`1:5 url The scheme of the URL is malformed: "${url}"`],
      ],
    ),
    [
      "a broken scheme beside a value that is not there",
      "GET http:/x/{{nobody}}",
      [
        '1:5 url The scheme of the URL is malformed: "http:/x/"',
        '1:13 name Cannot resolve "{{nobody}}": there is no variable "nobody"',
      ],
    ],
    [
      "a scheme that fetch has not beside a value that comes later",
      "# @prompt host\nGET htp://{{host}}/{{nobody}}",
      [
        '2:5 url The scheme "htp" is not supported: "htp://"',
        '2:20 name Cannot resolve "{{nobody}}": there is no variable "nobody"',
      ],
    ],
    [
      "nothing in a scheme that a value may end",
      "# @prompt rest\nGET http:{{rest}}\n\n###\n# @prompt rest\nGET https:/{{rest}}",
      [],
    ],
    ["nothing in an address in a query", "# @prompt id\nGET a.test?to=x://y&id={{id}}", []],
    [
      "a URL that does not parse",
      "GET http://a:99999/",
      ['1:5 url The URL is not valid: "http://a:99999/"'],
    ],
    [
      "a single header twice, whatever its case",
      "GET {{base}}\nHost: a\nhost: b",
      ['3:1 header The header "host" is written twice'],
    ],
    [
      "an equal header twice, and no list",
      "GET {{base}}\nX-A: 1\nX-A: {{n}}\nX-A: 2",
      ['3:6 name Cannot resolve "{{n}}": there is no variable "n"'],
    ],
    [
      "equal lines of a list",
      "GET {{base}}\nX: 1\nX: 1",
      ['3:1 header The header "X" is written twice'],
    ],
    [
      "header names near a known one, and no others",
      "GET {{base}}\nAuthorizaton: a\nContent_Type: b\nContent-ID: c\nX-Content-Type: d\nData: e\nContent-Typ: f\nx-idempotency-key: g",
      [
        '2:1 header-name The header name "Authorizaton" is probably misspelt',
        '3:1 header-name The header name "Content_Type" is probably misspelt',
        '7:1 header-name The header name "Content-Typ" is probably misspelt',
      ],
    ],
    [
      "JSON that does not parse, where it stands",
      'POST {{base}}\n\n{"id": {{id}},\n "a" 1}',
      ['4:6 json The JSON body is not valid: expected ":", found "1"'],
    ],
    [
      "JSON that a placeholder breaks",
      'POST {{base}}\n\n{"id": {{id}}, "name": {{user.name}}}',
      [
        '3:24 json The JSON body is not valid: expected a value, found "A", in {{user.name}}, which became Ada. For a JSON string write "{{user.name}}" with the quotes',
      ],
    ],
    [
      "JSON behind an escape",
      'POST {{base}}\n\n{"a": "\\{{x}}", "b": tru}',
      ['3:22 json The JSON body is not valid: expected a value, found "t"'],
    ],
    [
      "an unknown reference",
      "# @ref login\nGET {{base}}",
      ['1:1 reference Cannot refer to "login": no request has this name'],
    ],
    [
      "requests that refer to each other",
      "# @name a\n# @ref b\nGET {{base}}\n\n###\n# @name b\n# @ref a\nGET {{base}}\n\n###\n# @ref a\nGET {{base}}",
      [
        '2:1 reference Cannot send "b" first: the requests refer to each other in a cycle, b → a → b',
      ],
    ],
    [
      "no cycle: two requests that refer to one, and that one to others",
      "# @name a\nGET {{base}}\n\n###\n# @name b\n# @ref a\nGET {{base}}\n\n###\n# @name c\n# @ref b\n# @ref a\nGET {{base}}",
      [],
    ],
    [
      "a fault of a variable line where it is used, with the line",
      "@a = {{b}}\nGET {{base}}/{{a}}",
      [
        '2:14 name Cannot resolve "{{a}}": line 1 sets it, but cannot resolve "{{b}}": there is no variable "b"',
      ],
    ],
    [
      "a fault of a variable line that nothing uses",
      "@a = {{b}}\n@c = {{a}}\nGET {{base}}",
      [
        '1:6 name Cannot resolve "{{b}}": there is no variable "b"',
        '2:6 name Cannot resolve "{{a}}": line 1 sets it, but cannot resolve "{{b}}": there is no variable "b"',
      ],
    ],
  ])("%s", (_title, text, faults) => {
    expect(found(text)).toEqual(faults);
  });

  test("accepts names of responses, questions and other cells", () => {
    const text = `# @ref other
@token = {{login.response.body.token}}
@first = {{login.response.body.$..roles[?(@.id > 1)].id}}
# @prompt otp
GET {{base}}/{{token}}/{{otp}}/{{other.response.status}}/{{$input Your name}}
X-B: {{later}}

###
# @name login
POST {{base}}

{"a": {{other.response.body}}, "b": "{{otherwise}}"}`;
    const options = { requests: ["other"], deferred: ["later", "otherwise", "login"] };
    expect(found(text, options)).toEqual([]);
  });

  test("suggests names for two hundred unknown ones, and no more", () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `GET http://h.test/{{nmae}}/${at}\n\n###\n`,
    );
    const faults = checkText(`@name = 1\n\n${lines.join("")}`, {});
    const hints = faults.map(({ hint }) => hint);
    expect(hints.slice(0, 200)).toEqual(Array(200).fill('Did you mean "name"?'));
    expect(hints.slice(200)).toEqual(Array(100).fill(undefined));
    expect(faults[299]?.message).toBe('Cannot resolve "{{nmae}}": there is no variable "nmae"');
  });

  test("reports a response that is used before its request", () => {
    const [fault] = checkText(
      "GET {{base}}/{{login.response.body}}\n\n###\n# @name login\nGET {{base}}",
      {
        base: "http://a",
      },
    );
    expect(fault).toMatchObject({ code: "name", severity: "error", line: 1, column: 14 });
  });

  test("reports missing files if hasFile is given", () => {
    const text = "POST {{base}}\n\n< ./{{user.name}}.json";
    expect(found(text)).toEqual([]);
    expect(found(text, { hasFile: (path) => path === "./Ada.json" })).toEqual([]);
    expect(found(text, { hasFile: () => false })).toEqual([
      '3:1 file The body file "./Ada.json" does not exist or cannot be read',
    ]);
  });

  test.each([
    ["GET {{base}}\nX-ClientCert: cert: ./a.pem key: ./b.pem", ["./a.pem", "./b.pem"]],
    ["GET {{base}}\nX-ClientCert: pfx: ./a.p12 passphrase: x", ["./a.p12"]],
    ["curl -G --data-urlencode n@./{{user.name}}.txt {{base}}", ["./Ada.txt"]],
    ["curl -b jar.txt {{base}}", []],
  ])("reports the other files of %j: %j", (text, paths) => {
    const missing = found(text, { hasFile: () => false });
    expect(missing.map((fault) => /"(.+)" does not exist/.exec(fault)?.[1])).toEqual(paths);
    expect(found(text, { hasFile: () => true })).toEqual([]);
  });

  test("reports what the scope says about generated values", () => {
    const scope: Scope = {
      ...new Map<string, Value>(),
      get: () => undefined,
      has: () => false,
      keys: () => [],
      generate: ({ name }): Generated => (name === "$n" ? { value: 1 } : { message: "it is none" }),
    };
    expect(checkText("GET http://a/{{$n}}/{{$m}}", scope).map(({ message }) => message)).toEqual([
      'Cannot resolve "{{$m}}": it is none',
    ]);
  });
});

describe("checkText with arbitrary text", () => {
  const pieces = fc.constantFrom(
    "GET ",
    "POST ",
    "http://a",
    "/x",
    "\n",
    "\n\n",
    "###\n",
    "@a = ",
    "{{a}}",
    "{{b.c}}",
    "{",
    "}",
    '"',
    ": ",
    "Host",
    "# @name a\n",
    "# @ref a\n",
    "# @prompt b\n",
    "< ./f",
    "\\{{",
    "{{",
    "\r",
  );
  test("returns ordered faults with spans in the text, and never throws", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        let before = 0;
        for (const { span, line, column } of checkText(text, variables, { hasFile: () => false })) {
          expect(span.start).toBeGreaterThanOrEqual(before);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(text.length);
          expect(Math.min(line, column)).toBeGreaterThan(0);
          before = span.start;
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("a title of several words is no name to use", () => {
    const text =
      "### all users\nGET {{base}}\n\n### login\nGET {{base}}\n\n###\nGET {{base}}/{{zzz}}";
    const [fault] = checkText(text, { base: "http://a.test" });
    expect(fault?.hint).toBe('Known here: "login", "base"');
  });
});
