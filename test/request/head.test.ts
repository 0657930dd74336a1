import { describe, expect, test } from "vitest";
import {
  checkText,
  parseEntries,
  type RequestDraft,
  renderRequest,
} from "../../lib/request/mod.ts";

function parseOne(text: string): RequestDraft {
  const [draft, ...others] = parseEntries(text);
  if (draft?.kind !== "request" || others.length > 0) throw new Error("not one request");
  return draft;
}

/** What is sent, in few words: the URL, the headers and the body. */
function sent(text: string, variables: Record<string, string> = {}): readonly string[] {
  const { url, headers, added, body } = renderRequest(parseOne(text), variables);
  const written = headers.filter(([name]) => !added.includes(name));
  const lines = [url, ...written.map(([name, value]) => `${name}: ${value}`)];
  return body === undefined ? lines : [...lines, JSON.stringify(body)];
}

const U = "http://a.test/u";
const GET = `GET ${U}`;

/** Texts that are read without a remark. */
const CLEAR: [what: string, text: string, sent: string[]][] = [
  ["indented headers", `${GET}\n  A: 1\n  B: 2`, [U, "A: 1", "B: 2"]],
  ["headers that are indented by tabs", `${GET}\n\tA: 1\n\tB:2`, [U, "A: 1", "B: 2"]],
  ["headers that are less indented", `${GET}\n    A: 1\n  B: 2`, [U, "A: 1", "B: 2"]],
  ["a header after a query", `${GET}\n  ?a=1\n  A: 1`, [`${U}?a=1`, "A: 1"]],
  ["a header after an open query", `${GET}?\n  A: 1`, [`${U}?`, "A: 1"]],
  ["an indented request line", `    ${GET}\n    A: 1\n  B: 2`, [U, "A: 1", "B: 2"]],
  ["an indented request line with a query", `  ${GET}\n    ?a=1\n  A: 1`, [`${U}?a=1`, "A: 1"]],
  ["signs of comments in values", `${GET}\nA: 1 #b\nB: c//d`, [U, "A: 1 #b", "B: c//d"]],
  ["comments in front of headers", `${GET}\n# c\n\t// c\nA: 1`, [U, "A: 1"]],
  ["comments after headers", `${GET}\nA: 1\n# c\n// c`, [U, "A: 1"]],
  ["a comment after an indented header", `${GET}\n  A: 1\n# c\n  B: 2`, [U, "A: 1", "B: 2"]],
  ["query lines without signs", `${GET}?\n  a=1&\n  b=2`, [`${U}?a=1&b=2`]],
  ["a value on a line of its own", `${GET}?a=\n  1&b=\n  2`, [`${U}?a=1&b=2`]],
  ["a query line with a colon", `${GET}?\n  a:1&\n  b=c:d`, [`${U}?a:1&b=c:d`]],
  ["a query line with a placeholder", `${GET}?\n  {{q}}`, [`${U}?a=1`]],
  ["commented query lines", `${GET}?\n  # a=1&\n  b=2`, [`${U}?b=2`]],
  ["query lines in column 1", `${GET}\n?a=1\n&b=2\nA: 1`, [`${U}?a=1&b=2`, "A: 1"]],
  [
    "a version on its own line",
    `${GET}\n  ?a=1\n  &b=2\n  HTTP/1.1\nA: 1`,
    [`${U}?a=1&b=2`, "A: 1"],
  ],
  ["a path over lines", `${GET}\n    /v\n    /w\n    ?a=1`, [`${U}/v/w?a=1`]],
  ["a path after a slash", "GET http://a.test/\n    u\n    ?a=1", [`${U}?a=1`]],
  ["a host that is continued by a path", "GET http://a.test\n    /u", [U]],
  ["JSON in a query", `${GET}?a={"b":1} c=d`, [`${U}?a={"b":1} c=d`]],
  ["braces in a path", `${GET}/{id}/{{q}}{{ q }}`, [`${U}/{id}/a=1a=1`]],
  ["blanks in a continued query", `${GET}?\n  a=b c&\n  d=e f HTTP/1.1`, [`${U}?a=b c&d=e f`]],
  [
    "letters that are longer in upper case",
    `${GET}?a=Straße groß HTTP/1.1`,
    [`${U}?a=Straße groß`],
  ],
  ["a placeholder as a header", `${GET}\nA: 1\n{{login}}`, [U, "A: 1", "Authorization: Basic a:b"]],
  ["an indented placeholder as a header", `${GET}\n  {{login}}`, [U, "Authorization: Basic a:b"]],
];

/** Texts that are read with a remark. */
const DOUBTFUL: [text: string, sent: string[], place: string, remark: string][] = [
  [
    `${GET}/Ada Lovelace HTTP/1.1`,
    [`${U}/Ada Lovelace`],
    "1:24",
    "blanks in the path are sent as %20",
  ],
  [`${GET}/Ada Lovelace/x?b=c d`, [`${U}/Ada Lovelace/x?b=c d`], "1:24", "%20"],
  [`GET {{base}}/a b`, ["http://b.test/a b"], "1:15", "%20"],
  [`${GET}\n  /a b`, [`${U}/a b`], "2:5", "%20"],
  [`${GET} # c`, [U], "1:21", 'comment "# c" after the URL is not sent'],
  [`${GET}?a=b // c`, [`${U}?a=b`], "1:25", 'comment "// c"'],
  [`${GET}\nA: 1  # one`, [U, "A: 1  # one"], "2:7", 'sent as a part of the header "A"'],
  [`${GET}\nA: 1 // one`, [U, "A: 1 // one"], "2:6", '"// one" is sent'],
  [`${GET}\n  v`, [`${U}v`], "2:3", 'indented line "v" continues the URL'],
  [`${GET}\nA: 1\n  B: 2`, [U, "A: 1", "B: 2"], "3:3", "indented more than the one before it"],
  [`POST ${U}\nA: 1\n{"a": 1}`, [U, "A: 1", '"{\\"a\\": 1}"'], "3:1", "no blank line before it"],
  [`POST ${U}\n  [1]`, [U, '"  [1]"'], "2:3", "no blank line"],
  [`POST ${U}\n<a/>`, [U, '"<a/>"'], "2:1", "no blank line"],
];

const VALUES = { base: "http://b.test", q: "a=1", login: "Authorization: Basic a:b" };

describe("the lines before a body", () => {
  test.each(CLEAR)("%s", (_, text, expected) => {
    expect(sent(text, VALUES)).toEqual(expected);
    expect(renderRequest(parseOne(text), VALUES).warnings).toEqual([]);
    expect(checkText(text, VALUES)).toEqual([]);
  });

  test.each(DOUBTFUL)("%j is read with a remark", (text, expected, place, remark) => {
    expect(sent(text, VALUES)).toEqual(expected);
    expect(renderRequest(parseOne(text), VALUES).warnings).toEqual([
      expect.stringContaining(remark),
    ]);
    const [fault, ...others] = checkText(text, VALUES);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ severity: "warning", message: expect.stringContaining(remark) });
    expect(`${fault?.line}:${fault?.column}`).toBe(place);
  });

  test.each(["no header", "", "a b: c", "A: 1\nB: 2"])(
    "a placeholder whose value is %j is not a header",
    (value) => {
      const text = `${GET}\n{{value}}`;
      expect(() => sent(text, { value })).toThrow(/header/);
      expect(checkText(text, { value })).toMatchObject([{ code: "header", line: 2 }]);
    },
  );

  test("a placeholder without a value may become a header", () => {
    const text = `# @name a\n${GET}\n\n###\n${GET}\n{{a.header}}`;
    expect(checkText(text, {})).toEqual([]);
    const draft = parseOne(`${GET}\n{{header}}`);
    expect(renderRequest(draft, {}, { missing: "keep" }).headers).toEqual([["", "{{header}}"]]);
  });

  test("a Host header without a value is the only fault", () => {
    const text = "GET /x\nHost: {{host}}:1";
    expect(checkText(text, {}).map(({ code }) => code)).toEqual(["name"]);
  });
});
