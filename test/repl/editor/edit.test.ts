import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BINDINGS } from "../../../kernel/repl/editor/bindings.ts";
import { edit, openMenu } from "../../../kernel/repl/editor/edit.ts";
import type { Key } from "../../../kernel/repl/editor/keyboard.ts";
import { type EditorState, startEditing } from "../../../kernel/repl/editor/state.ts";

const HISTORY = ["GET /users", "const x = 1", "GET /users/1\nAccept: a", "POST /users"];

/** Keys by name, text after an equals sign, `|` for the cursor in what comes out. */
function press(text: string, ...keys: readonly string[]): string {
  return show(pressAll(at(text), keys));
}

function pressAll(state: EditorState, keys: readonly string[]): EditorState {
  return keys.reduce((before, name) => edit(before, toKey(name), HISTORY).state, state);
}

function toKey(name: string): Key {
  if (name.startsWith("=")) return { kind: "text", text: name.slice(1) };
  if (name.startsWith("paste=")) return { kind: "paste", text: name.slice(6) };
  return { kind: "key", name };
}

function at(text: string): EditorState {
  const cursor = text.indexOf("|");
  return { ...startEditing(text.replace("|", "")), cursor: cursor === -1 ? text.length : cursor };
}

const show = ({ text, cursor }: EditorState): string =>
  `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe("edit", () => {
  test.each<[string, string[], string]>([
    ["ab|", ["left"], "a|b"],
    ["|ab", ["left"], "|ab"],
    ["ab😀|", ["left", "backspace"], "a|😀"],
    ["👨‍👩‍👧|x", ["backspace"], "|x"],
    ["e\u0301|", ["backspace"], "|"],
    ["日|本", ["right"], "日本|"],
    ["|🇩🇪x", ["delete"], "|x"],
    ["one two|", ["ctrl-a"], "|one two"],
    ["a\nb c|", ["home"], "a\n|b c"],
    ["|a\nb", ["ctrl-e"], "a|\nb"],
    ["one two-three|", ["alt-b", "alt-b"], "one |two-three"],
    ["|one two", ["alt-f"], "one| two"],
    ["one two three|", ["ctrl-w"], "one two |"],
    ["one two-three|", ["alt-backspace"], "one two-|"],
    ["one| two", ["ctrl-k"], "one|"],
    ["one|\ntwo", ["ctrl-k"], "one|two"],
    ["one two|", ["ctrl-u", "ctrl-y", "ctrl-y"], "one twoone two|"],
    ["abc|", ["ctrl-t"], "acb|"],
    ["ab|", ["=c", "=d", "ctrl-_"], "ab|"],
    ["ab|", ["ctrl-w", "ctrl-_"], "ab|"],
    ["{|", ["alt-enter"], "{\n  |"],
    ["{\n  a: 1|", ["alt-enter", "=}"], "{\n  a: 1\n}|"],
    ["{\n  a: 1|", ["alt-enter", "=},"], "{\n  a: 1\n},|"],
    ["[\n  1|", ["alt-enter", "=],"], "[\n  1\n],|"],
    ["f({\n  a: 1|", ["alt-enter", "=});"], "f({\n  a: 1\n});|"],
    ["{\n  |", ["=}x"], "{\n  }x|"],
    ["a|\nb", ["enter"], "a\n|\nb"],
    ["GET /x \\|", ["enter"], "GET /x\n|"],
    ["", ["paste=a\r\nb\rc\u0000\u001b[31m"], "a\nb\nc[31m|"],
    ["ab\ncdef\ngh|", ["up"], "ab\ncd|ef\ngh"],
    ["ab\ncdef|\ngh", ["up", "down"], "ab\ncdef|\ngh"],
    ["日本\nabc|", ["up"], "日本|\nabc"],
    ["x\n|", ["tab"], "x\n  |"],
  ])("%j and %j give %j", (text, keys, expected) => {
    expect(press(text, ...keys)).toBe(expected);
  });

  test.each<[string, string[], string]>([
    ["", ["up"], "POST /users|"],
    ["", ["up", "up"], "GET /users/1\nAccept: a|"],
    ["GET|", ["up"], "GET /users/1\nAccept: a|"],
    ["GET|", ["up", "up", "up"], "GET /users|"],
    ["GET|", ["up", "down"], "GET|"],
    ["const|", ["up", "=;", "down"], "const x = 1;|"],
    ["nothing like it|", ["up"], "nothing like it|"],
    ["", ["ctrl-p", "ctrl-p", "ctrl-n", "ctrl-n"], "|"],
  ])("the history: %j and %j give %j", (text, keys, expected) => {
    expect(press(text, ...keys)).toBe(expected);
  });

  test.each<[string[], string]>([
    [["ctrl-r", "=users"], "POST /|users"],
    [["ctrl-r", "=users", "ctrl-r"], "GET /|users/1\nAccept: a"],
    [["ctrl-r", "=users", "ctrl-r", "ctrl-s"], "POST /|users"],
    [["ctrl-r", "=CONST"], "draft|"],
    [["ctrl-r", "=const", "enter"], "|const x = 1"],
    [["ctrl-r", "=const", "end", "=;"], "const x = 1;|"],
    [["ctrl-r", "=const", "escape"], "draft|"],
    [["ctrl-r", "=constx", "backspace"], "|const x = 1"],
  ])("the search: %j give %j", (keys, expected) => {
    expect(press("draft", ...keys)).toBe(expected);
  });

  test.each<[string, string, string | undefined]>([
    ["x", "enter", "submit"],
    ["x", "ctrl-c", "cancel"],
    ["", "ctrl-d", "leave"],
    ["x|y", "ctrl-d", undefined],
    ["x", "tab", "complete"],
    ["x", "ctrl-l", "clear"],
    ["x", "ctrl-z", "suspend"],
    ["x", "alt-e", "open-editor"],
  ])("%j and %s ask for %s", (text, key, effect) => {
    expect(edit(at(text), toKey(key), HISTORY).effect).toBe(effect);
  });

  describe("the menu", () => {
    const candidates = ["limit", "limits", "list"].map((text) => ({ text, kind: "" }));
    const opened = openMenu(at("page.l|"), { start: 5, end: 6, candidates });

    test("inserts the common prefix of candidates, or the only one", () => {
      expect(show(opened)).toBe("page.li|");
      const single = openMenu(at("page.l|"), { start: 5, end: 6, candidates: candidates.slice(2) });
      expect(show(single)).toBe("page.list|");
      expect(single.menu).toBeUndefined();
      expect(openMenu(at("x|"), { start: 1, end: 1, candidates: [] })).toEqual(at("x|"));
    });

    test("inserts nothing by itself below the signature of a call", () => {
      const signature = "f(limit: string): void";
      for (const offered of [candidates.slice(2), candidates]) {
        const call = openMenu(at("f(|"), { start: 2, end: 2, candidates: offered, signature });
        expect(show(call)).toBe("f(|");
        expect(call.menu).toMatchObject({ candidates: offered, signature });
      }
    });

    test.each<[string[], string]>([
      [["tab"], "page.limit|"],
      [["tab", "tab", "tab", "tab"], "page.limit|"],
      [["shift-tab"], "page.list|"],
      [["tab", "escape"], "page.li|"],
      [["tab", "=]"], "page.limit]|"],
      [["tab", "enter"], "page.limit|"],
    ])("%j give %j", (keys, expected) => {
      expect(show(pressAll(opened, keys))).toBe(expected);
    });
  });

  test("after any keys, the cursor is in the text and between characters", () => {
    const key = fc.oneof(
      fc.constantFrom(...Object.keys(BINDINGS), "ctrl-s", "escape", "f1").map(toKey),
      fc.string({ unit: "grapheme", maxLength: 4 }).map((text): Key => ({ kind: "text", text })),
      fc.string({ unit: "binary", maxLength: 9 }).map((text): Key => ({ kind: "paste", text })),
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
        let state = startEditing();
        for (const one of keys) {
          state = edit(state, one, HISTORY).state;
          expect(state.cursor).toBeGreaterThanOrEqual(0);
          expect(state.cursor).toBeLessThanOrEqual(state.text.length);
          const before = state.text.charCodeAt(state.cursor - 1);
          const after = state.text.charCodeAt(state.cursor);
          const isTorn = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
          expect(isTorn).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });
});
