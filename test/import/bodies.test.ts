import { expect, test } from "vitest";
import { withoutComments } from "../../kernel/import/bodies.ts";

const CASES: readonly (readonly [text: string, sent: string])[] = [
  ['{"a": 1} // one', '{"a": 1}'],
  ['// one\n{"a": 1}', '{"a": 1}'],
  ['{\n  "a": 1, /* two\n lines */ "b": 2\n}', '{\n  "a": 1, "b": 2\n}'],
  ['{"a": "// text", "b": "/* text */"}', '{"a": "// text", "b": "/* text */"}'],
  ['{"a": "\\"// text"}', '{"a": "\\"// text"}'],
  ['{"a": {{b}}} // {{c}}', '{"a": {{b}}}'],
  // Neither tool takes these for comments.
  ["# @name x", "# @name x"],
  ["### x\nGET /evil", "### x\nGET /evil"],
  ['{\n# one\n"a": 1\n}', '{\n# one\n"a": 1\n}'],
  ['{"a": 1, // one\n}', '{"a": 1,\n}'],
];

test.each(CASES)("%j is sent without its comments", (text, sent) => {
  expect(withoutComments(text)).toBe(sent);
});
