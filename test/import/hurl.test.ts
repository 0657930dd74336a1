import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";
import { readText } from "../../lib/request/mod.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { brief, importTexts, sendAll } from "./fixture.ts";

let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

const hurl = (text: string): ReturnType<typeof importTexts> =>
  importTexts([{ name: "a.hurl", text }]);

/** The lines of the only request that begin with a mark. */
const linesOf = (text: string, mark: string): readonly string[] =>
  hurl(text)
    .document.split("\n")
    .filter((line) => line.startsWith(mark));

interface Case {
  readonly what: string;
  readonly source: string;
  readonly received: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: "headers with comments, escapes and variables",
    source:
      "GET BASE/a # why\n\n  X-One: 1   # one\nX-Hash: \\#2\\u{23} {{name}}\n# between\nX-Empty:\nX-None;\n",
    received: ["GET /a\nX-One: 1\nX-Hash: #2# Ada\nX-Empty: \nX-None: \nAccept: */*"],
  },
  {
    what: "a query and a form, encoded with the values of their variables",
    source:
      "GET BASE/a?b=1\n[Query]\nq: a b&c\nn: {{odd}}\n\nPOST BASE\n[FormParams]\nname: a b&c\nkept: a%3d\nn: {{odd}}\nv\\u{5b}0\\u{5d}:",
    received: [
      "GET /a?b=1&q=a%20b%26c&n=x%26%20y\nAccept: */*",
      "POST /\nContent-Type: application/x-www-form-urlencoded\nAccept: */*\n\nname=a+b%26c&kept=a%253d&n=x%26%20y&v%5B0%5D=",
    ],
  },
  {
    what: "cookies and a login",
    source: "GET BASE\n[Cookies]\na: 1\nb: {{name}}\n[BasicAuth]\nbob@a.test: pass word",
    received: [
      `GET /\nCookie: a=1; b=Ada\nAuthorization: Basic ${btoa("bob@a.test:pass word")}\nAccept: */*`,
    ],
  },
  {
    what: "bodies with the Content-Type that Hurl adds",
    source:
      'POST BASE\n{ "a": "{{name}}", "b": {{number}} }\n\nPOST BASE\n<a b="x > y"><!-- </a> --><b/></a>\n\nPOST BASE\n`one {{name}} \\u{41}`\n\nPOST BASE\n```\none\n{{name}}\n```\nPOST BASE\n```raw\n{{name}}\n```\nPUT BASE\nContent-Type: text/csv\n```a,b```',
    received: [
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{ "a": "Ada", "b": 5 }',
      'POST /\nContent-Type: application/xml\nAccept: */*\n\n<a b="x > y"><!-- </a> --><b/></a>',
      "POST /\nAccept: */*\n\none Ada A",
      "POST /\nAccept: */*\n\none\nAda\n",
      "POST /\nAccept: */*\n\n{{name}}\n",
      "PUT /\nContent-Type: text/csv\nAccept: */*\n\na,b",
    ],
  },
  {
    what: "queries of GraphQL",
    source:
      'POST BASE\n```graphql\nquery A($b: Int) {\n  a(b: $b)\n}\n\nvariables {\n  "b": {{number}}, "c": "{{name}}"\n}\n```\n\nPOST BASE\n```graphql\n{\n  # all\n  a\n}\n```',
    received: [
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"query": "query A($b: Int) {\\n  a(b: $b)\\n}", "variables": {\n  "b": 5, "c": "Ada"\n}}',
      'POST /\nContent-Type: application/json\nAccept: */*\n\n{"query": "{\\n  # all\\n  a\\n}"}',
    ],
  },
  {
    what: "bytes",
    source: "POST BASE\nhex,00ff;\n\nPOST BASE\nbase64,aGVs\n  bG8=;",
    received: ["POST /\nAccept: */*\n\n\u0000\u00ff", "POST /\nAccept: */*\n\nhello"],
  },
  {
    what: "what a response has said, in the next request",
    source:
      'GET BASE\nHTTP 200\n[Captures]\nmine: jsonpath "$.token"\nkind: header "Content-Type"\ncode: status\n\nGET BASE/{{mine}}/{{code}}\nX-Kind: {{kind}}',
    received: [
      "GET /\nAccept: */*",
      "GET /token-number-N/200\nX-Kind: application/json\nAccept: */*",
    ],
  },
  {
    what: "options: variables, headers, repetitions, requests that are skipped",
    source:
      "GET BASE/{{own}}\n[Options]\nvariable: own=x\nheader: X-Own: 1\nuser: bob:secret\n\nGET BASE/twice\n[Options]\nrepeat: 2\n\nGET BASE/never\n[Options]\nskip: true",
    received: [
      `GET /x\nX-Own: 1\nAuthorization: Basic ${btoa("bob:secret")}\nAccept: */*`,
      "GET /twice\nAccept: */*",
      "GET /twice\nAccept: */*",
    ],
  },
];

describe("what arrives when an imported file of Hurl is run", () => {
  test.each(CASES)("$what", async ({ source, received }) => {
    const imported = hurl(source.replaceAll("BASE", recorder.base));
    const values = { name: "Ada", number: "5", odd: "x& y" };
    const sent = await sendAll(imported, recorder, values);
    const shown = sent.map((one) => brief(one).replace(/number-\d+/, "number-N"));
    expect(shown).toEqual(received);
  });

  test("the files of a form", async () => {
    const imported = hurl(
      `POST ${recorder.base}\n[Multipart]\nnote: two words\ndata: file,/etc/data.txt;\nzip: file,a\\ b.zip; application/zip # here`,
    );
    const files = new Map([...imported.files, ["data.txt", "D"], ["a b.zip", "Z"]]);
    const [sent] = await sendAll({ ...imported, files }, recorder);
    const part = (head: string, body: string): string =>
      `--restlab-boundary\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
    expect(sent?.body).toBe(
      `${part('name="note"', "two words")}${part('name="data"; filename="data.txt"\r\nContent-Type: text/plain', "D")}${part('name="zip"; filename="a b.zip"\r\nContent-Type: application/zip', "Z")}--restlab-boundary--\r\n`,
    );
    expect(imported.remarks).toEqual([
      'changed line 4: The file "/etc/data.txt" is read from "./data.txt": put it there',
    ]);
  });
});

/** An assertion, what it becomes, and JSON for which it holds or does not. */
const ASSERTS: readonly (readonly [
  hurl: string,
  lines: readonly string[],
  holds: readonly string[],
  fails: readonly string[],
])[] = [
  [
    'jsonpath "$.a" == 5',
    ["body $.a isNumber", "body $.a == 5"],
    ['{"a":5.0}'],
    ['{"a":"5"}', "{}"],
  ],
  ['jsonpath "$.a" == "5"', ["body $.a isString", "body $.a == 5"], ['{"a":"5"}'], ['{"a":5}']],
  ['jsonpath "$.a" == "b c"', ["body $.a == b c"], ['{"a":"b c"}'], ['{"a":"b"}', '{"a":["b c"]}']],
  [
    'jsonpath "$.a" == ""',
    ["body $.a isString", "body $.a isEmpty"],
    ['{"a":""}'],
    ['{"a":[]}', "{}"],
  ],
  [
    'jsonpath "$.a" == " b\\n{"',
    ["body $.a isString", "body $.a matches ^\\u0020b\\n[{]$"],
    ['{"a":" b\\n{"}'],
    ['{"a":"b"}'],
  ],
  [
    'jsonpath "$.a" == true',
    ["body $.a isBoolean", "body $.a == true"],
    ['{"a":true}'],
    ['{"a":"true"}'],
  ],
  ['jsonpath "$.a" == null', ["body $.a isNull"], ['{"a":null}'], ['{"a":"null"}', "{}"]],
  ['jsonpath "$.a" != 4', ["body $.a isDefined", "body $.a != 4"], ['{"a":5}'], ["{}", '{"a":4}']],
  [
    'jsonpath "$.a" > 4',
    ["body $.a isNumber", "body $.a > 4"],
    ['{"a":5}'],
    ['{"a":"5"}', '{"a":4}'],
  ],
  ['jsonpath "$.a" greaterThan 4', ["body $.a isNumber", "body $.a > 4"], ['{"a":5}'], []],
  ['jsonpath "$.a" exists', ["body $.a isDefined"], ['{"a":null}', '{"a":0}'], ["{}"]],
  ['jsonpath "$.a" not exists', ["body $.a not isDefined"], ["{}"], ['{"a":null}']],
  [
    'jsonpath "$.a" isInteger',
    ["body $.a isNumber", "body $.a matches ^-?\\d+$"],
    ['{"a":-5}'],
    ['{"a":5.5}', '{"a":"5"}'],
  ],
  [
    'jsonpath "$.a" isFloat',
    ["body $.a isNumber", "body $.a not matches ^-?\\d+$"],
    ['{"a":5.5}'],
    ['{"a":5}', '{"a":"x"}'],
  ],
  [
    'jsonpath "$.a" startsWith "b"',
    ["body $.a isString", "body $.a startsWith b"],
    ['{"a":"bc"}'],
    ['{"a":"cb"}'],
  ],
  [
    'jsonpath "$.a" startsWith "4"',
    ["body $.a isString", "body $.a startsWith 4"],
    ['{"a":"42"}'],
    ['{"a":42}'],
  ],
  [
    'jsonpath "$.a" contains " b"',
    ["body $.a isString", "body $.a matches \\u0020b"],
    ['{"a":"a b"}'],
    ['{"a":"ab"}'],
  ],
  ['jsonpath "$.a" not contains "b"', ["body $.a not contains b"], ['{"a":"c"}'], ['{"a":"abc"}']],
  [
    'jsonpath "$.a" includes 5',
    ["body $.a isArray", "body $.a each isNumber", "body $.a contains 5"],
    ['{"a":[4,5]}'],
    ['{"a":["5"]}', '{"a":"5"}'],
  ],
  [
    'jsonpath "$.a" matches /^\\d{2}\\/x$/',
    ["body $.a isString", "body $.a matches ^\\d{2}/x$"],
    ['{"a":"12/x"}'],
    ['{"a":"1/x"}'],
  ],
  [
    'jsonpath "$.a" matches "^\\\\d+$"',
    ["body $.a isString", "body $.a matches ^\\d+$"],
    ['{"a":"12"}'],
    ['{"a":12}'],
  ],
  [
    'jsonpath "$.a" matches /(?i)b/',
    ["body $.a isString", "body $.a ignoreCase matches b"],
    ['{"a":"aB"}'],
    ['{"a":"c"}'],
  ],
  ['jsonpath "$.a" matches /(?x)b/', [], [], []],
  [
    'jsonpath "$" count == 2',
    ["body $ isArray", "count $[*] == 2"],
    ["[1,2]"],
    ['{"a":1,"b":2}', "[1]"],
  ],
  [
    'jsonpath "$.a" isCollection',
    ["body $.a not isString", "body $.a matches ^[\\[{]"],
    ['{"a":[]}', '{"a":{}}'],
    ['{"a":"["}', '{"a":1}', "{}"],
  ],
  [
    'jsonpath "$.a" isObject',
    ["body $.a not isString", "body $.a matches ^[{]"],
    ['{"a":{}}'],
    ['{"a":[]}'],
  ],
  [
    'jsonpath "$.a[*].b" contains "x"',
    ["body $.a[*].b[] contains x"],
    ['{"a":[{"b":"y"},{"b":"x"}]}'],
    ['{"a":[{"b":"xy"}]}', "{}"],
  ],
  [
    'jsonpath "$.a[*].b" not contains "x"',
    ["body $.a[*].b[] not contains x"],
    ['{"a":[{"b":"y"}]}', "{}"],
    ['{"a":[{"b":"y"},{"b":"x"}]}'],
  ],
  [
    'jsonpath "$.a[*].b" includes 5',
    ["body $.a[*].b[] each isNumber", "body $.a[*].b[] contains 5"],
    ['{"a":[{"b":5}]}'],
    ['{"a":[{"b":"5"}]}'],
  ],
  ['jsonpath "$..b" not exists', ["body $..b not isDefined"], ["{}"], ['{"a":{"b":1}}']],
  ['jsonpath "$.a" count == 2', ["count a == 2"], ['{"a":[1,2]}'], ['{"a":[1]}', '{"a":"ab"}']],
  ["jsonpath \"$['a b'].c\" count > 1", ['count ["a b"].c > 1'], ['{"a b":{"c":[1,2]}}'], ["{}"]],
  ['jsonpath "$.a[*]" count == 2', ["count $.a[*] == 2"], ['{"a":[1,2]}'], ['{"a":[1]}']],
  [
    'jsonpath "$.a[?(@.b == 1)].c" == "x"',
    ["count $.a[?(@.b == 1)].c == 1", "body $.a[?(@.b == 1)].c == x"],
    ['{"a":[{"b":1,"c":"x"}]}'],
    ['{"a":[{"b":1,"c":"x"},{"b":1,"c":"y"}]}'],
  ],
  ['jsonpath "$.a" nth 1 == "x"', ["body $.a[1] == x"], ['{"a":["y","x"]}'], ['{"a":["x"]}']],
  ['body jsonpath "$.a" first == "x"', ["body $.a[0] == x"], ['{"a":["x"]}'], []],
  [
    'jsonpath "$.a" not isEmpty',
    ["body $.a not isNull", "body $.a not isEmpty"],
    ['{"a":[1]}'],
    ['{"a":null}', '{"a":[]}'],
  ],
  ['body == "{\\"a\\":1}"', ['body matches ^[{]"a":1[}]$'], ['{"a":1}'], ['{ "a": 1 }']],
  ['regex "a.:1" exists', ["body matches a.:1"], ['{"a":1}'], ['{"a":2}']],
  [
    "sha256 == hex,44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a;",
    ["body sha256 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"],
    ["{}"],
    ["[]"],
  ],
  ['header "Content-Type" contains "json"', ["header Content-Type contains json"], ["{}"], []],
  ['header "X-None" != "a"', ["header X-None isDefined", "header X-None != a"], [], ["{}"]],
  ["status >= 200", ["status >= 200"], ["{}"], []],
  ['xpath "//a" exists', [], [], []],
  ['cookie "a" == "b"', [], [], []],
  ['jsonpath "$.a" split "," count == 2', [], [], []],
  ['jsonpath "$.{{b}}" == "c"', [], [], []],
  ['jsonpath "$.a" > "2020"', [], [], []],
];

describe("assertions", () => {
  test.each(ASSERTS)("%s", async (source, lines, holds, fails) => {
    const { document, remarks } = hurl(`GET http://a.test\nHTTP *\n[Asserts]\n${source}`);
    const found = document.split("\n").filter((line) => line.startsWith("??"));
    expect(found.map((line) => line.slice(3))).toEqual(lines);
    if (lines.length === 0) {
      expect(remarks.join()).toContain("left out line 4");
      return;
    }
    for (const body of [...holds, ...fails]) {
      const fetch = async (): Promise<Response> =>
        new Response(body, { headers: { "Content-Type": "application/json" } });
      const client = createClient({ fetch });
      await client.send(document).catch(() => undefined);
      const results = client.last?.assertions ?? [];
      expect(results).toHaveLength(lines.length);
      expect([body, results.every(({ passed }) => passed)]).toEqual([body, holds.includes(body)]);
    }
  });

  test("the status, the headers and the body of a response", () => {
    const text =
      'GET http://a.test\nHTTP 201 # made\nLocation: /a\nSet-Cookie: a=1\nSet-Cookie: b=2\n\n{ "a": "*" }';
    expect(linesOf(text, "?? ")).toEqual([
      "?? status == 201",
      "?? header Location == /a",
      '?? body matches ^[{] "a": "\\*" [}]$',
    ]);
    expect(linesOf(text, "# Set-Cookie")).toEqual(["# Set-Cookie: a=1", "# Set-Cookie: b=2"]);
  });

  test("captures that no path says are comments", () => {
    const text =
      'GET http://a.test\nHTTP 200\n[Captures]\na: jsonpath "$[\'b c\'][0].d"\nb: jsonpath "$.e" last\nc: cookie "sid" redact\nd: jsonpath "$..id"\ne: regex "a(.)"\nf: body';
    expect(linesOf(text, "@")).toEqual([
      '@a = {{GET.response.body["b c"][0].d}}',
      "@b = {{GET.response.body.$.e[-1]}}",
      "@c = {{GET.response.cookies.sid}}",
      "@d = {{GET.response.body.$..id}}",
      "@f = {{GET.response.body}}",
    ]);
    expect(hurl(text).remarks).toEqual([
      "changed line 7: The first value is taken where the path has several",
      'left out line 8: No variable line here says the same: e: regex "a(.)"',
    ]);
  });
});

test("comments, redirects and options", () => {
  const { document, remarks } = hurl(
    "# All about it\n\n####\n# First\n# in two lines\nGET http://a.test\n[Options]\nlocation: true\nmax-redirs: 3\ninsecure: true\ndelay: 2s\n\n# apart\n\nGET http://b.test\n# inside\nX-A: 1\n[Options]\nretry: 3\nretry-interval: 500ms\nHTTP/2 200",
  );
  expect(document).toBe(
    "# a\n# All about it\n\n### First\n# in two lines\n# @name First\n# @max-redirects 3\n# @no-reject-unauthorized\nGET http://a.test\n\n### GET /\n# apart\n# inside\n# @name GET\n# @no-redirect\n# @retry 3 every 500ms\nGET http://b.test\nX-A: 1\n\n?? status == 200\n",
  );
  expect(remarks).toEqual([
    "left out line 21: The version of HTTP that a response must have",
    'left out line 11: The option "delay"',
  ]);
});

test("functions in placeholders are generated values, and filters are reported", () => {
  const { document, remarks } = hurl(
    "GET http://a.test/{{newUuid}}/{{ newDate }}/{{my-id}}/{{a urlEncode}}/{{b htmlEscape}}",
  );
  expect(document).toContain("/{{$guid}}/{{$isoTimestamp}}/{{my-id}}/{{%a}}/{{b}}");
  expect(remarks).toHaveLength(2);
});

const SOURCES = join(import.meta.dirname, "sources/hurl");

// Written after the topics of Hurl's own integration tests.
test.each(readdirSync(SOURCES))("%s becomes a document without faults", (name) => {
  const text = readFileSync(join(SOURCES, name), "utf8");
  const { document, remarks, requests } = importTexts([{ name, text }]);
  expect(readText(document).failure).toBeUndefined();
  expect(remarks.filter((one) => one.includes("cannot express"))).toEqual([]);
  expect(document.split("\n").filter((line) => line.startsWith("# @name"))).toHaveLength(requests);
});

test("a folder of files has a folder for each, and one with a fault is left out", () => {
  const files = {
    "b/two.hurl": "GET http://a.test/2",
    "b/c/three.hurl": "GET http://a.test/3",
    "bad.hurl": "GET http://a.test\n[Query]\na: b\n\nwhat is this",
    "one.hurl": "# about\n\nGET http://a.test/1",
    "vars.env": "a=b",
  };
  const { document, remarks } = importTexts([{ name: "/x/shop", text: "", files }]);
  const headings = document.split("\n").filter((line) => line !== "" && !/^# @/.test(line));
  expect(headings).toEqual([
    "# shop",
    "###",
    "# b",
    "###",
    "# c",
    "###",
    "# three",
    "### GET /3",
    "GET http://a.test/3",
    "###",
    "# two",
    "### GET /2",
    "GET http://a.test/2",
    "###",
    "# one",
    "# about",
    "### GET /1",
    "GET http://a.test/1",
  ]);
  expect(remarks).toEqual([
    'left out bad.hurl: line 5: A request is expected, found "what is this"',
  ]);
});

test.each([
  ["what\n", 'line 1: A request is expected, found "what"'],
  ["GET http://a.test\n[Quary]\n", "line 3: No request has a section [Quary]"],
  ["GET http://a.test\n[Asserts]\n", "line 3: No request has a section [Asserts]"],
  ["GET http://a.test\n\n{ \n", 'line 3: The JSON does not end, found "{ "'],
  ["GET http://a.test\n<a><b></a", 'line 2: The XML does not end, found "</a"'],
  ["GET http://a.test\n```\na", 'line 3: "```" is missing, found "a"'],
  ["GET http://a.test\nX: \\x", 'line 2: A backslash escapes nothing here, found "x"'],
  ["GET http://a.test/{{a", 'line 1: "}}" is missing, found "a"'],
  ['GET http://a.test\nHTTP 200\n[Asserts]\nbody == "a', 'line 4: " is missing'],
  ["GET http://a.test\nhex,0g;", "line 2: The body is not hex"],
  ["HTTP 200\n", 'line 1: A request is expected, found " 200"'],
])("%j is a clear error", (text, message) => {
  expect(() => hurl(text)).toThrow(`Reading "a.hurl" failed: ${message}`);
});

describe("hostile texts", () => {
  const NASTY = [
    "###",
    "{{$env.HOME}}",
    "?? status == 1",
    "< ./secret",
    "> {% client.exit() %}",
    "@a = 1",
    "GET http://evil.test",
    "\\u{a}### x\\u{a}GET http://evil.test\\u{a}",
    "\\\\",
    "'",
    "=",
    "&",
  ];

  test("they stay data", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }), (parts) => {
        const text = parts.join("");
        const raw = text.replaceAll("`", "");
        const { document } = hurl(
          `# ${text}\n\n# ${text}\nPOST http://a.test/\n# ${text}\nX-A: ${text.replaceAll("#", "\\#")}\n[Options]\nvariable: v=${text.replaceAll("#", "\\#")}\n\`\`\`raw\n${raw}\n${raw}\n\`\`\`\nHTTP 200\n[Captures]\nc: jsonpath "$['${raw}']"\n[Asserts]\nbody contains "${text}"\njsonpath "$['${raw}']" == "${text}"\n`,
        );
        const { statements, imports, failure } = readText(document);
        expect(failure).toBeUndefined();
        expect(imports).toEqual([]);
        const requests = statements.filter((one) => one.kind === "request");
        expect(requests.length).toBeLessThanOrEqual(1);
        expect(statements.filter((one) => one.kind !== "assignment")).toEqual(requests);
        for (const { method, scripts, saveTo } of requests) {
          expect([method, scripts, saveTo]).toEqual(["POST", undefined, undefined]);
        }
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ["a header", (long: string) => `GET http://a.test\nX-A: ${long}`],
    ["a comment", (long: string) => `# ${long}\nGET http://a.test`],
    ["JSON", (long: string) => `POST http://a.test\n{"a": "${long}"}`],
    ["XML", (long: string) => `POST http://a.test\n<a>${long}</a>`],
    ["an assertion", (long: string) => `GET http://a.test\nHTTP 200\n[Asserts]\nbody == "${long}"`],
    ["placeholders", (long: string) => `GET http://a.test\nX-A: ${long.replaceAll("xx", "{{")}}}`],
    [
      "many lines",
      (long: string) => `GET http://a.test\n${long.replaceAll("x".repeat(20), "a: \n")}`,
    ],
  ])("a megabyte of %s takes no time", (_what, source) => {
    const start = performance.now();
    hurl(source("x".repeat(1_000_000)));
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
