import { describe, expect, it } from "vitest";
import { renderBundle, toText, viewExchange } from "../../lib/display/mod.ts";
import { HOSTILE } from "./hostile.cases.ts";
import { FIELDS } from "./hostile-fields.ts";
import { expectInert } from "./judge.ts";
import { sampleExchange } from "./sample.ts";
import { XSS } from "./xss.cases.ts";

const TEXTS = [...HOSTILE, ...XSS];

// Control characters but tab and line feed, what turns text, further line ends, lone surrogates.
const ACTING = new RegExp(
  `[${["\\0-\\x08", "\\x0b-\\x1f", "\\x7f-\\x9f", "\\u061c\\u200e\\u200f", "\\u2028-\\u202e", "\\u2066-\\u2069", "\\u180e\\u200b\\u2060-\\u2065\\ufeff\\ufff9-\\ufffb"].join("")}]|\\p{Surrogate}`,
  "u",
);
/** What is left of Markdown once all code is taken away. */
function outsideOfCode(markdown: string): string {
  return (
    markdown
      .replace(/^ *(`{3,})[a-z]*\n(?:.*\n)*?\1$/gm, "")
      .replace(/(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)/g, "")
      // Where a table's bar stands in the text, code is an element, and all of it is entities.
      .replace(/<code>(?:[\w\s]|[^\0-\x7f]|&#\d+;)*<\/code>/g, "")
  );
}

function expectHarmless(bundle: ReturnType<typeof renderBundle>): void {
  const { "text/html": html = "", "text/markdown": markdown = "", "text/plain": plain } = bundle;
  for (const form of [html, markdown, plain]) expect(form).not.toMatch(ACTING);
  expectInert(html);
  const rest = outsideOfCode(markdown);
  // nbconvert looks for the end of bold before it looks for code: stars in code inside of it act.
  expect(markdown.replace(/^ *(`{3,})[a-z]*\n(?:.*\n)*?\1$/gm, "")).not.toMatch(/\*\*(?:`|<code>)/);
  expect(rest).not.toMatch(/<|\]\(|:\/\/|www\.|\$|^#|^>/m);
}

describe("renderBundle of hostile answers", () => {
  it("is tried with more than two hundred tricks", () => {
    expect(new Set(XSS).size).toBeGreaterThan(200);
  });

  for (const [field, make] of Object.entries(FIELDS)) {
    it(`keeps every hostile text a text in ${field}`, () => {
      for (const text of TEXTS) expectHarmless(renderBundle(make(text)));
    });
  }

  it("keeps hostile texts of errors and sources texts", () => {
    for (const text of TEXTS) {
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
    for (const text of TEXTS) {
      expectHarmless(renderBundle({ [text]: text, list: [{ [text]: text }] }));
      expectHarmless(renderBundle(text));
      expectHarmless(renderBundle(new Map([[text, text]])));
    }
  });

  it("leaves no acting character in folded headers of a narrow text", () => {
    for (const text of TEXTS) {
      const exchange = sampleExchange(text, "text/plain", {
        headers: [[text, text]] as unknown as Headers,
      });
      const shown = toText(viewExchange(exchange), { width: 40, headers: "folded" });
      expect(shown).not.toMatch(ACTING);
    }
  });
});
