import { describe, expect, test } from "vitest";
import { createKeyDecoder, type Key } from "../../../kernel/repl/editor/keyboard.ts";

const names = (keys: readonly Key[]): readonly string[] =>
  keys.map((key) => (key.kind === "key" ? key.name : `${key.kind}:${key.text}`));

function decode(...chunks: readonly string[]): readonly string[] {
  const decoder = createKeyDecoder();
  return names(chunks.flatMap((chunk) => decoder.decode(chunk)));
}

describe("createKeyDecoder", () => {
  test.each<[string, string[]]>([
    ["abc", ["text:abc"]],
    ["日本😀", ["text:日本😀"]],
    ["\r", ["enter"]],
    ["\n", ["enter"]],
    ["a\tb", ["text:a", "tab", "text:b"]],
    ["\u007f\u0008", ["backspace", "backspace"]],
    ["\u0001\u0005\u000b\u001a\u001f", ["ctrl-a", "ctrl-e", "ctrl-k", "ctrl-z", "ctrl-_"]],
    ["\u001b[A\u001b[B\u001b[C\u001b[D", ["up", "down", "right", "left"]],
    ["\u001bOA\u001bOH\u001bOF", ["up", "home", "end"]],
    [
      "\u001b[H\u001b[F\u001b[1~\u001b[4~\u001b[7~\u001b[8~",
      ["home", "end", "home", "end", "home", "end"],
    ],
    ["\u001b[3~\u001b[5~\u001b[6~", ["delete", "page-up", "page-down"]],
    ["\u001b[1;5C\u001b[1;3D\u001b[1;2A", ["ctrl-right", "alt-left", "shift-up"]],
    ["\u001b[Z", ["shift-tab"]],
    ["\u001bb\u001bF\u001b\u007f\u001b\r", ["alt-b", "alt-f", "alt-backspace", "alt-enter"]],
    ["\u001b[13;2u\u001b[27;2;13~", ["shift-enter", "shift-enter"]],
    ["\u001b[200~one\r\ntwo\u001b[Athree\u001b[201~x", ["paste:one\r\ntwo\u001b[Athree", "text:x"]],
    // Answers of terminals and unknown keys are no text.
    ["\u001b[?1;2c\u001b[12;40R\u001b]11;rgb:0/0/0\u0007\u001bP1$r0m\u001b\\z", ["text:z"]],
    ["\u001bO\u001b[A", ["up"]],
    ["\u009b2J\u0085", ["text:2J"]],
  ])("decodes %j", (text, expected) => {
    expect(decode(text)).toEqual(expected);
  });

  test.each([
    "\u001b[1;5C",
    "\u001b[200~some text\u001b[201~",
    "\u001bOA",
    "\u001b]0;title\u0007a",
    "\u001b\u001b[A",
  ])("decodes %j the same in any chunks", (text) => {
    const whole = decode(text);
    for (let cut = 1; cut < text.length; cut++) {
      expect(decode(text.slice(0, cut), text.slice(cut))).toEqual(whole);
    }
  });

  test("a single escape is a key if nothing follows", () => {
    const decoder = createKeyDecoder();
    expect(decoder.decode("\u001b")).toEqual([]);
    expect(decoder.isWaiting).toBe(true);
    expect(names(decoder.flush())).toEqual(["escape"]);
    expect(decoder.isWaiting).toBe(false);
    expect(names(decoder.decode("a"))).toEqual(["text:a"]);
  });

  test("an unfinished sequence swallows no keys", () => {
    const keys = decode(`\u001b[${"1;".repeat(200)}`, "x");
    expect(keys.join("")).toContain("x");
  });

  test("a large paste in many chunks takes time in proportion to its length", () => {
    const decoder = createKeyDecoder();
    decoder.decode("\u001b[200~");
    for (let piece = 0; piece < 2000; piece++) decoder.decode("x".repeat(1000));
    const [key] = decoder.decode("\u001b[201~");
    expect(key?.kind === "paste" && key.text.length).toBe(2_000_000);
  });
});
