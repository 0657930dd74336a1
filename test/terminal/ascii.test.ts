import { describe, expect, test } from "vitest";
import { isAsciiLocale } from "../../kernel/platform/mod.ts";
import { toAscii } from "../../kernel/terminal/mod.ts";
import { textWidth } from "../../lib/display/mod.ts";

describe("toAscii", () => {
  test.each([
    ["plain\ttext\n", "plain\ttext\n"],
    ["── 200 OK · Successful …", "-- 200 OK - Successful ~"],
    ["é Ünïcode", "e Unicode"],
    ["日本 😀", "???? ??"],
    ["\u001b[31m→\u001b[0m", "\u001b[31m>\u001b[0m"],
  ])("%j becomes %j of the same width", (text, expected) => {
    expect(toAscii(text)).toBe(expected);
    const visible = (it: string): string => it.replace(/\p{Cc}/gu, "");
    expect(textWidth(visible(expected))).toBe(textWidth(visible(text)));
  });
});

test.each([
  [{}, false],
  [{ LANG: "en_US.UTF-8" }, false],
  [{ LANG: "C" }, true],
  [{ LANG: "C.utf8" }, false],
  [{ LANG: "en_US.UTF-8", LC_ALL: "POSIX" }, true],
  [{ LANG: "de_DE.ISO-8859-1", LC_CTYPE: "de_DE.UTF-8", LC_ALL: "" }, false],
])("isAsciiLocale of %j is %s", (environment, expected) => {
  expect(isAsciiLocale({ environment })).toBe(expected);
});
