import { toVisibleText } from "../../lib/display/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import type { Asker } from "./asker.ts";
import type { Shell } from "./commands/mod.ts";
import { createEditorPaint, highlight, type LineReader, paintText } from "./editor/mod.ts";
import { declaresBareWord } from "./entry/mod.ts";
import { Runner } from "./runner.ts";

interface ShellParts
  extends Pick<
    Shell,
    "journal" | "setInitialVariables" | "documents" | "openEditor" | "prefill" | "quit"
  > {
  readonly session: Session;
  readonly platform: Platform;
  readonly breaker: LoopBreaker;
  readonly reader: LineReader;
  readonly asker: Asker;
  /** The time limit of requests in seconds; 30 by default. */
  readonly timeout: number | undefined;
  /** Shows a text that may be longer than the screen. */
  page(text: string): Promise<void>;
}

const DEFAULT_TIMEOUT = 30;

/** Creates the shell that runs entries and that commands use. */
export function createShell(parts: ShellParts): Shell {
  const { session, platform, breaker, reader, asker, timeout, page, ...shared } = parts;
  const { client, settings } = session;
  const { secrets } = client;
  const { stdout, stderr } = platform;
  const paint = createEditorPaint(stdout.color);
  const printer = createTerminalPrinter(stdout, { secrets });
  const runner = new Runner({
    session,
    platform,
    breaker,
    printer,
    errors: createTerminalPrinter(stderr, { secrets }),
    printAbovePrompt: (text) => reader.printAbovePrompt(text),
    page,
  });
  // A request may ask while an entry runs.
  asker.useReader((question) => runner.withTerminal(() => reader.ask(question)));
  let lastCell: Cell | undefined;
  let code = "";
  return {
    ...shared,
    session,
    client,
    platform,
    ask: asker.ask,
    timeout: (timeout ?? DEFAULT_TIMEOUT) * 1000,
    lastCell: () => lastCell,
    declares: (word) => declaresBareWord(code, word),
    print: (text) => printer.line(text),
    page: async (print) => {
      let text = "";
      const write = (piece: string): void => {
        text += piece;
      };
      print(createTerminalPrinter({ ...stdout, write }, { headers: "listed", secrets }));
      await page(text);
    },
    pageText: async (text, language) => {
      const visible = toVisibleText(secrets.mask(text));
      const stretches = language === undefined || !stdout.color ? [] : highlight(visible, language);
      await page(`${paintText(visible, stretches, paint).replace(/\n$/, "")}\n`);
    },
    show: (exchange) => runner.show(exchange),
    run: async (cell) => {
      lastCell = cell;
      const { kind, source } = cell;
      // A script of the entry may change them.
      const headers = new Map(settings.headers);
      const isOk = await runner.run(cell);
      if (kind === "typescript") code += `${source}\n`;
      if (isOk) parts.journal.add(source, headers);
      return isOk;
    },
    withProgress: (label, action) => runner.withProgress(label, action),
    clearScreen: () => stdout.write("\u001b[H\u001b[2J"),
  };
}
