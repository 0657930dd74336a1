import { toVisibleText } from "../../lib/display/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import { type Session, withHeaders } from "../session/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import type { Asker } from "./asker.ts";
import type { Documents, Shell } from "./commands/mod.ts";
import type { LineEditor } from "./editor/mod.ts";
import { createEditorPaint, highlight, paintText } from "./editor/mod.ts";
import { languageOf, namesBareWord } from "./entry/mod.ts";
import type { Journal } from "./journal/mod.ts";
import { createRunner } from "./runner.ts";

/** What a shell is made of. */
export interface ShellParts {
  readonly session: Session;
  readonly platform: Platform;
  readonly breaker: LoopBreaker;
  readonly reader: LineEditor;
  readonly journal: Journal;
  begin(): void;
  readonly documents: Documents | undefined;
  /** Where questions of requests come in, which are asked while an entry runs. */
  readonly asker: Asker;
  /** Seconds that a request may take at the beginning. */
  readonly timeout: number | undefined;
  /** Shows a text of whatever length. */
  page(text: string): Promise<void>;
  openEditor(text: string): Promise<string>;
  offer(text: string): void;
  quit(): void;
}

/** The limit of the client itself, in seconds. */
const TIMEOUT = 30;

/** Creates what commands and entries work on. */
export function createShell(parts: ShellParts): Shell {
  const { session, platform, reader, journal, page, asker } = parts;
  const { client, settings } = session;
  const { secrets } = client;
  const { stdout, stderr } = platform;
  const paint = createEditorPaint(stdout.color);
  const printer = createTerminalPrinter(stdout, { secrets });
  const runner = createRunner({
    session,
    platform,
    breaker: parts.breaker,
    printer,
    errors: createTerminalPrinter(stderr, { secrets }),
    write: reader.printAbovePrompt,
    page,
  });
  asker.use((question) => runner.aside(() => reader.ask(question)));
  let latest: string | undefined;
  let code = "";
  return {
    session,
    client,
    platform,
    journal,
    begin: parts.begin,
    documents: parts.documents,
    latest: () => latest,
    say: (text) => printer.line(text),
    page: async (print) => {
      let text = "";
      const gather = (piece: string): void => {
        text += piece;
      };
      print(createTerminalPrinter({ ...stdout, write: gather }, { headers: "listed", secrets }));
      await page(text);
    },
    pageText: async (text, language) => {
      const visible = toVisibleText(secrets.mask(text));
      const stretches = language === undefined || !stdout.color ? [] : highlight(visible, language);
      await page(`${paintText(visible, stretches, paint).replace(/\n$/, "")}\n`);
    },
    names: (word) => namesBareWord(code, word),
    timeout: (parts.timeout ?? TIMEOUT) * 1000,
    show: (exchange) => runner.show(exchange),
    run: async (text) => {
      latest = text.trimEnd();
      const isOk = await runner.run(text);
      // Written down, an entry has to say what the session's headers have added.
      const isRequest = languageOf(text) === "request";
      if (languageOf(text) === "typescript") code += `${text}\n`;
      if (isOk) journal.add(isRequest ? withHeaders(text, settings.headers) : text);
      return isOk;
    },
    busy: (label, action) => runner.busy(() => label, action),
    openEditor: parts.openEditor,
    offer: parts.offer,
    clearScreen: () => stdout.write("\u001b[H\u001b[2J"),
    quit: parts.quit,
  };
}
