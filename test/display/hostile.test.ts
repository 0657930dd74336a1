import { describe, expect, it } from "vitest";
import { renderBundle, toText, viewExchange } from "../../lib/display/mod.ts";
import { HOSTILE } from "./hostile.cases.ts";
import { FIELDS } from "./hostile-fields.ts";
import { foreignMarkup } from "./judge.ts";
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

// nbconvert looks for the end of bold before it looks for code: stars in code inside of it act.
const CODE_IN_BOLD = /\*\*(?:`|<code>)/;
const MARKUP = /<|\]\(|:\/\/|www\.|\$|^#|^>/m;

/** What of a bundle could act on a page, in Markdown or on a terminal. */
function faultsOf(bundle: ReturnType<typeof renderBundle>): readonly string[] {
  const { "text/html": html = "", "text/markdown": markdown = "", "text/plain": plain } = bundle;
  const fenceless = markdown.replace(/^ *(`{3,})[a-z]*\n(?:.*\n)*?\1$/gm, "");
  const outside = outsideOfCode(markdown);
  return [
    ...foreignMarkup(html),
    ...[html, markdown, plain].filter((form) => ACTING.test(form)),
    ...(CODE_IN_BOLD.test(fenceless) ? [markdown] : []),
    ...(MARKUP.test(outside) ? [outside] : []),
  ];
}

/** One assertion for all texts: one for each of them takes longer than rendering them. */
function expectHarmless(make: (text: string) => readonly ReturnType<typeof renderBundle>[]): void {
  const faulty = TEXTS.flatMap((text) => {
    const faults = make(text).flatMap(faultsOf);
    return faults.length === 0 ? [] : [{ text, faults }];
  });
  expect(faulty).toEqual([]);
}

describe("renderBundle of hostile answers", () => {
  it("is tried with more than two hundred tricks", () => {
    expect(new Set(XSS).size).toBeGreaterThan(200);
  });

  for (const [field, make] of Object.entries(FIELDS)) {
    it(`keeps every hostile text a text in ${field}`, () => {
      expectHarmless((text) => [renderBundle(make(text))]);
    });
  }

  it("keeps hostile texts of errors and sources texts", () => {
    expectHarmless((text) => {
      const span = { start: 4, end: 4 + text.length };
      const error = Object.assign(new Error(text), {
        name: text,
        source: `GET {{x}} ${text}\n`,
        faults: [{ message: text, hint: text, line: 1, column: 5, span }],
      });
      return [renderBundle(error)];
    });
  });

  it("keeps hostile texts of plain values texts", () => {
    expectHarmless((text) => [
      renderBundle({ [text]: text, list: [{ [text]: text }] }),
      renderBundle(text),
      renderBundle(new Map([[text, text]])),
    ]);
  });

  it("leaves no acting character in folded headers of a narrow text", () => {
    const shown = TEXTS.map((text) => {
      const headers = [[text, text]] as unknown as Headers;
      const exchange = sampleExchange(text, "text/plain", { headers });
      return toText(viewExchange(exchange), { width: 40, headers: "folded" });
    });
    expect(shown.filter((form) => ACTING.test(form))).toEqual([]);
  });
});
