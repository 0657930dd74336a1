import { describe, expect, test } from "vitest";
import {
  parseEntries,
  parseRequests,
  renderRequest,
  resolveAssignment,
  startsAsRequest,
} from "../../lib/request/mod.ts";
import { measureGrowth } from "../linear/growth.ts";

/** In characters: so long are the texts at first, and longer where the time seems to grow faster than they do. */
const LENGTH = 30_000;

/** Repeats a piece until it is as long as the text is to be. */
type Fill = (piece: string) => string;
const filling =
  (length: number): Fill =>
  (piece) =>
    piece.repeat(Math.ceil(length / piece.length));

/** Everything that is done with a text; errors are as good an end as any. */
function exercise(text: string): string {
  startsAsRequest(text);
  try {
    for (const entry of parseEntries(text)) {
      if (entry.kind === "assignment") resolveAssignment(entry, { a: "x" });
      else if (entry.kind === "request") renderRequest(entry, { a: "x" }, { missing: "keep" });
    }
    return "done";
  } catch (error) {
    return (error as Error).name;
  }
}

const POST = "POST http://a.test\n";

const JSON_TYPE = `${POST}Content-Type: application/json\n\n`;
const FORM = `${POST}Content-Type: application/x-www-form-urlencoded\n\n`;
const GRAPHQL = "GRAPHQL http://a.test\n\n";
const MULTIPART = `${POST}Content-Type: multipart/form-data; boundary=b\n\n`;

const TEXTS: [what: string, make: (fill: Fill) => string, end: string][] = [
  ["separators", (fill) => fill("###\n"), "done"],
  ["separators in one line", (fill) => fill("###"), "done"],
  ["assignments", (fill) => fill("@a = b\n"), "done"],
  ["assignments with placeholders", (fill) => fill("@a = {{a}}\n"), "done"],
  ["at signs", (fill) => fill("@\n"), "RequestSyntaxError"],
  ["comments", (fill) => fill("# a\n"), "done"],
  ["annotations", (fill) => fill("# @a b\n"), "done"],
  ["annotations of one request", (fill) => `${fill("# @a b\n")}GET /x\nHost: a`, "done"],
  ["number signs and blanks", (fill) => fill("# "), "done"],
  ["line ends", (fill) => fill("\n"), "done"],
  ["carriage returns", (fill) => fill("\r"), "done"],
  ["blanks", (fill) => fill(" "), "done"],
  ["blanks before a sign", (fill) => `${fill(" ")}#`, "done"],
  ["blanks inside a variable line", (fill) => `@a${fill(" ")}=${fill(" ")}b`, "done"],
  [
    "blanks inside a request line",
    (fill) => `GET${fill(" ")}/x${fill(" ")}y`,
    "RequestSyntaxError",
  ],
  ["requests", (fill) => fill("GET http://a.test\n###\n"), "done"],
  ["request lines", (fill) => fill("GET http://a.test\n"), "done"],
  ["requests without separators", (fill) => fill("GET http://a.test\n\n"), "done"],
  [
    "requests without separators, indented",
    (fill) => fill("GET http://a.test\n\n  GET http://b.test\n\n"),
    "done",
  ],
  ["requests after scripts", (fill) => fill("POST http://a.test\n\n1\n\n> {% %}\n"), "done"],
  ["URLs", (fill) => fill("http://a.test\n\n"), "done"],
  ["one word", (fill) => fill("a"), "RequestSyntaxError"],
  ["one method", (fill) => fill("A"), "RequestSyntaxError"],
  ["words", (fill) => fill("a "), "RequestSyntaxError"],
  ["one host", (fill) => `GET ${fill("a.")}`, "done"],
  ["one URL", (fill) => `GET http://a.test/${fill("a/")}`, "done"],
  ["open braces in a URL", (fill) => `GET ${fill("{{")}`, "done"],
  ["open braces and names in a URL", (fill) => `GET ${fill("{{a")}`, "TemplateSyntaxError"],
  ["open braces, closed once", (fill) => `GET ${fill("{{")}}}`, "done"],
  ["continued query", (fill) => `GET http://a.test\n${fill("  &a={{a}}\n")}`, "done"],
  ["continued query with blanks", (fill) => `GET http://a.test\n${fill("  &a= b\n")}`, "done"],
  ["one query of blanks", (fill) => `GET http://a.test?${fill("a ")}`, "done"],
  ["one query of versions", (fill) => `GET http://a.test?${fill(" HTTP/1")}`, "done"],
  ["a comment without an end", (fill) => `/* ${fill("/* ")}`, "done"],
  ["one header line", (fill) => `${POST}A: ${fill("a")}`, "done"],
  ["one header line of blanks", (fill) => `${POST}A: ${fill(" ")}b`, "done"],
  [
    "block comments without an end among the headers",
    (fill) => `${POST}${fill("/*:\n")}`,
    "RequestSyntaxError",
  ],
  ["one header name", (fill) => `${POST}${fill("a")}: 1`, "done"],
  ["one line among the headers", (fill) => `${POST}${fill("a")}`, "RequestSyntaxError"],
  [
    "one line of braces among the headers",
    (fill) => `${POST}${fill("{{a")}:`,
    "RequestSyntaxError",
  ],
  ["header lines", (fill) => `${POST}${fill("A: {{a}}\n")}`, "done"],
  ["header lines without a name", (fill) => `${POST}${fill(": 1\n")}`, "RequestSyntaxError"],
  ["broken header values", (fill) => `${POST}${fill("A: {{a..b}}\n")}`, "TemplateSyntaxError"],
  ["placeholders in a body", (fill) => `${POST}\n${fill("{{a}} ")}`, "done"],
  ["placeholders in a JSON body", (fill) => `${POST}\n[${fill('"{{a}}", {{n}}, ')}1]`, "done"],
  ["broken JSON", (fill) => `${POST}\n[${fill('"{{a}}", {{n}} ')}1]`, "done"],
  ["brackets", (fill) => `${POST}\n${fill("[")}`, "done"],
  ["quotes", (fill) => `${POST}\n[${fill('"')}`, "done"],
  ["open braces in a body", (fill) => `${POST}\n${fill("{{")}`, "done"],
  ["escaped braces in a body", (fill) => `${POST}\n${fill("\\{{")}`, "done"],
  ["number signs in a body", (fill) => `${POST}\n${fill(" ###\n")}`, "done"],
  ["number signs in a line of a body", (fill) => `${POST}\n a${fill("###")}`, "done"],
  ["blanks and number signs in a body", (fill) => `${POST}\n${fill(" ")}###`, "done"],
  ["references behind a body", (fill) => `${POST}\n${fill("<> a\n")}`, "done"],
  ["half references behind a body", (fill) => `${POST}\n${fill("<>\n")}`, "done"],
  ["half scripts", (fill) => `${POST}\n{%${fill("< \n")}`, "done"],
  ["comments in JSON", (fill) => `${JSON_TYPE}[${fill("//\n#\n/**/")}]`, "done"],
  ["block comments without an end in JSON", (fill) => `${JSON_TYPE}[${fill("/* ")}`, "done"],
  ["commas and comments in JSON", (fill) => `${JSON_TYPE}[${fill(",//\n]")}`, "done"],
  ["quotes and braces in JSON", (fill) => `${JSON_TYPE}[${fill('"{{a')}`, "TemplateSyntaxError"],
  ["number signs in one line of JSON", (fill) => `${JSON_TYPE}1${fill(" #")}`, "done"],
  ["ampersands in a form", (fill) => `${FORM}${fill(" & ")}`, "done"],
  ["ampersands and line ends in a form", (fill) => `${FORM}a${fill(" \n & \n")}b`, "done"],
  ["blanks and line ends in a form", (fill) => `${FORM}a${fill(" \n ")}b`, "done"],
  ["equals signs in a form", (fill) => `${FORM}${fill(" = ")}`, "done"],
  ["placeholders in a form", (fill) => `${FORM}${fill("{{a}} =\n")}`, "done"],
  ["comments in a form", (fill) => `${FORM}${fill("# {{a}}\n")}`, "done"],
  ["delimiters of parts", (fill) => `${MULTIPART}${fill("--b\n\n")}`, "done"],
  ["parts without blank lines", (fill) => `${MULTIPART}${fill("--b\n{{a}}\n")}`, "done"],
  ["parts of headers", (fill) => `${MULTIPART}--b\n${fill("Content-A: {{a}}\n")}`, "done"],
  ["delimiters of values", (fill) => `${MULTIPART}--b\n${fill("--{{a}}\n")}`, "done"],
  ["like a delimiter", (fill) => `${MULTIPART}${fill("--bc\n")}`, "RequestSyntaxError"],
  ["strings of a query", (fill) => `${GRAPHQL}{ a(${fill('b: "{{a}}" ')}) }`, "done"],
  ["block strings", (fill) => `${GRAPHQL}{ a(${fill('b: """{{a}}"" ')}`, "done"],
  ["definitions", (fill) => `${GRAPHQL}${fill("query { a }\n")}`, "done"],
  ["comments below a query", (fill) => `${GRAPHQL}{ a }\n${fill("/* {{a}} */ # b\n")}{}`, "done"],
  ["variables", (fill) => `${GRAPHQL}{ a }\n{${fill('"b": {{n}}, // c\n')}}`, "done"],
  ["text below a query", (fill) => `${GRAPHQL}{ a }\n${fill("{{a}} b ")}`, "done"],
  ["a fragment in the URL", (fill) => `GET http://a.test/${fill("{{a}}#")}`, "done"],
  [
    "a charset",
    (fill) => `${POST}Content-Type: text/plain; charset=latin1\n\n${fill("é{{a}}")}`,
    "done",
  ],
  ["lines", (fill) => `${POST}Content-Type: text/csv\n\n${fill("a, {{a}}\n")}`, "done"],
  ["credentials", (fill) => `GET /x\nHost: a\nAuthorization: Basic ${fill("{{a}} :")}`, "done"],
  ["comments in parts", (fill) => `${MULTIPART}${fill("--b\n\n# {{a}}\n")}`, "done"],
  ["requests with comments in JSON", (fill) => fill(`${POST}\n{ // a\n}\n###\n`), "done"],
  ["assertions in JSON", (fill) => `${POST}\n{\n${fill("?? status == 200\n")}}`, "done"],
  ["comments behind a GET", (fill) => `GET http://a.test\n\n${fill("#\n")}`, "done"],
];

/** Reads a text of some length, and expects that one of four times the length takes no more than four times as long. */
function expectLinear(make: (fill: Fill) => string, run: (text: string) => unknown): void {
  expect(measureGrowth(run, (length) => make(filling(length)), LENGTH)).toBeUndefined();
}

describe("a hostile text ends in a result or a named error in linear time", () => {
  test.each(TEXTS)("%s", (_, make, end) => {
    expect(exercise(make(filling(LENGTH)))).toBe(end);
    expectLinear(make, exercise);
  });

  test("many invalid headers", () => {
    const run = (text: string): unknown => {
      const [draft] = parseRequests(text);
      return draft && renderRequest(draft, { a: "\n" });
    };
    const make = (fill: Fill): string => `${POST}${fill("A: {{a}}\n")}`;
    expect(() => run(make(filling(LENGTH)))).toThrow("a line feed");
    expectLinear(make, run);
  });

  test("many missing values", () => {
    const run = (text: string): unknown => {
      const [draft] = parseRequests(text);
      return draft && renderRequest(draft, {});
    };
    const make = (fill: Fill): string => `${POST}${fill("A: {{b}}\n")}\n${fill("{{c}}")}`;
    expect(() => run(make(filling(LENGTH)))).toThrow("More faults follow");
    expectLinear(make, run);
  });
});
