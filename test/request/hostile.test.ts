import { describe, expect, test } from "vitest";
import {
  parseEntries,
  parseRequests,
  renderRequest,
  resolveAssignment,
  startsAsRequest,
} from "../../lib/request/mod.ts";

const MEGABYTE = 1_000_000;

/** A text of about a megabyte. What is quadratic takes minutes for it, not the seconds given here. */
const LIMIT = { timeout: 10_000 };

function fill(piece: string): string {
  return piece.repeat(Math.ceil(MEGABYTE / piece.length));
}

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
const MULTIPART = `${POST}Content-Type: multipart/form-data; boundary=b\n\n`;

const TEXTS: [what: string, text: string, end: string][] = [
  ["separators", fill("###\n"), "done"],
  ["separators in one line", fill("###"), "done"],
  ["assignments", fill("@a = b\n"), "done"],
  ["assignments with placeholders", fill("@a = {{a}}\n"), "done"],
  ["at signs", fill("@\n"), "RequestSyntaxError"],
  ["comments", fill("# a\n"), "done"],
  ["annotations", fill("# @a b\n"), "done"],
  ["annotations of one request", `${fill("# @a b\n")}GET /x\nHost: a`, "done"],
  ["number signs and blanks", fill("# "), "done"],
  ["line ends", fill("\n"), "done"],
  ["carriage returns", fill("\r"), "done"],
  ["blanks", fill(" "), "done"],
  ["blanks before a sign", `${fill(" ")}#`, "done"],
  ["blanks inside a variable line", `@a${fill(" ")}=${fill(" ")}b`, "done"],
  ["blanks inside a request line", `GET${fill(" ")}/x${fill(" ")}y`, "RequestSyntaxError"],
  ["requests", fill("GET http://a.test\n###\n"), "done"],
  ["request lines", fill("GET http://a.test\n"), "done"],
  ["requests without separators", fill("GET http://a.test\n\n"), "done"],
  [
    "requests without separators, indented",
    fill("GET http://a.test\n\n  GET http://b.test\n\n"),
    "done",
  ],
  ["requests after scripts", fill("POST http://a.test\n\n1\n\n> {% %}\n"), "done"],
  ["URLs", fill("http://a.test\n\n"), "done"],
  ["one word", fill("a"), "RequestSyntaxError"],
  ["one method", fill("A"), "RequestSyntaxError"],
  ["words", fill("a "), "RequestSyntaxError"],
  ["one host", `GET ${fill("a.")}`, "done"],
  ["one URL", `GET http://a.test/${fill("a/")}`, "done"],
  ["open braces in a URL", `GET ${fill("{{")}`, "done"],
  ["open braces and names in a URL", `GET ${fill("{{a")}`, "TemplateSyntaxError"],
  ["open braces, closed once", `GET ${fill("{{")}}}`, "done"],
  ["continued query", `GET http://a.test\n${fill("  &a={{a}}\n")}`, "done"],
  ["continued query with blanks", `GET http://a.test\n${fill("  &a= b\n")}`, "done"],
  ["one query of blanks", `GET http://a.test?${fill("a ")}`, "done"],
  ["one query of versions", `GET http://a.test?${fill(" HTTP/1")}`, "done"],
  ["a comment without an end", `/* ${fill("/* ")}`, "done"],
  ["one header line", `${POST}A: ${fill("a")}`, "done"],
  ["one header line of blanks", `${POST}A: ${fill(" ")}b`, "done"],
  [
    "block comments without an end among the headers",
    `${POST}${fill("/*:\n")}`,
    "RequestSyntaxError",
  ],
  ["one header name", `${POST}${fill("a")}: 1`, "done"],
  ["one line among the headers", `${POST}${fill("a")}`, "RequestSyntaxError"],
  ["one line of braces among the headers", `${POST}${fill("{{a")}:`, "RequestSyntaxError"],
  ["header lines", `${POST}${"A: {{a}}\n".repeat(100_000)}`, "done"],
  ["header lines without a name", `${POST}${": 1\n".repeat(100_000)}`, "RequestSyntaxError"],
  ["broken header values", `${POST}${"A: {{a..b}}\n".repeat(100_000)}`, "TemplateSyntaxError"],
  ["placeholders in a body", `${POST}\n${"{{a}} ".repeat(100_000)}`, "done"],
  ["placeholders in a JSON body", `${POST}\n[${'"{{a}}", {{n}}, '.repeat(50_000)}1]`, "done"],
  ["broken JSON", `${POST}\n[${'"{{a}}", {{n}} '.repeat(50_000)}1]`, "done"],
  ["brackets", `${POST}\n${fill("[")}`, "done"],
  ["quotes", `${POST}\n[${fill('"')}`, "done"],
  ["open braces in a body", `${POST}\n${fill("{{")}`, "done"],
  ["escaped braces in a body", `${POST}\n${fill("\\{{")}`, "done"],
  ["number signs in a body", `${POST}\n${fill(" ###\n")}`, "done"],
  ["number signs in a line of a body", `${POST}\n a${fill("###")}`, "done"],
  ["blanks and number signs in a body", `${POST}\n${fill(" ")}###`, "done"],
  ["references behind a body", `${POST}\n${fill("<> a\n")}`, "done"],
  ["half references behind a body", `${POST}\n${fill("<>\n")}`, "done"],
  ["half scripts", `${POST}\n{%${fill("< \n")}`, "done"],
  ["comments in JSON", `${JSON_TYPE}[${fill("//\n#\n/**/")}]`, "done"],
  ["block comments without an end in JSON", `${JSON_TYPE}[${fill("/* ")}`, "done"],
  ["commas and comments in JSON", `${JSON_TYPE}[${fill(",//\n]")}`, "done"],
  ["quotes and braces in JSON", `${JSON_TYPE}[${fill('"{{a')}`, "TemplateSyntaxError"],
  ["number signs in one line of JSON", `${JSON_TYPE}1${fill(" #")}`, "done"],
  ["ampersands in a form", `${FORM}${fill(" & ")}`, "done"],
  ["ampersands and line ends in a form", `${FORM}a${fill(" \n & \n")}b`, "done"],
  ["blanks and line ends in a form", `${FORM}a${fill(" \n ")}b`, "done"],
  ["equals signs in a form", `${FORM}${fill(" = ")}`, "done"],
  ["placeholders in a form", `${FORM}${fill("{{a}} =\n")}`, "done"],
  ["comments in a form", `${FORM}${fill("# {{a}}\n")}`, "done"],
  ["delimiters of parts", `${MULTIPART}${fill("--b\n\n")}`, "done"],
  ["comments in parts", `${MULTIPART}${fill("--b\n\n# {{a}}\n")}`, "done"],
  ["requests with comments in JSON", fill(`${POST}\n{ // a\n}\n###\n`), "done"],
  ["assertions in JSON", `${POST}\n{\n${fill("?? status == 200\n")}}`, "done"],
  ["comments behind a GET", `GET http://a.test\n\n${fill("#\n")}`, "done"],
];

describe("a hostile text ends in a result or a named error in linear time", () => {
  test.each(TEXTS)("%s", LIMIT, (_, text, end) => {
    expect(exercise(text)).toBe(end);
  });

  test("many invalid headers", LIMIT, () => {
    const [draft] = parseRequests(`${POST}${"A: {{a}}\n".repeat(100_000)}`);
    if (draft === undefined) throw new Error("No request was read");
    expect(() => renderRequest(draft, { a: "\n" })).toThrow("a line feed");
  });

  test("many missing values", LIMIT, () => {
    const [draft] = parseRequests(
      `${POST}${"A: {{b}}\n".repeat(50_000)}\n${"{{c}}".repeat(50_000)}`,
    );
    if (draft === undefined) throw new Error("No request was read");
    expect(() => renderRequest(draft, {})).toThrow("More faults follow");
  });
});
