import { toVisibleText } from "../../lib/display/mod.ts";
import type { OutputStream, Platform } from "../platform/mod.ts";
import type { Session } from "../session/mod.ts";
import { createTerminalPrinter, isAsciiLocale, toAscii } from "../terminal/mod.ts";
import { runCommandLine } from "./commands/run-command.ts";
import { CommandError, type Shell } from "./commands/shell.ts";
import { completeEntry } from "./complete.ts";
import type { Documents } from "./documents.ts";
import { highlight } from "./editor/highlight.ts";
import { createLineEditor, type LineEditor } from "./editor/line-editor.ts";
import type { Terminal } from "./editor/terminal.ts";
import { isEntryComplete, languageOf } from "./entry.ts";
import { editExternally } from "./external-editor.ts";
import { type History, historyPath, openHistory } from "./history.ts";
import { createJournal, type Journal } from "./journal.ts";
import type { Opening } from "./open-prompt.ts";
import { createPager } from "./pager.ts";
import { createEditorPaint, paintText } from "./paint.ts";
import { createPlainReader } from "./plain-reader.ts";
import { createRunner } from "./runner.ts";
import { type Settings, withHeaders } from "./settings.ts";

const CONTINUATION = "     ... ";

/** What a prompt may be given beside its session. */
export interface PromptOptions {
  /** Headers and limits that commands change; absent where the session's client is another one. */
  readonly settings?: Settings;
  readonly documents?: Documents;
  readonly journal?: Journal;
  /** Aborted when the session is to end, with the exit status as its reason. */
  readonly ending?: AbortSignal;
}

/** A prompt that is on the screen already. */
export interface ShownPrompt extends PromptOptions {
  readonly terminal: Terminal;
  /** Whether entries are read line by line, since the cursor cannot be moved. */
  readonly isPlain: boolean;
  readonly prompt: string;
}

/**
 * Reads entries and runs each as a cell or command until the person leaves.
 *
 * Ctrl-C gives up the entry that is being typed, or ends the running one and keeps the session.
 */
export async function runPrompt(
  opening: Opening,
  given: Platform,
  { terminal, isPlain, ...shown }: ShownPrompt,
): Promise<void> {
  const platform = withCharacters(given);
  const { stdout, environment } = platform;
  const paint = createEditorPaint(stdout.color);
  const pager = createPager({ terminal, environment });
  let history: History | undefined;
  let session: Session | undefined;
  const ready = opening.then((opened) => {
    session = opened.session;
    return opened;
  });
  // It is awaited where an entry is run; nobody may be there yet when it fails.
  ready.catch(() => undefined);
  let latest: string | undefined;
  let offered = "";
  let isOver = false;

  const onTrouble = (message: string): void => {
    reader?.interject(`Note: ${toVisibleText(message)}\n`);
  };
  const openEditor = async (text: string): Promise<string> => {
    const extension = languageOf(text) === "typescript" && text !== "" ? "ts" : "http";
    return await editExternally(text, extension, environment);
  };

  const isComplete = (text: string): boolean | Promise<boolean> =>
    isEntryComplete(
      text,
      async (code) => (await (await ready).session.isComplete(code)).status !== "incomplete",
    );
  const createReader = isPlain ? createPlainReader : createLineEditor;
  let reader: LineEditor | undefined;
  reader = createReader({
    terminal,
    prompt: shown.prompt,
    continuation: CONTINUATION,
    paint,
    color: stdout.color,
    history: () => history?.entries ?? [],
    languageOf,
    isComplete,
    complete: async (text, position) => await completeEntry(text, position, (await ready).session),
    openEditor,
    onPause: (text) => {
      // Whoever types TypeScript will need the compiler; whoever types a request must not wait for it.
      const isCode = text.trim().length > 2 && languageOf(text) === "typescript";
      if (isCode && !/^[A-Z]*$/.test(text.trim())) void session?.warmUp();
    },
  });

  // Before the first key is looked at: it may be one that searches.
  history = await openHistory({ path: historyPath(environment), onTrouble });
  const reading = reader.read();
  // A session that cannot be opened ends the prompt, whoever is typing there.
  const [opened, first] = await Promise.all([ready, reading]);
  const { session: live, ...options } = opened;
  const { client } = live;
  const journal = options.journal ?? shown.journal ?? createJournal();
  const shell = createShell();
  let entry = first;

  while (entry !== undefined) {
    if (entry.trim() !== "") await runEntry(entry);
    if (isOver || shown.ending?.aborted === true) break;
    const text = offered;
    offered = "";
    entry = await reader.read(text);
  }
  await history.settle();

  async function runEntry(text: string): Promise<void> {
    // What is a secret by now, or is one in this entry, stays out of the file.
    const { secrets } = client;
    secrets.learnSource(text);
    history?.add(text.trimEnd(), secrets.mask(text) !== text);
    try {
      if (languageOf(text) === "command") await runCommandLine(text, shell);
      else await shell.run(text);
    } catch (error) {
      reportFailure(error);
    }
  }

  function reportFailure(error: unknown): void {
    const errors = createTerminalPrinter(platform.stderr, { secrets: client.secrets });
    if (error instanceof CommandError) errors.line(error.message);
    else errors.value(error instanceof Error ? error : new Error(String(error)));
  }

  function createShell(): Shell {
    const { secrets } = client;
    const printer = createTerminalPrinter(stdout, { secrets });
    const write = (text: string): void => reader?.interject(text);
    const page = async (text: string): Promise<void> => {
      if (isPlain) stdout.write(text);
      else await pager.page(text);
    };
    const runner = createRunner({
      session: live,
      platform,
      printer,
      errors: createTerminalPrinter(platform.stderr, { secrets }),
      write,
      page,
      onInterrupt: () => undefined,
    });
    return {
      session: live,
      client: live.client,
      settings: options.settings,
      platform,
      journal,
      documents: shown.documents,
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
        const stretches =
          language === undefined || !stdout.color ? [] : highlight(visible, language);
        await page(`${paintText(visible, stretches, paint).replace(/\n$/, "")}\n`);
      },
      show: (exchange) => runner.show(exchange),
      run: async (text) => {
        latest = text.trimEnd();
        const isOk = await runner.run(text);
        const { settings } = options;
        // Written down, an entry has to say what the session's headers have added.
        const isRequest = settings !== undefined && languageOf(text) === "request";
        if (isOk) journal.add(isRequest ? withHeaders(text, settings.headers) : text);
        return isOk;
      },
      busy: (label, action) => runner.busy(() => label, action),
      openEditor,
      offer: (text) => {
        offered = text;
      },
      clearScreen: () => stdout.write("\u001b[H\u001b[2J"),
      quit: () => {
        isOver = true;
      },
    };
  }
}

/** The same platform, writing ASCII alone where the terminal's locale has no more. */
function withCharacters(platform: Platform): Platform {
  if (!isAsciiLocale(platform.environment)) return platform;
  const plain = (stream: OutputStream): OutputStream => ({
    ...stream,
    write: (text) => stream.write(toAscii(text)),
  });
  return { ...platform, stdout: plain(platform.stdout), stderr: plain(platform.stderr) };
}
