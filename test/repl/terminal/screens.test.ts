import { expect, test } from "vitest";
import type { Terminal } from "../../../kernel/repl/editor/mod.ts";
import { Screens } from "../../../kernel/repl/editor/mod.ts";
import type { TerminalHandlers } from "../../../kernel/repl/editor/terminal.ts";

function createTerminal(columns: number) {
  let written = "";
  let handlers: TerminalHandlers | undefined;
  const terminal: Terminal = {
    acquire: (owner) => {
      handlers = owner;
    },
    bufferInput: () => undefined,
    release: () => undefined,
    setEcho: () => undefined,
    write: (text) => {
      written += text;
    },
    columns: () => columns,
    rows: () => 4,
    suspend: async () => undefined,
  };
  return { terminal, written: () => written, type: (text: string) => handlers?.data(text) };
}

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");

test("a pattern that is pasted does not act on the terminal", async () => {
  const { terminal, written, type } = createTerminal(80);
  const shown = new Screens(LINES, terminal).show();
  type("/");
  type("\u001b[200~\u001b]0;title\u0007\u001b[201~");
  type("\rq");
  await shown;
  expect(written()).toContain("title");
  expect(written()).not.toContain("\u001b]");
  expect(written()).toContain("is not found below");
});

test("the status line is no wider than the terminal", async () => {
  const { terminal, written, type } = createTerminal(12);
  const shown = new Screens(LINES, terminal).show();
  type("/");
  type("日本語日本語");
  type("\rq");
  await shown;
  expect(written()).toContain("/日本語");
  expect(written()).not.toContain("/日本語日本語");
});

test("the hints fit fifty columns, and one line is one line", async () => {
  const { terminal, written, type } = createTerminal(50);
  const shown = new Screens(Array.from({ length: 5 }, () => "line").join("\n"), terminal).show();
  type("\rq");
  await shown;
  expect(written()).toContain("-- 2 more lines: space, b, /, n, a, q --");
  expect(written()).toContain("-- 1 more line: space, b, /, n, a, q --");
});
