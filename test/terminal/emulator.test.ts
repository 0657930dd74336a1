import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { createTerminalPrinter, type TerminalPrinter } from "../../kernel/terminal/mod.ts";
import { FIELDS } from "../display/hostile-fields.ts";
import { XSS } from "../display/xss.cases.ts";
import { ESCAPES } from "./escapes.cases.ts";

const { Terminal } = xterm;
const COLUMNS = 100;
const ROWS = 30;

/** What a terminal is like, beside the characters on it: what a hostile text would want to change. */
interface Condition {
  readonly title: string;
  readonly events: readonly string[];
  readonly modes: unknown;
  readonly cursorColumn: number;
  readonly buffer: string;
}

/** Prints into a terminal and says what condition that left it in. */
async function conditionAfter(
  print: (printer: TerminalPrinter, write: (text: string) => void) => void,
): Promise<Condition & { readonly lines: readonly string[] }> {
  const terminal = new Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 5000,
    allowProposedApi: true,
  });
  const events: string[] = [];
  let title = "";
  terminal.onTitleChange((changed) => {
    title = changed;
  });
  terminal.onBell(() => events.push("bell"));
  terminal.onData((data) => events.push(`answer ${JSON.stringify(data)}`));
  terminal.onBinary((data) => events.push(`answer ${JSON.stringify(data)}`));
  terminal.onResize(() => events.push("resize"));
  for (const number of [0, 1, 2, 4, 7, 8, 9, 10, 22, 50, 52, 99, 104, 110, 133, 777, 1337, 5522]) {
    terminal.parser.registerOscHandler(number, () => {
      events.push(`OSC ${number}`);
      return false;
    });
  }
  let text = "";
  const printer = createTerminalPrinter({
    write: (part) => {
      text += part;
    },
    columns: () => COLUMNS,
    color: true,
  });
  print(printer, (part) => {
    text += part;
  });
  await new Promise<void>((resolve) => terminal.write(text.replaceAll("\n", "\r\n"), resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, index) =>
    (active.getLine(index)?.translateToString(true) ?? "").trimEnd(),
  );
  const condition = {
    title,
    events,
    modes: { ...terminal.modes },
    cursorColumn: active.cursorX,
    buffer: active.type,
  };
  terminal.dispose();
  return { ...condition, lines };
}

const untouched = await conditionAfter(() => undefined);
const { lines: _, ...calm } = untouched;

describe("hostile texts in a terminal", () => {
  it("change the terminal if they are written unchanged", async () => {
    const { events, title, buffer } = await conditionAfter((_printer, write) =>
      write("\u001b]0;evil\u0007\u001b[6n\u0007\u001b[?1049h"),
    );
    expect(title).toBe("evil");
    expect(buffer).toBe("alternate");
    expect(events).toContain("bell");
    expect(events.join()).toContain("answer");
  });

  it.each(Object.entries(FIELDS))(
    "change nothing in %s, and what follows is whole",
    async (_field, make) => {
      const { lines, ...condition } = await conditionAfter((printer) => {
        for (const text of [...ESCAPES, ...XSS.slice(0, 20)]) printer.value(make(text));
        printer.line("the end");
      });
      expect(condition).toEqual(calm);
      expect(lines.filter(Boolean).at(-1)).toBe("the end");
    },
  );

  it("change nothing in errors, values, headings, sources and printed text", async () => {
    const { lines, ...condition } = await conditionAfter((printer, write) => {
      for (const text of ESCAPES) {
        printer.value({ [text]: text, [Symbol(text)]: new Map([[text, text]]) });
        printer.value(text);
        printer.value(Object.assign(new Error(text), { name: text }));
        printer.error({ name: text, message: text, traceback: [text] });
        printer.line(text, "Client error");
        printer.heading(text);
        printer.markdown(`# ${text}`);
        printer.source(text, text);
        write(`${printer.visible(text)}\n`);
      }
      printer.line("the end");
    });
    expect(condition).toEqual(calm);
    expect(lines.filter(Boolean).at(-1)).toBe("the end");
  });

  it("leave no colour behind", async () => {
    const text = "\u001b[31mred\u001b[7m";
    const { lines, ...condition } = await conditionAfter((printer, write) => {
      write(`${printer.visible(text)}\nplain\n`);
    });
    expect(lines.slice(0, 2)).toEqual(["red", "plain"]);
    expect(condition).toEqual(calm);
    expect(
      createTerminalPrinter({ write: String, columns: () => 80, color: true }).visible(text),
    ).toMatch(new RegExp(`${"\u001b"}\\[0m$`));
  });
});
