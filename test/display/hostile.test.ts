import { describe, expect, it } from "vitest";
import { renderBundle, toText, viewExchange } from "../../lib/display/mod.ts";
import type { Exchange } from "../../lib/mod.ts";
import { HOSTILE } from "./hostile.cases.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

// Control characters but tab and line feed, what turns text, further line ends, lone surrogates.
const ACTING = new RegExp(
  `[${["\\0-\\x08", "\\x0b-\\x1f", "\\x7f-\\x9f", "\\u061c\\u200e\\u200f", "\\u2028-\\u202e", "\\u2066-\\u2069"].join("")}]|\\p{Surrogate}`,
  "u",
);
// The elements that the display itself writes; a closing tag has no attributes.
const ELEMENT =
  /<(?:\/?(?:div|h4|p|small|strong|details|summary|table|thead|tbody|tr|th|td|pre)|(?:div|h4|p|details|table|th|td|pre|strong)( (?:class|style|role|scope|border|cellpadding)="[^"<>]*")+|details open)>/g;

const FIELDS: Readonly<Record<string, (text: string) => Exchange>> = {
  "a cell": (text) => parsedExchange([{ id: 1, name: text }]),
  "a column": (text) => parsedExchange([{ [text]: 1 }]),
  "a value": (text) => parsedExchange({ name: text }),
  "a key": (text) => parsedExchange({ [text]: { [text]: [{ [text]: text }] } }),
  "a list": (text) => parsedExchange([text, { a: text }]),
  "a scalar": (text) => parsedExchange(text),
  "a text body": (text) => sampleExchange(text, "text/plain"),
  "an HTML body": (text) => sampleExchange(text, "text/html"),
  "a broken JSON body": (text) => sampleExchange(`{${text}`),
  "a binary body": (text) => sampleExchange(text, "application/octet-stream"),
  "a media type": (text) => sampleExchange("x", "", { mediaType: `application/${text}` }),
  "a status text": (text) => sampleExchange("", "", { statusText: text }),
  "a status class": (text) => sampleExchange("", "", { statusClass: text as "Successful" }),
  "a URL and a method": (text) =>
    sampleExchange("", "", {
      request: { ...sampleExchange("").request, url: text, method: text },
    }),
  "a request header": (text) =>
    sampleExchange("", "", { request: { ...sampleExchange("").request, headers: [[text, text]] } }),
  "a response header": (text) =>
    sampleExchange("", "", { headers: [[text, text]] as unknown as Headers }),
  "a redirect": (text) =>
    sampleExchange("", "", {
      redirects: [
        {
          method: text,
          url: text,
          status: 302,
          statusText: text,
          statusClass: "Redirection",
          location: text,
        },
      ],
    }),
  "a warning": (text) => sampleExchange("", "", { warnings: [text] }),
};

/** What is left of Markdown once all code is taken away. */
function outsideOfCode(markdown: string): string {
  return markdown
    .replace(/^ *(`{3,})[a-z]*\n(?:.*\n)*?\1$/gm, "")
    .replace(/(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)/g, "");
}

function expectHarmless(bundle: ReturnType<typeof renderBundle>): void {
  const { "text/html": html = "", "text/markdown": markdown = "", "text/plain": plain } = bundle;
  for (const form of [html, markdown, plain]) expect(form).not.toMatch(ACTING);
  expect(html.replace(ELEMENT, "")).not.toMatch(/[<>]/);
  const rest = outsideOfCode(markdown);
  expect(rest).not.toMatch(/<|\]\(|:\/\/|www\.|\$|^#|^>/m);
}

describe("renderBundle of hostile answers", () => {
  for (const [field, make] of Object.entries(FIELDS)) {
    it(`keeps every hostile text a text in ${field}`, () => {
      for (const text of HOSTILE) expectHarmless(renderBundle(make(text)));
    });
  }

  it("keeps hostile texts of errors and sources texts", () => {
    for (const text of HOSTILE) {
      const error = Object.assign(new Error(text), {
        name: text,
        source: `GET {{x}} ${text}\n`,
        faults: [
          {
            message: text,
            hint: text,
            line: 1,
            column: 5,
            span: { start: 4, end: 4 + text.length },
          },
        ],
      });
      expectHarmless(renderBundle(error));
    }
  });

  it("keeps hostile texts of plain values texts", () => {
    for (const text of HOSTILE) {
      expectHarmless(renderBundle({ [text]: text, list: [{ [text]: text }] }));
      expectHarmless(renderBundle(text));
      expectHarmless(renderBundle(new Map([[text, text]])));
    }
  });

  it("leaves no acting character in folded headers of a narrow text", () => {
    for (const text of HOSTILE) {
      const exchange = sampleExchange(text, "text/plain", {
        headers: [[text, text]] as unknown as Headers,
      });
      const shown = toText(viewExchange(exchange), { width: 40, headers: "folded" });
      expect(shown).not.toMatch(ACTING);
    }
  });
});
