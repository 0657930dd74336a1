import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indentXml } from "../../lib/display/indent-xml.ts";

describe("indentXml", () => {
  it.each([
    ["<a><b>1</b></a>", "<a>\n  <b>1</b>\n</a>"],
    ['<?xml version="1.0"?><a/>', '<?xml version="1.0"?>\n<a/>'],
    ["<a>\n\n   <b/>\n</a>\n", "<a>\n  <b/>\n</a>"],
    ["<a></a>", "<a></a>"],
    ["<a>  </a>", "<a>  </a>"],
    // Blanks within text count, and everything beside text belongs to it.
    ["<p>one <b>two</b> <i>three</i></p>", "<p>one <b>two</b> <i>three</i></p>"],
    ["<a><p>one <b>two</b></p><p/></a>", "<a>\n  <p>one <b>two</b></p>\n  <p/>\n</a>"],
    ["<a b=\"1>2\" c='/>'><d/></a>", "<a b=\"1>2\" c='/>'>\n  <d/>\n</a>"],
    ["<a><!-- <b> --><c/></a>", "<a>\n  <!-- <b> -->\n  <c/>\n</a>"],
    ["<a><![CDATA[<b> ]]></a>", "<a><![CDATA[<b> ]]></a>"],
    // Nothing is expanded.
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', '<!DOCTYPE a [<!ENTITY x "y">\n]>\n<a>&x;</a>'],
    // Not well-formed
    ["<a><b></a>", "<a>\n  <b></a>"],
    ["</a></b><c/>", "</a>\n</b>\n<c/>"],
    ["<a><!-- never closed", "<a>\n  <!-- never closed"],
    ["<a b='never closed><c/>", "<a b='never closed><c/>"],
    ["text", "text"],
    ["", ""],
  ])("%j", (text, expected) => {
    expect(indentXml(text)).toBe(expected);
  });

  it("changes nothing but blanks between tags, and nothing the second time", () => {
    const piece = fc.constantFrom(
      "<a>",
      "</a>",
      "<b c='>'/>",
      "<!--x-->",
      "t",
      " ",
      "\n",
      "<![CDATA[ ]]>",
      "<",
      "&x;",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        const indented = indentXml(text);
        expect(indented.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        expect(indentXml(indented)).toBe(indented);
      }),
      { numRuns: 500 },
    );
  });
});
